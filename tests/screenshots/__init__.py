"""Pictures of every page and state, side by side, to be looked at with one's own eyes."""

"""The levels at which bots play, by name on the wire."""

DEFAULT_LEVEL = "steady"
"""The level of a bot for which none was chosen, stand-ins included."""

LEVELS = (DEFAULT_LEVEL,)
"""All levels."""

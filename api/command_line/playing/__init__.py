"""Playing in the terminal over the HTTP API."""

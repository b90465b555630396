"""Live streams: what happens to a match, told to those who look on, as it happens."""

"""The doctor: one check a file; ``rounds.py`` calls them in order."""

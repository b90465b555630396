"""Recorded matches that every release must fold to the same states. To add one, see ``docs/reference/golden.md``."""

"""Recorded matches that every release must read to the same states. Before adding one: ``docs/reference/golden.md``."""

"""Thousands of random matches, each checked against the invariants: ``python -m tests.soak``."""

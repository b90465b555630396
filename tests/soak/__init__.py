"""Thousands of random matches, each held against what must always hold: ``python -m tests.soak``."""

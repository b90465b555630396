"""Recorded matches that every later release must read to the same states. Read ``docs/golden.md`` before adding any."""

"""Proving what the log says: verdicts on matches, digests of heads, and what operators did and looked at."""

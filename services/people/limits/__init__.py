"""Limits on the requests of one person or one address. Begin with ``limiter.py``."""

"""Metrics read from the stores when somebody asks; what processes count themselves is in ``process/counts.py``."""

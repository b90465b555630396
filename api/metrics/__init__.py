"""Metrics: collected from stores and processes, and written for Prometheus. Begin with ``scraper.py``."""

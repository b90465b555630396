"""Putting metrics together and writing them for Prometheus."""

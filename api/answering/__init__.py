"""Answers: results as JSON, and every refusal as a problem document.

Handlers end here; so do the layers in ``entrance`` when they turn a request away. Begin with ``problems.py``.
"""

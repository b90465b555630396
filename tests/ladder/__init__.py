"""How strong the levels of bots are: matches on the same deals, every seat in turn, with intervals.

``python -m tests.ladder`` (or ``make ladder``) plays; begin with ``__main__.py``.
"""

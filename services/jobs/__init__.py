"""The queue of jobs on RQ: its names, what an operator sees of it and does to it.

``watch``, the workers and the API import it; it imports ``errors`` only. Begin with ``bots.py``.
"""

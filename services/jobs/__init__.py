"""The queue of bots' jobs on RQ: its name, what operators see of it, and what they can do to it.

``watch``, the workers and the API import it; it imports ``log`` and ``process``. Begin with ``servers.py``.
"""

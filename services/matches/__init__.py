"""Matches: commands to them, their positions, their bots' turns, replays and forks.

The wings above import it; it imports ``people``, ``log`` and ``process``. Begin with ``service.py``.
"""

"""Rows read off the log and kept beside it, thrown away and rebuilt at will.

``watch`` and the doors import it; it imports ``matches`` and ``log``. Begin with ``contract.py``, then ``matches.py``.
"""

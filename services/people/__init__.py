"""People: tokens of seats and hosts, browsers' sessions, operators, names, and limits on requests.

``matches`` and the wings above import it; it imports ``log``. Begin with ``identity.py``.
"""

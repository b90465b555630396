"""People: persons, their tables and sessions, tokens of seats and hosts, operators, names, and limits on requests.

``matches`` and the wings above import it; it imports ``log``. Begin with ``persons.py``.
"""

"""Who asks: tokens of seats and hosts, sessions of browsers, operators, names, and how much one may ask.

``matches`` and the wings above import it; it imports ``log`` and ``process``. Begin with ``identity.py``.
"""

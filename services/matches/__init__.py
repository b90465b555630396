"""Reading matches, commanding them, playing their bots, looking back.

The wings above import it; it imports ``people``, ``log`` and ``process``. Begin with ``service.py``.
"""

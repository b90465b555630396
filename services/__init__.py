"""What the application does, in wings. A wing may import only those below it.

From the top: ``bootstrap`` (builds every process), ``watch``, ``audit``, ``projections``, ``jobs``, ``matches``,
``people``, ``log``, ``words``, ``process``, ``errors``. Begin with ``matches/service.py``: every change of a match goes
through it.
"""

"""What the application does, in wings that point one way: each may import those below it.

From the top: ``bootstrap`` (the one composition root), ``watch``, ``audit``, ``projections``, ``jobs``, ``matches``,
``people``, ``log``, ``words``, ``process``, ``errors``. Begin with ``matches/service.py``: every change of a match goes
through it.
"""

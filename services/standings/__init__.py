"""Standings: who has done how well at the matches of a club, by game and season, and leagues of several tables.

Everything is computed from results, and results from the rows of finished matches, in the order in which the matches
ended: so standings are the same however the rows were built. Begin with ``results.py``, then ``table.py``.
"""

"""What operators see: matches that need attention, the doctor, one match from all sides, metrics, moments in logs.

Only the API, the workers and ``bootstrap`` import it; it may import every wing below. Begin with ``findings.py``, which
judges a match.
"""

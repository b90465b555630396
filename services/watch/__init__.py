"""The operator's view: what needs attention, the doctor, one match from all sides, metrics, moments in logs.

Only the API and the workers import it; it imports every wing below. Begin with ``findings.py``, which judges a match.
"""

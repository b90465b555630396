"""The operator's view: what needs attention, the doctor, one match from all sides, metrics, moments in logs.

Only the doors and workers import it; it imports every wing below. Begin with ``doctor/rounds.py``.
"""

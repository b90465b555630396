"""The event log: its store, the archive, backups, the embedded servers, the proof of one stored match.

Every wing above may import it; it imports no other wing. Begin with ``event_store/contract.py``.
"""

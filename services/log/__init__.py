"""The event log: the store, the archive behind it, backups, the embedded servers, the proof of one stored match.

Every wing above may import it; it imports ``process`` only. Begin with ``event_store/contract.py``.
"""

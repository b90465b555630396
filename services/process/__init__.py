"""What every process of the service needs: settings, the service log, counters, clients' addresses.

Every wing may import it; it imports none. Begin with ``settings.py``.
"""

"""What every process of the service has: settings, the service log, counters, addresses of clients.

Every wing may import it; it imports none. Begin with ``settings.py``.
"""

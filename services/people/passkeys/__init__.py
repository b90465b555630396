"""Passkeys: keys that a device keeps for its owner, and with which they come back in. Begin with ``passkeys.py``."""

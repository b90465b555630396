"""``/clubs`` and ``/invitations``: clubs, their members and their tables. Begin with ``club.py``."""

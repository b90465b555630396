"""The pages of clubs: ``/c``, ``/c/{club}`` with its settings, and ``/i/{code}``. Begin with ``club.py``."""

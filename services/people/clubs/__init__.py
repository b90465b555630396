"""Clubs: people who play together over a long time, with their tables. Begin with ``club.py``.

``roles.py`` is the one table of who may do what. ``changes.py`` says what a club becomes, and why not; it is pure.
``clubs.py`` keeps clubs, ``club_tables.py`` their tables, ``leagues.py`` their leagues.
"""

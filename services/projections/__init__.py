"""Rows made from the log for lists and searches. They can be thrown away and rebuilt at any time.

``watch``, the API and the workers import it; it imports ``matches`` and ``log``. Begin with ``matches.py`` (a row),
then ``following.py`` (how rows are kept up to date).
"""

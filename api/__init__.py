"""The doors: HTTP API, pages, live streams, the command ``tablee``. They translate and authorise, and decide nothing.

Begin with ``application.py`` (which addresses there are) and ``routes/moves.py`` (one of them).
"""

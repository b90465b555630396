"""The doors: HTTP API, pages, live streams, the command ``tablee``. They translate and authorise; they decide nothing.

Nobody imports it; it may import ``services`` and ``domain``. Begin with ``application.py`` (all addresses) and
``routes/moves.py`` (one of them).
"""

"""Live streams: news of a match, sent while it happens.

``routes/stream.py`` and the pages open streams. Begin with ``hub.py``, which follows the feed once for all of them.
"""

"""The addresses of the API, one subject per file.

Only ``application.py`` and the pages import them. Begin with ``moves.py``.
"""

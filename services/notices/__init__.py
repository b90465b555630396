"""Notices: people are told what waits for them, once for each turn and channel, and never what is hidden.

Begin with ``occasions.py`` (what there is to tell, from the log alone), then ``outbox.py`` (what is told to whom,
exactly once), ``planning.py``, ``entering.py``, ``sending.py`` and ``delivering.py`` (the steps between).
``docs/understand/notices.md`` is the map.
"""

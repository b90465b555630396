"""The match: the aggregate that carries one game from the empty table to its result.

``commands`` are intents, ``decide`` turns one into events or refuses, ``evolve`` applies an event, ``handle``
seals what was decided into entries, ``fold`` reads entries back into a state, ``view`` shows it to somebody,
``verification`` proves that a log was not touched.
"""

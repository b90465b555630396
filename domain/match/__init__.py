"""The match: the aggregate that carries one game from the empty table to its result.

``commands`` are intents. ``decide`` turns one into events or refuses it; ``command_handler`` seals the events into
entries; ``evolve`` applies an event; ``fold`` reads entries back into a state; ``view`` shows it to somebody;
``verification`` proves that nobody has tampered with a log.
"""

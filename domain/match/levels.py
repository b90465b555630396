"""The levels at which bots play, by name on the wire."""

from collections.abc import Mapping

LEVELS: Mapping[str, int] = {"steady": 0}
"""By level: how many playouts a bot may spend on a move; 0 is judgement alone."""

DEFAULT_LEVEL = "steady"
"""The level of a bot for which none was chosen, stand-ins included."""

"""The levels at which bots play, by name on the wire."""

from collections.abc import Mapping
from typing import Final

from domain.games.contract import USUAL, Allowance

DEFAULT_LEVEL: Final = "steady"
"""The level of a bot for which none was chosen, stand-ins included."""

ALLOWANCES: Final[Mapping[str, Allowance]] = {DEFAULT_LEVEL: USUAL}
"""By level, how much a bot may search for one move."""

LEVELS: Final = tuple(ALLOWANCES)
"""All levels."""

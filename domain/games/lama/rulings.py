"""Rulings that may differ from one rules number to another.

A table chooses who starts (see :mod:`domain.games.lama.options`); the rules number fixes the rulings here.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec


class Rulings(msgspec.Struct, frozen=True):
    """The rulings of one rules number.

    Attributes:
        unplayed_round: M21: who starts the next round if nobody played a card in this one. ``last_acted``: the
            last seat to act, that is, to quit; ``same_starter``: the seat that started this round.
        stuck_alone: What happens when a seat is alone in the round and has nothing to play. ``asked``: it must
            quit itself; ``quits``: it quits automatically, with the same result.
    """

    unplayed_round: Literal["last_acted", "same_starter"] = "last_acted"
    stuck_alone: Literal["asked", "quits"] = "asked"


RULINGS: Mapping[int, Rulings] = {1: Rulings(), 2: Rulings(stuck_alone="quits")}
"""By rules number."""

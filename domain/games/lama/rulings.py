"""What tables or later releases may rule otherwise, by rules number.

Tables choose who starts (see :mod:`domain.games.lama.options`); what stands here is pinned by the rules number.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec


class Rulings(msgspec.Struct, frozen=True):
    """The rulings of one rules number.

    Attributes:
        unplayed_round: M21: who starts the next round when nobody laid a card in this one. ``last_acted``: the
            last seat to act, that is, to quit; ``same_starter``: the seat that started this round.
        stuck_alone: What happens when a seat is alone in the round and has nothing to play. ``asked``: it says so
            itself; ``quits``: the round ends at once, which comes to the same.
    """

    unplayed_round: Literal["last_acted", "same_starter"] = "last_acted"
    stuck_alone: Literal["asked", "quits"] = "asked"


RULINGS: Mapping[int, Rulings] = {1: Rulings(), 2: Rulings(stuck_alone="quits")}
"""By rules number."""

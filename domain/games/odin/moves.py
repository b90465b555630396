"""What a seat may ask for."""

from typing import Annotated

import msgspec

from domain.games.contract import Move
from domain.games.odin.cards import OdinCard


class Play(Move, frozen=True):
    """Lay cards on the table.

    Attributes:
        cards: One to nine cards of the hand; their order is irrelevant.
        take: The card to pick up from the beaten combination. Left out when leading, and when the play
            empties the hand.
    """

    cards: Annotated[tuple[OdinCard, ...], msgspec.Meta(min_length=1, max_length=9)]
    take: OdinCard | None = None


class Pass(Move, frozen=True):
    """Lay nothing this turn."""


OdinMove = Play | Pass

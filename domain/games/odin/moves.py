"""The moves of Odin on the wire."""

from typing import Annotated

import msgspec

from domain.games.contract import Move
from domain.games.odin.cards import OdinCard


class Play(Move, frozen=True):
    """Play cards.

    Attributes:
        cards: One to nine cards of the hand, in any order.
        take: The card to pick up from the beaten combination. Leave it out when leading, or when the play empties
            the hand.
    """

    cards: Annotated[tuple[OdinCard, ...], msgspec.Meta(min_length=1, max_length=9)]
    take: OdinCard | None = None


class Pass(Move, frozen=True):
    """Play nothing this turn."""


OdinMove = Play | Pass

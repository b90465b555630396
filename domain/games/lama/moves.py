"""The moves of L.A.M.A. on the wire."""

from typing import Literal

from domain.games.contract import Move
from domain.games.lama.cards import LamaCard

Chip = Literal["black", "white", "none"]
"""A chip to return: 10 points, 1 point, or no chip at all."""


class Play(Move, frozen=True):
    """Lay a card of one's hand on the discard pile.

    Attributes:
        card: The card. Of several copies in the hand, the one held longest is taken.
        chip: The chip to return at once, when this is the last card. Left out, it is asked for afterwards if
            there is one to return.
    """

    card: LamaCard
    chip: Chip | None = None


class Draw(Move, frozen=True):
    """Take the top card of the draw pile into one's hand; that ends the turn."""


class Quit(Move, frozen=True):
    """Leave the round: lay down one's cards, face down, until it is scored."""


class Return(Move, frozen=True):
    """Answer which chip to return, as the winner of a round.

    Attributes:
        chip: The chip; ``none`` keeps them all.
    """

    chip: Chip


LamaMove = Play | Draw | Quit | Return

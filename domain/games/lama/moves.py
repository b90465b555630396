"""The moves of L.A.M.A. on the wire."""

from typing import Literal

from domain.games.contract import Move
from domain.games.lama.cards import LamaCard

Chip = Literal["black", "white", "none"]
"""A chip to return: 10 points, 1 point, or no chip at all."""


class Play(Move, frozen=True):
    """Play a card from the hand onto the discard pile.

    Attributes:
        card: The card. Of several copies in the hand, the one held longest is played.
        chip: The chip to return at once, if this is the last card. If left out, the winner is asked afterwards,
            provided there is a chip to return.
    """

    card: LamaCard
    chip: Chip | None = None


class Draw(Move, frozen=True):
    """Draw the top card of the pile, which ends the turn."""


class Quit(Move, frozen=True):
    """Leave the round: put the hand face down until the round is scored."""


class Return(Move, frozen=True):
    """Return a chip, as the winner of a round.

    Attributes:
        chip: The chip; ``none`` keeps them all.
    """

    chip: Chip


LamaMove = Play | Draw | Quit | Return

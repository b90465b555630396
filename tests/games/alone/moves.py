"""What players and tables choose, as it is on the wire."""

from typing import Literal

from domain.games.contract import LegalMoves, Move, Options


class Lay(Move, frozen=True):
    """Lay a card face down, or lay another one instead while somebody still thinks.

    Attributes:
        card: The card.
    """

    card: int


class AloneLegal(LegalMoves, frozen=True):
    """The legal moves of one seat.

    Attributes:
        lay: The cards that it may lay, each value once.
    """

    lay: tuple[int, ...] = ()


class AloneOptions(Options, frozen=True):
    """The options, defaults first.

    Attributes:
        rounds: How many rounds are played.
    """

    rounds: Literal[3, 1, 5] = 3

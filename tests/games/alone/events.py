"""The events. Each records its effects; the class name is its type on the wire."""

from collections.abc import Mapping
from typing import ClassVar

from domain.games.recorded_chance import GameEvent, ShuffleFields
from domain.sealing import Audience


class HandsDealt(GameEvent, frozen=True):
    """The cards were shuffled and dealt.

    Attributes:
        round: The round, from 1.
        shuffle: Which shuffle of the round this is: always 0.
        hands: By seat, the cards dealt to it; each sealed for that seat alone.
        rest: The cards that nobody gets; sealed from everybody.
    """

    SHUFFLE: ClassVar[ShuffleFields | None] = ShuffleFields(("hands", "rest"))
    STARTS_ROUND: ClassVar[bool] = True
    SEALED: ClassVar[Mapping[str, Audience]] = {"hands": Audience.EACH_SEAT, "rest": Audience.NOBODY}

    round: int
    shuffle: int
    hands: tuple[tuple[int, ...], ...]
    rest: tuple[int, ...]


class CardLaid(GameEvent, frozen=True):
    """A seat laid a card face down. Everybody sees who; only the seat sees which.

    Attributes:
        seat: The seat.
        card: The card; sealed for that seat alone.
    """

    SEALED: ClassVar[Mapping[str, Audience]] = {"card": Audience.SEAT}
    CARDS: ClassVar[tuple[str, ...]] = ("card",)

    seat: int
    card: int


class CardsTurned(GameEvent, frozen=True):
    """Everybody had laid a card, and all were turned over.

    Attributes:
        cards: By seat, the card.
        worth: The points of the trick.
        winner: The seat that takes them; None if nobody's card was alone.
    """

    CARDS: ClassVar[tuple[str, ...]] = ("cards",)

    cards: tuple[int, ...]
    worth: int
    winner: int | None = None


class TricksCounted(GameEvent, frozen=True):
    """A round was over.

    Attributes:
        round: The round, from 1.
        points: By seat, what it took in this round.
        totals: By seat, its points after that.
    """

    SCORES_ROUND: ClassVar[bool] = True

    round: int
    points: tuple[int, ...]
    totals: tuple[int, ...]


class RoundsPlayed(GameEvent, frozen=True):
    """That was the last round."""


AloneEvent = HandsDealt | CardLaid | CardsTurned | TricksCounted | RoundsPlayed

"""What happens in a match of Odin. Every event records its effects."""

from collections.abc import Mapping
from typing import ClassVar

from domain.games.recorded_chance import GameEvent, PickFields, ShuffleFields
from domain.sealing import Audience

FIRST_PLAYER = "first"
"""The purpose under which the first player is drawn."""


class FirstPlayerDrawn(GameEvent, frozen=True):
    """The seat that starts the first round was drawn by lot.

    Attributes:
        seat: The seat that was drawn.
        below: How many seats took part in the draw.
    """

    PICK: ClassVar[PickFields | None] = PickFields(FIRST_PLAYER)

    seat: int
    below: int


class RoundStarted(GameEvent, frozen=True):
    """All cards were shuffled and nine dealt to each seat.

    The dealt order is the hands by seat followed by the undealt cards: seat 0 got the first nine places.

    Attributes:
        round: The round, from 1.
        shuffle: Which shuffle of the round this is; always 0, Odin never reshuffles.
        starter: The seat that leads the first trick.
        hands: The cards of each seat in dealt order.
        undealt: The cards that stay unseen and unused for the whole round, in dealt order.
    """

    SEALED: ClassVar[Mapping[str, Audience]] = {"hands": Audience.EACH_SEAT, "undealt": Audience.NOBODY}
    SHUFFLE: ClassVar[ShuffleFields | None] = ShuffleFields(("hands", "undealt"))
    STARTS_ROUND: ClassVar[bool] = True

    round: int
    shuffle: int
    starter: int
    hands: tuple[tuple[str, ...], ...]
    undealt: tuple[str, ...]


class CardsPlayed(GameEvent, frozen=True):
    """A seat played a combination.

    Attributes:
        seat: Who played it.
        cards: The cards, as their value is read: from high to low.
        taken: The card of the beaten combination that went to the seat's hand, if any.
        discarded: The cards of the beaten combination that were discarded.
        next_seat: The seat that acts next; None if this play ends the round.
    """

    CARDS: ClassVar[tuple[str, ...]] = ("cards", "taken", "discarded")

    seat: int
    cards: tuple[str, ...]
    taken: str | None = None
    discarded: tuple[str, ...] = ()
    next_seat: int | None = None


class Passed(GameEvent, frozen=True):
    """A seat played nothing.

    Attributes:
        seat: Who passed.
        next_seat: The seat that acts next; None if this pass ends the trick.
    """

    seat: int
    next_seat: int | None = None


class TrickEnded(GameEvent, frozen=True):
    """All seats but one passed in a row.

    Attributes:
        leader: The seat that played last, and leads the next trick.
        discarded: The cards of the centre, which were discarded.
    """

    CARDS: ClassVar[tuple[str, ...]] = ("discarded",)

    leader: int
    discarded: tuple[str, ...]


class RoundEnded(GameEvent, frozen=True):
    """A seat played its last card, and the round was scored. The other hands stay closed; only their sizes count.

    Attributes:
        round: The round, from 1.
        seat: Who went out.
        points: Points of this round by seat: the number of cards left.
        totals: Points of the match by seat, this round included.
        last: Whether the match ends with this round.
    """

    SCORES_ROUND: ClassVar[bool] = True

    round: int
    seat: int
    points: tuple[int, ...]
    totals: tuple[int, ...]
    last: bool = False


OdinEvent = FirstPlayerDrawn | RoundStarted | CardsPlayed | Passed | TrickEnded | RoundEnded

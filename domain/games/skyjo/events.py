"""What happens in a match of Skyjo. Every event records its effects.

Cards that lie face down are sealed: the boards and the draw pile from everybody, a drawn card for its drawer alone.
The event that turns a card up shows it. An event's ``next_seat`` is the seat whose turn follows; it is left out if
the round ends with this turn.
"""

from collections.abc import Mapping
from typing import ClassVar

from domain.games.recorded_chance import GameEvent, ShuffleFields
from domain.games.skyjo.cards import Gone
from domain.sealing import Audience


class RoundStarted(GameEvent, frozen=True):
    """All cards were shuffled and dealt.

    The dealt order is the boards, seat by seat, then the card that opens the discard pile, then the draw pile, top
    first.

    Attributes:
        round: The round, from 1.
        shuffle: Which shuffle of the round this is: 0.
        discard: The card that opens the discard pile.
        boards: The twelve cards of each seat by slot. Nobody knows them, not even their owner.
        pile: The draw pile, top first.
        starter: Who begins; left out in the first round, where the first flips decide (K2, K3).
    """

    SEALED: ClassVar[Mapping[str, Audience]] = {"boards": Audience.NOBODY, "pile": Audience.NOBODY}
    SHUFFLE: ClassVar[ShuffleFields | None] = ShuffleFields(("boards", "discard", "pile"))
    STARTS_ROUND: ClassVar[bool] = True

    round: int
    shuffle: int
    discard: int
    boards: tuple[tuple[int, ...], ...]
    pile: tuple[int, ...]
    starter: int | None = None


class CardsRevealed(GameEvent, frozen=True):
    """A seat turned up its first cards, or one of them (K4).

    Attributes:
        seat: Whose cards.
        slots: Which slots, in ascending order.
        cards: The cards turned up, in the order of ``slots``.
    """

    CARDS: ClassVar[tuple[str, ...]] = ("cards",)

    seat: int
    slots: tuple[int, ...]
    cards: tuple[int, ...]


class PlayBegan(GameEvent, frozen=True):
    """All first cards were turned up and the first turn of the round began.

    Attributes:
        seat: Who has the first turn.
        sums: By seat, the sum of its two visible cards; it decides in the first round only (K2).
    """

    seat: int
    sums: tuple[int, ...]


class DiscardTaken(GameEvent, frozen=True):
    """A seat took the top of the discard pile and put it on its board (K5).

    Attributes:
        seat: Whose turn it was.
        slot: Where the card went.
        card: The card that was taken.
        replaced: The card that lay there and went to the discard pile.
        next_seat: Whose turn follows.
    """

    CARDS: ClassVar[tuple[str, ...]] = ("card", "replaced")

    seat: int
    slot: int
    card: int
    replaced: int
    next_seat: int | None = None


class PileReshuffled(GameEvent, frozen=True):
    """The draw pile was empty, so the discard pile was shuffled into it (K28).

    Attributes:
        round: The round.
        shuffle: Which shuffle of the round this is, from 1.
        discard: The cards that stayed on the discard pile, bottom to top.
        pile: The new draw pile, top first. Nobody knows it.
    """

    SEALED: ClassVar[Mapping[str, Audience]] = {"pile": Audience.NOBODY}
    SHUFFLE: ClassVar[ShuffleFields | None] = ShuffleFields(("pile",), whole=False)

    round: int
    shuffle: int
    discard: tuple[int, ...]
    pile: tuple[int, ...]


class CardDrawn(GameEvent, frozen=True):
    """A seat drew the top of the draw pile; it alone sees the card (K32).

    Attributes:
        seat: Who drew.
        card: The card, sealed for that seat.
    """

    CARDS: ClassVar[tuple[str, ...]] = ("card",)

    SEALED: ClassVar[Mapping[str, Audience]] = {"card": Audience.SEAT}

    seat: int
    card: int


class CardSwapped(GameEvent, frozen=True):
    """A seat put the card it had drawn on its board.

    Attributes:
        seat: Whose turn it was.
        slot: Where the card went.
        card: The card that had been drawn.
        replaced: The card that lay there and went to the discard pile.
        next_seat: Whose turn follows.
    """

    CARDS: ClassVar[tuple[str, ...]] = ("card", "replaced")

    seat: int
    slot: int
    card: int
    replaced: int
    next_seat: int | None = None


class CardFlipped(GameEvent, frozen=True):
    """A seat discarded the card it had drawn and turned up a hidden card (K7).

    Attributes:
        seat: Whose turn it was.
        slot: Which slot was turned up.
        card: The card that was turned up.
        discarded: The card that had been drawn.
        next_seat: Whose turn follows.
    """

    CARDS: ClassVar[tuple[str, ...]] = ("card", "discarded")

    seat: int
    slot: int
    card: int
    discarded: int
    next_seat: int | None = None


class ColumnDiscarded(GameEvent, frozen=True):
    """Three equal cards of a column left a board for the top of the discard pile (K9, K12, K20).

    Attributes:
        seat: Whose board.
        column: Which column.
        card: The card that lay there three times.
    """

    CARDS: ClassVar[tuple[str, ...]] = ("card",)

    seat: int
    column: int
    card: int


class RoundClosed(GameEvent, frozen=True):
    """A seat has no hidden card left; each other seat has one more turn (K17)."""

    seat: int


class RoundStalled(GameEvent, frozen=True):
    """The round ended because nobody made progress (K31).

    Attributes:
        turns: How many turns in a row turned up or replaced no hidden card.
    """

    turns: int


class BoardsRevealed(GameEvent, frozen=True):
    """All cards were turned up at the end of the round (K19).

    Attributes:
        boards: The boards by seat and slot, before complete columns leave them.
    """

    boards: tuple[tuple[int | Gone, ...], ...]


class RoundScored(GameEvent, frozen=True):
    """The round was scored.

    Attributes:
        round: The round.
        raw: By seat, the sum of its cards.
        points: By seat, what it scores: the same sum, unless it is a closer whose points were doubled.
        totals: The totals with these points.
        doubled: The closer, if their points were doubled (K22).
        over: Whether the match is over.
    """

    SCORES_ROUND: ClassVar[bool] = True

    round: int
    raw: tuple[int, ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]
    doubled: int | None = None
    over: bool = False


SkyjoEvent = (
    RoundStarted
    | CardsRevealed
    | PlayBegan
    | DiscardTaken
    | PileReshuffled
    | CardDrawn
    | CardSwapped
    | CardFlipped
    | ColumnDiscarded
    | RoundClosed
    | RoundStalled
    | BoardsRevealed
    | RoundScored
)

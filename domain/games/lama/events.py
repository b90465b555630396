"""The events of L.A.M.A. Each records its effects; the class name is its type on the wire."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from domain.games.lama.cards import LamaCard
from domain.games.recorded_chance import GameEvent, PickFields, ShuffleFields
from domain.sealing import Audience

FIRST_PLAYER = "first"
"""The purpose under which the first player is drawn."""


class FirstPlayerDrawn(GameEvent, frozen=True):
    """The seat that starts the first round was drawn by lot.

    Attributes:
        seat: The seat that starts.
        below: How many seats took part in the draw.
    """

    PICK: ClassVar[PickFields | None] = PickFields(FIRST_PLAYER)

    seat: int
    below: int


class RoundStarted(GameEvent, frozen=True):
    """The cards were shuffled and dealt.

    The dealt order is ``hands`` seat by seat, then ``top``, then ``pile``.

    Attributes:
        round: The round, from 1.
        shuffle: Which shuffle of the round this is: always 0, as the pile is never rebuilt.
        starter: The seat that acts first.
        top: The card turned up to begin the discard pile.
        hands: By seat, the cards dealt to it; each sealed for that seat alone.
        pile: The draw pile, next card first; sealed from everybody.
    """

    SHUFFLE: ClassVar[ShuffleFields | None] = ShuffleFields(("hands", "top", "pile"))
    STARTS_ROUND: ClassVar[bool] = True

    round: int
    shuffle: int
    starter: int
    top: LamaCard
    hands: tuple[tuple[LamaCard, ...], ...]
    pile: tuple[LamaCard, ...]

    SEALED: ClassVar[Mapping[str, Audience]] = {"hands": Audience.EACH_SEAT, "pile": Audience.NOBODY}


class CardPlayed(GameEvent, frozen=True):
    """A seat played a card onto the discard pile.

    Attributes:
        seat: The seat.
        card: The card. Of several copies in the hand, the one held longest was played.
        next_seat: The seat that acts next; None if that was its last card, which ends the round.
    """

    CARDS: ClassVar[tuple[str, ...]] = ("card",)

    seat: int
    card: LamaCard
    next_seat: int | None = None


class CardDrawn(GameEvent, frozen=True):
    """A seat took the top card of the draw pile.

    Attributes:
        seat: The seat.
        card: The card; sealed for that seat alone.
        next_seat: The seat that acts next.
    """

    CARDS: ClassVar[tuple[str, ...]] = ("card",)

    seat: int
    card: LamaCard
    next_seat: int

    SEALED: ClassVar[Mapping[str, Audience]] = {"card": Audience.SEAT}


class RoundQuit(GameEvent, frozen=True):
    """A seat left the round and laid its cards face down.

    Attributes:
        seat: The seat.
        next_seat: The seat that acts next; None if it was the last one in the round, which ends it.
    """

    seat: int
    next_seat: int | None = None


class RoundEnded(GameEvent, frozen=True):
    """All cards held were shown, and everybody took their chips.

    Attributes:
        round: The round, from 1.
        hands: By seat, the cards still held, in hand or face down, in card-list order.
        points: By seat, what these cards cost.
        totals: By seat, the points held after that.
        winner: The seat that got rid of all its cards; None if everybody quit.
        return_asked: Whether the winner must now say which chip to return.
    """

    SCORES_ROUND: ClassVar[bool] = True

    round: int
    hands: tuple[tuple[LamaCard, ...], ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]
    winner: int | None = None
    return_asked: bool = False


class ChipReturned(GameEvent, frozen=True):
    """The winner of a round returned a chip.

    Attributes:
        seat: The winner.
        chip: The chip: 10 points or 1 point.
        total: The winner's points after that.
    """

    SETTLES_SCORE: ClassVar[bool] = True

    seat: int
    chip: Literal["black", "white"]
    total: int


class ChipKept(GameEvent, frozen=True):
    """The winner of a round had a chip to return and kept it.

    Attributes:
        seat: The winner.
    """

    seat: int


class GameEnded(GameEvent, frozen=True):
    """The rules ended the game.

    Attributes:
        reached: The seats at or above the limit; empty after a game of a single round.
    """

    reached: tuple[int, ...] = ()


LamaEvent = (
    FirstPlayerDrawn
    | RoundStarted
    | CardPlayed
    | CardDrawn
    | RoundQuit
    | RoundEnded
    | ChipReturned
    | ChipKept
    | GameEnded
)

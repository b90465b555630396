"""Tables of Skyjo from a few readable words, in the notation of the rules specification.

A board is its columns from left to right, each top to bottom, hidden cards in brackets: ``"9 9 -1 | (4) 4 4 |
gone"``. Columns that are not written hold hidden cards that match nothing.
"""

from collections import Counter
from typing import TypeVar

import msgspec
import pytest

from domain.chance import Chance
from domain.errors import Refused
from domain.games.skyjo.cards import CARDS, COLUMNS, GONE, ROWS
from domain.games.skyjo.events import SkyjoEvent
from domain.games.skyjo.game import Skyjo
from domain.games.skyjo.moves import Reveal, SkyjoMove
from domain.games.skyjo.options import Limit, SkyjoOptions
from domain.games.skyjo.state import SkyjoState
from domain.games.skyjo.view import Cell
from domain.viewers import SPECTATOR

GAME = Skyjo()
CHANCE = Chance("5eed" * 16)

Kind = TypeVar("Kind")

_UNWRITTEN = ("(1) (2) (3)", "(4) (5) (6)", "(7) (8) (9)", "(10) (11) (12)")


class Outcome(msgspec.Struct, frozen=True):
    """What a move led to."""

    events: tuple[SkyjoEvent, ...]
    state: SkyjoState

    def one(self, kind: type[Kind]) -> Kind:
        """Return the only event of a type."""
        (event,) = (event for event in self.events if isinstance(event, kind))
        return event

    @property
    def kinds(self) -> list[str]:
        """The types of the events, in their order."""
        return [type(event).__name__ for event in self.events]


def given(
    *boards: str,
    discard: str = "0",
    pile: str | None = None,
    drawn: int | None = None,
    turn: int | None = 0,
    starter: int | None = 0,
    closer: int | None = None,
    totals: tuple[int, ...] = (),
    limit: Limit = 100,
    idle_turns: int = 0,
    deals: int = 1,
) -> SkyjoState:
    """Lay out a table in the middle of a round.

    The draw pile, unless it is written, is the rest of the 150 cards in card-list order.
    """
    dealt = [int(word) for word in discard.split()]
    discards = tuple(range(len(dealt)))
    laid = [_lay(board, dealt) for board in boards]
    in_hand = None
    if drawn is not None:
        in_hand = len(dealt)
        dealt.append(drawn)
    next_card = len(dealt)
    dealt.extend(_rest(dealt) if pile is None else (int(word) for word in pile.split()))
    return SkyjoState(
        seats=len(boards),
        totals=totals or (0,) * len(boards),
        limit=limit,
        round=1,
        turn=turn,
        starter=starter,
        closer=closer,
        drawn=in_hand,
        idle_turns=idle_turns,
        next_card=next_card,
        deals=deals,
        deal_starts=(0,),
        dealt=tuple(dealt),
        boards=tuple(cards for cards, _ in laid),
        hidden=tuple(hidden for _, hidden in laid),
        discard=discards,
    )


def _lay(board: str, dealt: list[int]) -> tuple[tuple[int | None, ...], tuple[int, ...]]:
    """Return a board's cards and its hidden slots, and add the faces to the dealt ones."""
    cards: list[int | None] = []
    hidden: list[int] = []
    for word in _words(board):
        if word.startswith("("):
            hidden.append(len(cards))
        cards.append(None if word == GONE else len(dealt))
        if word != GONE:
            dealt.append(int(word.strip("()")))
    return tuple(cards), tuple(hidden)


def _words(board: str) -> list[str]:
    columns = [column.split() for column in board.split("|")] if board else []
    columns += [unwritten.split() for unwritten in _UNWRITTEN[len(columns) :]]
    return [word for column in columns for word in (column * ROWS if column == [GONE] else column)]


def _rest(used: list[int]) -> list[int]:
    left = Counter(CARDS)
    left.subtract(used)
    assert min(left.values()) >= 0, "more cards of one value than there are"
    return list(left.elements())


def rows(text: str) -> str:
    """Write a board that is given row by row, as in the manual, as columns."""
    lines = [line.split() for line in text.split("/")]
    return " | ".join(" ".join(line[column] for line in lines) for column in range(COLUMNS))


def new_round(seats: int, *, limit: Limit = 100, chance: Chance = CHANCE) -> SkyjoState:
    """Return a match whose first round was just dealt."""
    state = GAME.initial(SkyjoOptions(limit=limit), seats)
    for event in GAME.start(state, chance):
        state = GAME.evolve(state, event)
    return state


def when(state: SkyjoState, seat: int, move: SkyjoMove, chance: Chance = CHANCE) -> Outcome:
    """Make a move."""
    events = GAME.decide(state, seat, move, chance)
    for event in events:
        state = GAME.evolve(state, event)
    return Outcome(events, state)


def refused(state: SkyjoState, seat: int, move: SkyjoMove) -> Refused:
    """Make a move that the rules do not allow, and return why not."""
    with pytest.raises(Refused) as caught:
        GAME.decide(state, seat, move, CHANCE)
    return caught.value


def first_flips(state: SkyjoState, *seats: int) -> Outcome:
    """Turn the first two slots of some seats, or of all."""
    events: tuple[SkyjoEvent, ...] = ()
    for seat in seats or range(state.seats):
        outcome = when(state, seat, Reveal((0, 1)))
        events, state = events + outcome.events, outcome.state
    return Outcome(events, state)


def board(state: SkyjoState, seat: int) -> tuple[Cell, ...]:
    """Return a board as everybody sees it."""
    return GAME.view(state, SPECTATOR).boards[seat]


def discard_pile(state: SkyjoState) -> list[int]:
    """Return the faces of the discard pile, bottom to top."""
    return [state.dealt[card] for card in state.discard]

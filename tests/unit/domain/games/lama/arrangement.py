"""Positions of L.A.M.A. written with card names: ``given(hands="1L56 22", top="5", pile="34")``.

A card is one character, a hand is a word. The cards that are not named lie under the top of the discard pile, or
in the draw pile when that is not named.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import accumulate
from typing import Literal, cast

import pytest

from domain.chance import Chance
from domain.errors import Refused
from domain.games.lama.cards import CARDS, LamaCard
from domain.games.lama.events import LamaEvent
from domain.games.lama.game import Lama
from domain.games.lama.moves import Chip, Draw, LamaMove, Play, Quit, Return
from domain.games.lama.options import LamaOptions
from domain.games.lama.state import LamaState
from domain.games.lama.view import LamaView
from domain.viewers import SPECTATOR, Viewer

GAME = Lama()
CHANCE = Chance("5e" * 32)

A, B, C, D, E, F = range(6)
"""Seats, clockwise."""


def cards(names: str) -> tuple[LamaCard, ...]:
    return cast("tuple[LamaCard, ...]", tuple(names))


class Table:
    """A position and what came of the last move in it."""

    def __init__(self, state: LamaState, chance: Chance = CHANCE) -> None:
        self.state = state
        self.chance = chance
        self.events: tuple[LamaEvent, ...] = ()

    def move(self, seat: int, move: LamaMove) -> "Table":
        self.events = GAME.decide(self.state, seat, move, self.chance)
        self.state = fold(self.state, self.events)
        return self

    def play(self, seat: int, card: str, chip: Chip | None = None) -> "Table":
        return self.move(seat, Play(cast("LamaCard", card), chip))

    def draw(self, seat: int) -> "Table":
        return self.move(seat, Draw())

    def quit(self, seat: int) -> "Table":
        return self.move(seat, Quit())

    def give_back(self, seat: int, chip: Chip) -> "Table":
        return self.move(seat, Return(chip))

    def refusal(self, seat: int, move: LamaMove) -> Refused:
        with pytest.raises(Refused) as caught:
            GAME.decide(self.state, seat, move, self.chance)
        return caught.value

    @property
    def to_act(self) -> tuple[int, ...]:
        return GAME.to_act(self.state)

    def hand(self, seat: int) -> str:
        return "".join(self.state.hand(seat))

    def legal(self, seat: int) -> list[LamaMove]:
        legal = GAME.legal_moves(self.state, seat)
        return [] if legal is None else list(GAME.expand(legal))

    def playable(self, seat: int) -> str:
        legal = GAME.legal_moves(self.state, seat)
        return "" if legal is None else "".join(legal.play)

    def view(self, viewer: Viewer = SPECTATOR) -> LamaView:
        return GAME.view(self.state, viewer)

    def ended(self, kind: type[LamaEvent]) -> bool:
        return any(isinstance(event, kind) for event in self.events)


def given(
    hands: str,
    *,
    top: str,
    pile: str | None = None,
    turn: int = A,
    quit: Iterable[int] = (),  # noqa: A002 - the word of the game
    totals: Iterable[int] | None = None,
    limit: Literal[40, "single"] = 40,
    next_starter: Literal["last_played", "last_acted"] = "last_played",
    starter: int = A,
) -> Table:
    """Return a table in the middle of its first round."""
    held = [cards(hand) for hand in hands.split()]
    rest = Counter(CARDS)
    rest.subtract(Counter([*top, *(pile or ""), *(card for hand in held for card in hand)]))
    assert min(rest.values()) >= 0, "there are eight cards of each value"
    others = tuple(rest.elements())
    buried, draw_pile = ((), others) if pile is None else (others, cards(pile))
    starts = list(accumulate(map(len, held), initial=0))
    pile_start = starts[-1] + len(buried) + 1
    return Table(
        LamaState(
            options=LamaOptions(limit, next_starter),
            seats=len(held),
            totals=(0,) * len(held) if totals is None else tuple(totals),
            round=1,
            starter=starter,
            order=(*(card for hand in held for card in hand), *buried, *cards(top), *draw_pile),
            hands=tuple(
                tuple(range(start, start + len(hand))) for start, hand in zip(starts, held, strict=False)
            ),
            discard=tuple(range(starts[-1], pile_start)),
            pile_start=pile_start,
            quit=tuple(quit),
            turn=turn,
        )
    )


def started(seats: int, options: LamaOptions | None = None, chance: Chance = CHANCE) -> Table:
    """Return a table whose first round was just dealt."""
    table = Table(GAME.initial(options or LamaOptions(), seats), chance)
    table.events = GAME.start(table.state, chance)
    table.state = fold(table.state, table.events)
    return table


def fold(state: LamaState, events: Iterable[LamaEvent]) -> LamaState:
    for event in events:
        state = GAME.evolve(state, event)
    return state

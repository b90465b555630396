"""Skyjo under the cases of every game, with its own invariants."""

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

from msgspec.structs import replace

from domain.games.contract import GameState, Move
from domain.games.registry import GAMES
from domain.games.skyjo.cards import CARDS, GONE, ROWS, SLOTS
from domain.games.skyjo.events import CardFlipped, CardSwapped, DiscardTaken, PileReshuffled, RoundScored
from domain.games.skyjo.moves import Draw, Flip, Reveal, SkyjoMove, Swap, Take
from domain.games.skyjo.state import SkyjoState
from domain.games.skyjo.view import SkyjoView
from domain.viewers import SPECTATOR, seat_viewer
from tests.kit.game_cases import GameCases
from tests.kit.game_cases.matches import Player, Step
from tests.unit.domain.games.skyjo.arrange import given

SLOT_NUMBERS = range(-1, SLOTS + 1)
EVERY_MOVE: tuple[SkyjoMove, ...] = (
    Draw(),
    *(kind(slot) for kind in (Take, Swap, Flip) for slot in SLOT_NUMBERS),
    Reveal(()),
    *(Reveal((slot,)) for slot in SLOT_NUMBERS),
    Reveal((0, 1, 2)),
)
EVERY_PAIR = tuple(Reveal(slots) for slots in product(SLOT_NUMBERS, repeat=2))


class TestSkyjo(GameCases):
    game = GAMES["skyjo", 1]
    rulings = ("K", 34)
    bot_wins = ((2, 60, 54),)
    moves = 2_000

    def player(self, random: Random) -> Player:
        """Some make any move; others dawdle and hardly ever turn a card, so that piles run out and rounds stall."""
        dawdles = random.random() < 0.5

        def choose(state: GameState, seat: int, moves: Sequence[Move]) -> Move:
            assert isinstance(state, SkyjoState)
            visible = [move for move in moves if getattr(move, "slot", -1) not in state.hidden[seat]]
            return random.choice(visible if dawdles and visible and random.random() < 0.95 else moves)

        return choose

    def made_up(self, random: Random) -> SkyjoState:
        """Return a table that no match would bring."""
        cards = random.sample(CARDS, 2 * SLOTS + 3)
        mine, other = _board(random, cards[:SLOTS]), _board(random, cards[SLOTS : 2 * SLOTS])
        if "(" not in mine:
            return self.made_up(random)
        return given(
            mine,
            other,
            discard=f"{cards[-1]} {cards[-2]}",
            drawn=random.choice((None, cards[-3])),
            closer=random.choice((None, 1)),
        )

    def written(self, move: Move) -> Move:
        """The order of the slots of a reveal means nothing."""
        return replace(move, slots=tuple(sorted(move.slots))) if isinstance(move, Reveal) else move

    def moves_to_try(self, state: GameState, seat: int, _random: Random) -> Iterator[Move]:
        """Yield every move that can be written; pairs, where nobody may reveal, tell little more than single slots."""
        reveals = any(isinstance(move, Reveal) for move in self.legal(state, seat))
        yield from (*EVERY_MOVE, *(EVERY_PAIR if reveals else EVERY_PAIR[::17]))

    def check_step(self, step: Step) -> None:
        for before, event, state in zip((step.before, *step.states), step.events, step.states, strict=False):
            assert isinstance(before, SkyjoState)
            assert isinstance(state, SkyjoState)
            lying = [*state.discard, *state.pile, *(() if state.drawn is None else (state.drawn,))]
            lying += [card for board in state.boards for card in board if card is not None]
            assert len(lying) == len(set(lying)) == len(CARDS), "a card lies in two places"
            assert state.discard  # K29
            assert state.turn is None or state.hidden[state.turn]  # K8
            if isinstance(event, DiscardTaken | CardSwapped | CardFlipped):
                assert event.next_seat in {(event.seat + 1) % state.seats, None}
                assert state.turn == event.next_seat
            assert state.totals == (tuple(map(sum, zip(*state.sheet, strict=True))) or (0,) * state.seats)
            if isinstance(event, PileReshuffled):
                assert before.pile_size == 0
            if isinstance(event, RoundScored):
                reached = state.limit == "single" or max(state.totals) >= state.limit
                assert self.game.is_over(state) == event.over == reached
            for viewer in (SPECTATOR, seat_viewer(0), seat_viewer(1)):
                view = self.game.view(state, viewer)
                assert isinstance(view, SkyjoView)
                seen = sum(isinstance(cell, int) for cells in view.boards for cell in cells)
                seen += len(view.discard) + isinstance(view.drawn, int)
                assert len(self.game.knows(state, viewer)) == seen
                assert (view.faces, view.pile) == (None, None)


def _board(random: Random, cards: Sequence[int]) -> str:
    """Return any four columns, cards open or hidden."""
    cells = [random.choice(("{}", "({})")).format(card) for card in cards]
    columns = [" ".join(cells[first : first + ROWS]) for first in range(0, SLOTS, ROWS)]
    return " | ".join(random.choice((column, column, column, GONE)) for column in columns)

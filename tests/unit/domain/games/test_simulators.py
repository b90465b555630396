"""The tables on which bots play out what might happen do the same as the rules, move by move."""

from itertools import chain
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.chance import Chance
from domain.games.contract import AnyGame, Move
from domain.games.lama import moves as lama_moves
from domain.games.lama import simulator as lama
from domain.games.lama.cards import VALUES
from domain.games.lama.state import LamaState
from domain.games.odin import moves as odin_moves
from domain.games.odin import simulator as odin
from domain.games.odin.cards import value_of
from domain.games.odin.state import OdinState
from domain.games.registry import CURRENT
from domain.games.skyjo import habits
from domain.games.skyjo import moves as skyjo_moves
from domain.games.skyjo import simulator as skyjo
from domain.games.skyjo.cards import CARDS as SKYJO_CARDS
from domain.games.skyjo.state import SkyjoState
from domain.viewers import EVERYTHING, seat_viewer
from tests.unit.domain.games.lama import arrangement as lama_arrangement
from tests.unit.domain.games.skyjo import arrange as skyjo_arrange

quick = settings(max_examples=60, derandomize=True, deadline=None, database=None)
played = given(seed=st.integers(0, 2**32), seats=st.integers(2, 6))


class Followed:
    """A match of random moves, each of which a test makes on a table of its own, too."""

    def __init__(self, key: str, seats: int, seed: int) -> None:
        self.game: AnyGame = CURRENT[key]
        self.chance = Chance(f"{seed:032x}")
        self.random = Random(seed)
        self.state: Any = self.game.initial(self.game.options_type(), seats)
        self.points: tuple[int, ...] = ()
        self._happen(self.game.start(self.state, self.chance))

    def _happen(self, events: tuple[Any, ...]) -> None:
        self.points = ()
        for event in events:
            if type(event).SCORES_ROUND:
                self.points = event.points
            self.state = self.game.evolve(self.state, event)

    def legal(self) -> list[Move]:
        (seat, *_) = self.game.to_act(self.state)
        legal = self.game.legal_moves(self.state, seat)
        assert legal is not None
        return list(self.game.expand(legal))

    def make(self, move: Move) -> None:
        self._happen(self.game.decide(self.state, self.game.to_act(self.state)[0], move, self.chance))

    @property
    def is_on(self) -> bool:
        return not self.game.is_over(self.state)


def _lama_number(move: Move) -> int:
    if isinstance(move, lama_moves.Play):
        return VALUES.index(move.card)
    return lama.DRAW if isinstance(move, lama_moves.Draw) else lama.QUIT


def _lama_shape(table: lama.LamaTable) -> object:
    return table.hands, table.sizes, table.top, table.pile, table.active, table.left, table.turn


@quick
@played
def test_lama(seed: int, seats: int) -> None:
    match = Followed("lama", seats, seed)
    table = lama.table_of(cast("LamaState", match.state))
    for _ in range(60):
        if not match.is_on:
            return
        if match.state.returning is not None:
            match.make(match.legal()[0])
            table = lama.table_of(match.state)
            continue
        # A chip is returned after the round, which is all that a table knows of.
        moves = [move for move in match.legal() if getattr(move, "chip", None) is None]
        assert [_lama_number(move) for move in moves] == table.moves()
        move = match.random.choice(moves)
        match.make(move)
        table.make(_lama_number(move))
        if match.points:
            assert table.turn == -1
            assert tuple(table.points()) == match.points
            table = lama.table_of(match.state)
        else:
            assert _lama_shape(table.copy()) == _lama_shape(lama.table_of(match.state))


def _odin_move(move: Move) -> tuple[int, int, int]:
    if isinstance(move, odin_moves.Play):
        return odin.bits_of(move.cards), odin.bits_of((move.take,) if move.take else ()), value_of(move.cards)
    return 0, 0, 0


def _odin_shape(table: odin.OdinTable) -> object:
    return (
        table.hands,
        table.centre,
        table.count,
        table.worth,
        table.owner,
        table.passes,
        table.turn,
    )


@quick
@played
def test_odin(seed: int, seats: int) -> None:
    match = Followed("odin", seats, seed)
    table = odin.table_of(cast("OdinState", match.state))
    for _ in range(60):
        if not match.is_on:
            return
        moves = match.legal()
        assert sorted(map(_odin_move, moves)) == sorted(table.moves())
        # Passes all the time would teach little.
        move = match.random.choice(moves if match.random.random() < 0.2 else moves[: max(1, len(moves) - 1)])
        match.make(move)
        table.make(_odin_move(move))
        if match.points:
            assert table.turn == -1
            assert tuple(table.points()) == match.points
            table = odin.table_of(match.state)
        else:
            assert _odin_shape(table.copy()) == _odin_shape(odin.table_of(match.state))


def _skyjo_number(move: Move) -> int:
    if isinstance(move, skyjo_moves.Take):
        return skyjo.TAKE + move.slot
    if isinstance(move, skyjo_moves.Swap):
        return skyjo.SWAP + move.slot
    return skyjo.FLIP + move.slot if isinstance(move, skyjo_moves.Flip) else skyjo.DRAW


def _skyjo_shape(table: skyjo.SkyjoTable) -> object:
    return (
        table.faces,
        table.hidden,
        table.looks,
        table.pile,
        table.discard,
        table.drawn,
        table.turn,
        table.closer,
        table.idle,
    )


@quick
@played
def test_skyjo(seed: int, seats: int) -> None:
    match = Followed("skyjo", seats, seed)
    table, random = None, Random(seed)
    for _ in range(220):
        if not match.is_on:
            return
        moves = match.legal()
        if isinstance(moves[0], skyjo_moves.Reveal):
            match.make(moves[-1])
            table = None
            continue
        table = table or skyjo.table_of(cast("SkyjoState", match.state), random)
        assert sorted(map(_skyjo_number, moves)) == sorted(table.moves())
        move = match.random.choice(moves)
        is_shuffled = isinstance(move, skyjo_moves.Draw) and not table.pile
        match.make(move)
        table.make(_skyjo_number(move))
        if match.points:
            assert table.turn == -1
            assert tuple(table.points()) == match.points
            table = None
        elif is_shuffled:
            # Another shuffle of the same cards.
            real = skyjo.table_of(match.state, random)
            assert sorted([*table.pile, table.drawn]) == sorted([*real.pile, real.drawn])
            assert table.discard == real.discard
            table = real
        else:
            assert _skyjo_shape(table.copy()) == _skyjo_shape(skyjo.table_of(match.state, random))


@quick
@given(seed=st.integers(0, 2**32), seats=st.integers(2, 4))
def test_habits_play_a_round_of_skyjo_to_its_end(seed: int, seats: int) -> None:
    match = Followed("skyjo", seats, seed)
    while isinstance((moves := match.legal())[0], skyjo_moves.Reveal):
        match.make(moves[-1])
    table = skyjo.table_of(match.state, Random(seed))
    turns = 0
    while table.turn >= 0:
        habits.take_turn(table)
        turns += 1
        assert turns < 100 * seats
    assert table.idle < skyjo.LAPS_TO_STALL * seats


def test_habits_of_skyjo_close_a_round_only_as_early_as_that_is_worth_something() -> None:
    state = skyjo_arrange.given("3 4 2 | 5 1 3 | gone | 2 4 (1)", "9 9 8 | (1) (2) (3)", drawn=4)
    for gain, closes in ((habits.CLOSING_GAIN, True), (-20.0, False)):
        table = skyjo.table_of(state, Random(0))
        habits.take_turn(table, gain)
        assert (table.closer == 0) is closes


def test_in_courses_of_skyjo_who_takes_the_top_leaves_the_others_draws_as_they_were() -> None:
    """A taken card does not move the pile up, so that luck is alike after all moves."""
    taken = skyjo.SkyjoTable([[1] * 12] * 2, [0, 0], [8, 7, 6, 5], [3], 0, Random(1))
    drawn = taken.copy()

    taken.pass_over()
    drawn.draw()

    assert taken.pile == [5, 8, 7, 6]
    assert taken.pile[1:] == drawn.pile


def _agrees_in_lama(dealt: lama.LamaTable, real: lama.LamaTable, seat: int, _view: Any) -> bool:
    return (
        dealt.sizes == real.sizes
        and len(dealt.pile) == len(real.pile)
        and dealt.hands[seat] == real.hands[seat]
        and dealt.active == real.active
    )


def _agrees_in_odin(dealt: odin.OdinTable, real: odin.OdinTable, seat: int, view: Any) -> bool:
    picked_up = [odin.bits_of(cards) for cards in view.taken]
    return (
        dealt.points() == real.points()
        and dealt.hands[seat] == real.hands[seat]
        and all(hand & known == known for hand, known in zip(dealt.hands, picked_up, strict=True))
    )


def _agrees_in_skyjo(dealt: skyjo.SkyjoTable, real: skyjo.SkyjoTable, _seat: int, view: Any) -> bool:
    seen = [
        (dealt.faces[seat][slot], cell)
        for seat, board in enumerate(view.boards)
        for slot, cell in enumerate(board)
        if isinstance(cell, int)
    ]
    return (
        all(face == cell for face, cell in seen)
        and (dealt.hidden, dealt.discard, dealt.drawn) == (real.hidden, real.discard, real.drawn)
        and _all_cards(dealt) == _all_cards(real)
    )


def _all_cards(table: skyjo.SkyjoTable) -> list[int]:
    return sorted(chain(table.pile, *table.faces))


AGREES: dict[str, tuple[Any, Any, Any]] = {
    "lama": (lama.Unknown, lama.table_of, _agrees_in_lama),
    "odin": (odin.Unknown, odin.table_of, _agrees_in_odin),
    "skyjo": (skyjo.Unknown, lambda state: skyjo.table_of(state, Random(0)), _agrees_in_skyjo),
}


@pytest.mark.parametrize("key", AGREES)
@quick
@played
def test_a_possible_table_shows_its_seat_what_it_sees(key: str, seed: int, seats: int) -> None:
    """What is dealt agrees with the view in all that lies open, and in every number."""
    unknown, table_of, agrees = AGREES[key]
    match = Followed(key, seats, seed)
    for _ in range(match.random.randrange(40)):
        if match.is_on:
            match.make(match.random.choice(match.legal()))
    if not match.is_on or isinstance(match.legal()[0], skyjo_moves.Reveal | lama_moves.Return):
        return
    (seat, *_) = match.game.to_act(match.state)
    view = match.game.view(match.state, seat_viewer(seat))

    dealt, real = unknown(view, seat).deal(Random(seed)), table_of(match.state)

    assert dealt.turn == real.turn
    assert agrees(dealt, real, seat, view)


def test_a_bot_of_skyjo_that_draws_from_an_empty_pile_shuffles_all_discarded_cards_but_the_top() -> None:
    table = skyjo.SkyjoTable([[1] * 12] * 2, [0, 0], [], [3, 5, 7], 0, Random(1))

    table.draw()

    assert table.discard == [7]
    assert sorted([*table.pile, table.drawn]) == [3, 5]


def test_a_possible_table_of_skyjo_has_cards_in_all_places_though_a_view_counts_too_many() -> None:
    """All cards of the deck lie discarded, and yet some are hidden."""
    state = skyjo_arrange.given("(1) (2) (3)", "(1) (2) (3)")
    view = replace(skyjo_arrange.GAME.view(state, seat_viewer(0)), discard=SKYJO_CARDS, pile_size=0)
    unknown = skyjo.Unknown(view, 0)

    assert unknown.tables(200, Random(0)) == []
    assert all(face in SKYJO_CARDS for face in chain(*unknown.deal(Random(0)).faces))


def test_hands_that_are_shown_are_dealt_as_they_are() -> None:
    state = lama_arrangement.given("12 34L", top="5", pile="66").state
    everything = lama_arrangement.GAME.view(state, EVERYTHING)

    dealt = lama.Unknown(everything, 0).deal(Random(0))

    assert dealt.hands == lama.table_of(state).hands

"""The legal moves and what ``decide`` accepts are the same, in both directions."""

from collections.abc import Iterator
from itertools import product
from time import perf_counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.errors import Refused
from domain.games.skyjo.cards import SLOTS
from domain.games.skyjo.legal import SkyjoLegal
from domain.games.skyjo.moves import Draw, Flip, Reveal, SkyjoMove, Swap, Take
from domain.games.skyjo.state import SkyjoState
from tests.unit.domain.games.skyjo import arrange
from tests.unit.domain.games.skyjo.arrange import CHANCE, GAME, new_round
from tests.unit.domain.games.skyjo.playing import Step, matches

SLOT_NUMBERS = range(-1, SLOTS + 1)
EVERY_MOVE: tuple[SkyjoMove, ...] = (
    Draw(),
    *(kind(slot) for kind in (Take, Swap, Flip) for slot in SLOT_NUMBERS),
    Reveal(()),
    *(Reveal((slot,)) for slot in SLOT_NUMBERS),
    Reveal((0, 1, 2)),
)
EVERY_PAIR = tuple(Reveal(slots) for slots in product(SLOT_NUMBERS, repeat=2))


def agree(state: SkyjoState) -> None:
    """Check every move that can be written down, by every seat."""
    for seat in range(state.seats):
        legal = GAME.legal_moves(state, seat)
        allowed = [] if legal is None else list(GAME.expand(legal))
        assert len(allowed) == len(set(allowed))
        # Pairs are worth trying where somebody may reveal: elsewhere single slots tell as much.
        pairs = EVERY_PAIR if legal is not None and legal.reveal else EVERY_PAIR[::17]
        for move in (*EVERY_MOVE, *pairs):
            # The order of the slots of a reveal means nothing, so one order stands for both.
            written = Reveal(tuple(sorted(move.slots))) if isinstance(move, Reveal) else move
            assert accepts(state, seat, move) == (written in allowed), (seat, move)


def accepts(state: SkyjoState, seat: int, move: SkyjoMove) -> bool:
    try:
        return bool(GAME.decide(state, seat, move, CHANCE))
    except Refused:
        return False


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(matches(), st.integers(20, 60))
def test_they_agree_in_matches(steps: Iterator[Step], every: int) -> None:
    for number, step in enumerate(steps):
        if step.asks and number % every == 0:
            agree(step.after)


CELLS = st.integers(-2, 12).flatmap(lambda face: st.sampled_from((str(face), f"({face})")))
COLUMNS = st.one_of(st.just("gone"), st.tuples(CELLS, CELLS, CELLS).map(" ".join))
BOARDS = st.tuples(COLUMNS, COLUMNS, COLUMNS, COLUMNS).map(" | ".join)


@settings(max_examples=40, deadline=None)
@given(BOARDS.filter(lambda board: "(" in board), BOARDS, st.sampled_from((None, -2, 12)), st.booleans())
def test_they_agree_on_tables_that_no_match_would_bring(
    board: str, other: str, drawn: int | None, closed: bool
) -> None:
    state = arrange.given(
        board, other, discard="3 4", pile="0 1 2", drawn=drawn, closer=1 if closed else None
    )

    agree(state)


def test_a_fresh_deal_offers_single_slots_and_pairs() -> None:
    legal = GAME.legal_moves(new_round(2), 0)

    assert legal == SkyjoLegal(reveal=tuple(range(12)), reveal_up_to=2)
    moves = list(GAME.expand(legal))
    assert len(moves) == 12 + 66
    agree(new_round(2))


def test_a_turn_offers_a_slot_for_the_discard_or_a_draw() -> None:
    state = arrange.given("9 (8) 7 | gone | (1) 2 (3) | 1 2 3", "1 2 3")

    assert GAME.legal_moves(state, 0) == SkyjoLegal(take=(0, 1, 2, 6, 7, 8, 9, 10, 11), draw=True)


def test_a_drawn_card_is_swapped_or_discarded_for_a_flip() -> None:
    state = arrange.given("9 (8) 7 | gone | (1) 2 (3) | 1 2 3", "1 2 3", drawn=5)

    assert GAME.legal_moves(state, 0) == SkyjoLegal(swap=(0, 1, 2, 6, 7, 8, 9, 10, 11), flip=(1, 6, 8))


def test_nothing_is_offered_to_who_is_not_asked() -> None:
    state = arrange.given("9 (8) 7", "1 2 3")

    assert GAME.legal_moves(state, 1) is None


@pytest.mark.parametrize("order", [(3, 8), (8, 3)])
def test_the_order_of_the_slots_of_a_reveal_means_nothing(order: tuple[int, ...]) -> None:
    state = new_round(2)

    assert GAME.decide(state, 0, Reveal(order), CHANCE) == GAME.decide(state, 0, Reveal((3, 8)), CHANCE)


def test_they_are_listed_in_well_under_a_millisecond() -> None:
    state = new_round(8)
    best = 1.0
    for _ in range(20):
        begin = perf_counter()
        legal = GAME.legal_moves(state, 0)
        assert legal is not None
        assert len(list(GAME.expand(legal))) == 78
        best = min(best, perf_counter() - begin)

    assert best < 0.001

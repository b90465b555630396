"""Legal moves in the form in which they are sent, and how long it takes to find them."""

from time import perf_counter

import pytest

from domain.games.skyjo.legal import SkyjoLegal
from domain.games.skyjo.moves import Reveal
from tests.unit.domain.games.skyjo import arrange
from tests.unit.domain.games.skyjo.arrange import CHANCE, GAME, new_round


def test_a_fresh_deal_offers_single_slots_and_pairs() -> None:
    legal = GAME.legal_moves(new_round(2), 0)

    assert legal == SkyjoLegal(reveal=tuple(range(12)), reveal_up_to=2)
    moves = list(GAME.expand(legal))
    assert len(moves) == 12 + 66


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

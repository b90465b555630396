"""The bot is sensible. And the move for a clock that ran out."""

import random
from itertools import combinations

import pytest

from domain.chance import Chance
from domain.games.odin.bot import burden, fewest_groups
from domain.games.odin.cards import CARDS, is_uniform
from domain.games.odin.state import OdinState
from domain.viewers import seat_viewer
from tests.unit.domain.games.odin import arrange
from tests.unit.domain.games.odin.arrange import GAME, PASS, play

BOTS_CHANCE = Chance("b0" * 32)


def chosen(state: OdinState, seat: int) -> object:
    legal = GAME.legal_moves(state, seat)
    assert legal is not None
    move = GAME.choose(GAME.view(state, seat_viewer(seat)), legal, seat, BOTS_CHANCE)
    assert move in GAME.expand(legal)
    return move


def test_the_bot_goes_out_when_it_can():
    assert chosen(arrange.given("R1 R2 R3", "Y1"), 0) == play("R3 R2 R1")
    assert chosen(arrange.given("B5 G5", "V1", centre="R4"), 0) == play("G5 B5")


def test_the_bot_passes_rather_than_break_a_good_hand():
    assert chosen(arrange.given("R8 R9 B2", "V1 V2", centre="G2"), 0) == play("R9 R8", "G2")
    assert chosen(arrange.given("R7 R8 R9", "V1 V2", centre="G2"), 0) == PASS


@pytest.mark.parametrize("seed", range(40))
def test_the_fewest_groups_are_counted_exactly(seed: int):
    cards = random.Random(seed).sample(CARDS, 1 + seed % 9)
    lines = {card[0] for card in cards} | {card[1] for card in cards}

    fewest = next(
        count
        for count in range(1, 10)
        if any(
            all(set(card) & set(chosen) for card in cards) for chosen in combinations(sorted(lines), count)
        )
    )

    assert fewest_groups(cards) == fewest
    assert (fewest == 1) is is_uniform(cards)


def test_fewer_cards_fewer_groups_and_higher_cards_burden_less():
    assert burden(["R5", "B7"]) > burden(["R5"])
    assert burden(["R5", "B7"]) > burden(["R5", "R7"])
    assert burden(["R5", "R7"]) > burden(["R8", "R9"])


def test_the_fallback_is_a_pass_or_the_lowest_card():
    assert GAME.fallback(arrange.given("R9 B2", "V1", centre="R4"), 0) == PASS
    assert GAME.fallback(arrange.given("R9 V2 B2", "V1"), 0) == play("B2")

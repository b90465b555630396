"""Counts of move sequences from small deals, against a second reading of the rules and against fixed numbers."""

import pytest

from domain.games.registry import GAMES
from tests.kit.game_cases.matches import sequences
from tests.unit.domain.games.odin.arrange import GAME, given, moves_of, when
from tests.unit.domain.games.odin.model import Table, count_sequences

ODIN = GAMES["odin", 1]

DEALS = {
    "leading, two seats": ("R1 R5 B5", "R9 G9 B2"),
    "leading, three seats": ("R1 R5 B5 V2", "R9 G9 B2", "R7 G3 V9 V8"),
    "pairs meet triples": ("R4 G4 B4 R7", "R8 G8 B8 V1", "O4 O5 O6 O9"),
    "one colour against one value": ("Y1 Y2 Y3 Y4 Y5", "R6 B6 G6 V6 O6"),
    "four seats": ("R1 R2", "B3 B4", "G3 V3", "O9 Y9"),
}

COUNTS = {
    "leading, two seats": (3, 13, 25, 64),
    "leading, three seats": (4, 17, 48, 92),
    "pairs meet triples": (4, 28, 314, 488),
    "one colour against one value": (6, 80, 650, 5395),
    "four seats": (3, 8, 16, 40),
}


@pytest.mark.parametrize("deal", DEALS)
def test_number_of_sequences_of_one_to_four_moves(deal: str):
    state = given(*DEALS[deal], limit="single")
    table = Table([set(hand.split()) for hand in DEALS[deal]], 0, set(), 0, 0)

    counted = tuple(sequences(ODIN, state, length) for length in range(1, 5))

    assert counted == tuple(count_sequences(table, length) for length in range(1, 5))
    assert counted == COUNTS[deal]


def test_a_round_that_ends_takes_no_further_move():
    state = given("R1", "B1", limit="single")

    assert [sequences(ODIN, state, length) for length in (1, 2)] == [1, 0]
    assert GAME.to_act(when(state, *moves_of(state)).state) == ()

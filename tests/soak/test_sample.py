"""A few of the matches that ``python -m tests.soak`` plays by the thousand."""

import pytest

from tests.kit.games import EVERY_GAME, every_game, name_of
from tests.kit.options import player_counts
from tests.soak.__main__ import HEADINGS, row
from tests.soak.matches import soak

MATCHES = 42
BATCHES = 6


@pytest.mark.parametrize("batch", range(BATCHES))
@every_game
def test_random_matches_end_and_keep_everything_that_must_hold(game, batch):
    soaked = [soak(game, 1, number) for number in range(batch, MATCHES, BATCHES)]
    assert {match.phase for match in soaked} <= {"finished", "abandoned"}


def test_all_numbers_of_players_are_among_them():
    for game in EVERY_GAME:
        assert len(player_counts(game)) < MATCHES


def test_a_match_can_be_played_again_by_its_number():
    game = EVERY_GAME[0]
    one, again = soak(game, 1, 7), soak(game, 1, 7)
    assert (one.events, one.moves, one.stored) == (again.events, again.moves, again.stored)


def test_the_table_has_a_line_for_each_game():
    game = EVERY_GAME[-1]
    line = row(name_of(game), [soak(game, 1, 0), soak(game, 1, 1)])
    assert line.split()[:2] == [name_of(game), "2"]
    assert len(HEADINGS) == 8

"""Which move or command a piece of a log tells of."""

import pytest

from domain.games.lama.moves import Chip, Return
from domain.match.command_recovery import recover_command
from domain.match.events import MatchStarted
from domain.match.state import EMPTY
from tests.kit.games import every_game
from tests.kit.table import started
from tests.unit.domain.games.lama.arrangement import GAME as LAMA
from tests.unit.domain.games.lama.arrangement import A, given


@pytest.mark.parametrize("chip", ["white", "black", "none"])
def test_a_chip_that_was_returned_or_kept(chip: Chip):
    table = given("4 6", top="4", totals=(12, 0)).play(A, "4").give_back(A, chip)
    assert LAMA.recover_move(table.events) == (A, Return(chip))


@every_game
def test_a_games_event_before_its_match_was_created_tells_of_no_command(game):
    (dealt, *_) = (event for event in started(game, 2).happened if not isinstance(event, MatchStarted))
    assert recover_command(EMPTY, (dealt,)) is None

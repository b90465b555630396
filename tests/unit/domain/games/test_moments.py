"""Moments of any game: which is the record, and games of which nobody asks anything."""

import pytest

from domain.chance import Chance
from domain.games.contract import Plan
from domain.games.moments import Moment, best
from domain.games.registry import CURRENT
from domain.match.levels import allowance_of
from domain.viewers import seat_viewer
from tests.kit.table import started

FEW, MANY, MANY_TOO = Moment("q", 1, 0, 2), Moment("q", 2, 1, 9), Moment("q", 3, 0, 9)


@pytest.mark.parametrize(
    ("record", "found"), [("most", [MANY, MANY_TOO]), ("fewest", [FEW]), ("", [FEW, MANY, MANY_TOO])]
)
def test_a_record_is_shared_by_all_who_hold_it(record, found):
    assert best(iter([FEW, MANY, MANY_TOO]), record) == found
    assert best([], record) == []


def test_a_game_need_not_answer_questions_keep_plans_or_say_what_moves_are_worth():
    game, table = CURRENT["alone"], started("alone", 2)
    view, legal = game.view(table.present, seat_viewer(0)), game.legal_moves(table.present, 0)
    assert legal is not None
    assert game.questions == ()
    assert list(game.moments([])) == []
    plan = Plan()
    assert game.plan_made(plan, view) is plan
    assert game.plan_lasts(plan, view)
    assert game.planned(plan, view, legal, 0) is None
    assert game.consider(view, legal, 0, Chance("5e" * 32), allowance_of("expert")) == ()


def test_which_events_still_change_a_total_after_a_round_was_scored():
    assert {key: CURRENT[key].score_settlings() for key in ("lama", "odin", "skyjo")} == {
        "lama": {"ChipReturned"},
        "odin": frozenset(),
        "skyjo": frozenset(),
    }

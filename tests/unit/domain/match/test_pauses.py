"""All clocks rest while everybody agrees to it, and run again when that is over."""

import pytest

from domain.match.clock_events import ClockRested, ClockResumed
from domain.match.commands import AnswerRequest, AskToPause, AskToResume
from domain.match.decide_requests import LONGEST_PAUSE, SHORTEST_PAUSE
from domain.match.due import deadlines_of
from domain.match.events import RequestAnswered, RequestLapsed
from domain.match.verification import verify
from tests.kit.instants import NOON, at
from tests.kit.table import Table, started

HOUR = 3600


def paused(seconds: int = HOUR) -> Table:
    """Return a table of two at which seat 0 has asked for a pause, and seat 1 has agreed."""
    table = started("odin", 2, per_turn=60).when(AskToPause(0, seconds, "p1"))
    return table.when(AnswerRequest(1, "p1", agree=True))


def is_good(table: Table) -> bool:
    verdict = verify("m1", table.entries, complete=True, rules=True)
    assert verdict.good, verdict
    return True


class TestPausing:
    def test_all_must_agree(self):
        table = paused()
        table.then(
            RequestAnswered("p1", 1, agree=True),
            RequestLapsed("p1", "agreed"),
            ClockRested(NOON, at(HOUR), "pause", 0),
        )
        assert deadlines_of(table.state) == {table.to_act[0]: at(HOUR + 60)}
        assert is_good(table)

    def test_among_bots_nobody_has_to(self):
        table = started("odin", 2, bots=1, per_turn=60).when(AskToPause(0, HOUR, "p1"))
        table.then(ClockRested(NOON, at(HOUR), "pause", 0))
        assert is_good(table)

    @pytest.mark.parametrize("seconds", [SHORTEST_PAUSE - 1, LONGEST_PAUSE + 1])
    def test_no_shorter_and_no_longer_than_may_be(self, seconds):
        table = started("odin", 2, per_turn=60).when(AskToPause(0, seconds, "p1"))
        table.refused("pause.out_of_range", seconds=seconds, shortest=SHORTEST_PAUSE, longest=LONGEST_PAUSE)

    @pytest.mark.parametrize("seconds", [SHORTEST_PAUSE, LONGEST_PAUSE])
    def test_as_short_and_as_long(self, seconds):
        assert deadlines_of(paused(seconds).state) == {paused().to_act[0]: at(seconds + 60)}

    def test_one_at_a_time(self):
        paused().when(AskToPause(1, HOUR, "p2")).refused("pause.already")
        table = started("odin", 2, per_turn=60).when(AskToPause(0, HOUR, "p1"))
        table.when(AskToPause(1, HOUR, "p2")).refused("request.already_made")

    def test_where_there_is_no_clock_there_is_nothing_to_pause(self):
        table = started("odin", 2).when(AskToPause(0, HOUR, "p1")).refused("clock.none")
        table.when(AskToResume(0, "p1")).refused("clock.none")


class TestResuming:
    def test_all_must_agree(self):
        table = paused()
        table.now = at(100)
        table.when(AskToResume(1, "r1")).when(AnswerRequest(0, "r1", agree=True))
        table.then(
            RequestAnswered("r1", 0, agree=True), RequestLapsed("r1", "agreed"), ClockResumed(at(100), 1)
        )
        assert deadlines_of(table.state) == {table.to_act[0]: at(160)}
        assert is_good(table)

    def test_among_bots_nobody_has_to(self):
        table = started("odin", 2, bots=1, per_turn=60).when(AskToPause(0, HOUR, "p1"))
        table.now = at(100)
        table.when(AskToResume(0, "r1")).then(ClockResumed(at(100), 0))
        assert is_good(table)

    def test_only_from_a_pause(self):
        started("odin", 2, per_turn=60).when(AskToResume(0, "r1")).refused("pause.none")
        table = paused()
        table.now = at(HOUR)
        table.when(AskToResume(0, "r1")).refused("pause.none")

    def test_pauses_that_are_over_stay_as_long_as_they_were(self):
        table = paused(100)
        table.now = at(120)
        table.when(AskToPause(0, 100, "p2")).when(AnswerRequest(1, "p2", agree=True))
        table.now = at(150)
        table.when(AskToResume(0, "r1")).when(AnswerRequest(1, "r1", agree=True))
        # 100 seconds of the first pause, and 30 of the second.
        assert deadlines_of(table.state) == {table.to_act[0]: at(60 + 100 + 30)}

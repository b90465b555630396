"""Where time comes from besides that of a turn: the bank, others who give some, and what an outage took."""

import pytest

from domain.match.clock import ClockTerms
from domain.match.clock_events import ClockRested, TimeGiven
from domain.match.commands import CreditOutage, GiveTime, ResignSeat, UndoMove
from domain.match.due import deadlines_of
from domain.match.verification import verify
from tests.kit.instants import at
from tests.kit.table import Table, started
from tests.unit.domain.match.test_absence import table_of


def with_bank(bank: int = 30) -> tuple[Table, int]:
    """Return a table of two with ten seconds a turn, and who is to move."""
    table = table_of(ClockTerms(10, bank), seats=2, undo="free")
    return table, table.to_act[0]


def deadline(table: Table) -> str:
    return deadlines_of(table.state)[table.to_act[0]]


class TestTheBank:
    def test_runs_when_the_time_of_a_turn_is_used_up(self):
        table, _ = with_bank()
        assert deadline(table) == at(40)

    def test_is_there_for_the_whole_match(self):
        table, seat = with_bank()
        table.now = at(25)
        table.move(seat)
        assert deadline(table) == at(65)
        table.move(1 - seat)
        # 15 of its 30 seconds are gone; a turn's own ten come anew.
        assert table.to_act == (seat,)
        assert deadline(table) == at(50)

    def test_loses_nothing_by_a_turn_that_had_time_left(self):
        table, seat = with_bank()
        table.now = at(9)
        table.move(seat).move(1 - seat)
        assert deadline(table) == at(49)

    def test_is_not_filled_up_by_taking_back(self):
        table, seat = with_bank()
        table.now = at(15)
        table.move(seat)
        table.now = at(20)
        table.when(UndoMove(seat, "u"))
        # Five seconds of the bank are gone, and those of the turn.
        assert deadline(table) == at(45)

    def test_is_spared_by_what_others_give(self):
        table, seat = with_bank()
        table.when(GiveTime(1 - seat, seat, 5))
        table.now = at(20)
        table.move(seat).move(1 - seat)
        assert deadline(table) == at(20 + 10 + 25)


class TestGiving:
    def test_no_more_than_a_turn_has(self):
        table = started("odin", 2, per_turn=60)
        (seat,) = table.to_act
        other = 1 - seat
        table.when(GiveTime(other, seat, 61)).refused("time.given_enough", seconds=61, most=60)
        table.when(GiveTime(other, seat, 0)).refused("time.given_enough", seconds=0, most=60)
        table.when(GiveTime(other, seat, 40)).then(TimeGiven(other, seat, 40))
        table.when(GiveTime(other, seat, 21)).refused("time.given_enough", seconds=21, most=20)
        assert deadlines_of(table.state) == {seat: at(100)}

    def test_to_whom_nobody_waits_for_or_to_oneself(self):
        table = started("odin", 2, per_turn=60)
        (seat,) = table.to_act
        table.when(GiveTime(seat, 1 - seat, 5)).refused("time.none_runs", seat=1 - seat)
        table.when(GiveTime(seat, seat, 5)).refused("time.own", seat=seat)
        assert table.state.clock.left(seat, at(20)) == 40_000
        assert table.state.clock.left(1 - seat, at(20)) is None

    def test_is_for_people_who_play(self):
        table = started("odin", 3, bots=1, per_turn=60)
        table.when(GiveTime(2, 0, 5)).refused("seat.empty", seat=2)
        table.when(ResignSeat(1)).when(GiveTime(1, 0, 5)).refused("seat.resigned", seat=1)


@pytest.mark.parametrize(("begins", "ends"), [(10, 10), (20, 10), (10, 101)])
def test_only_an_outage_that_is_over_is_given_back(begins, ends):
    table = started("odin", 2, per_turn=60)
    table.now = at(100)
    table.when(CreditOutage(at(begins), at(ends))).refused(
        "outage.not_over", begins=at(begins), ends=at(ends)
    )
    table.when(CreditOutage(at(10), at(100))).then(ClockRested(at(10), at(100), "outage"))
    assert deadline(table) == at(150)
    (seat,) = table.to_act
    assert table.state.clock.left(seat, at(120)) == 30_000
    assert verify("m1", table.entries, complete=True, rules=True).good

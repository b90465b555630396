"""Clocks rest in the nights and holidays that people have chosen: as far as these are known, and no further back."""

import pytest

from domain.instants import milliseconds_of
from domain.match.clock import ClockTerms, Rest
from domain.match.clock_events import RestsPlanned
from domain.match.commands import BeReady, CreateMatch, PlanRests, SeatPlan, StartMatch, TakeSeat
from domain.match.due import deadlines_of, due_of, needs_rests
from tests.kit.instants import at
from tests.kit.table import SEED, Table, started

HOUR = 3600
DAY = 24 * HOUR


def resting() -> Table:
    """Return a table of three whose turns have a day, and whose clocks rest when their people do."""
    table = Table().when(
        CreateMatch("odin", {}, (SeatPlan(),) * 3, "host", SEED, ClockTerms(DAY, rests=True), "free")
    )
    for seat in range(3):
        table.when(TakeSeat(f"player-{seat}", seat)).when(BeReady(seat))
    table.when(StartMatch())
    assert table.refusal is None
    return table


def night(begins: int, ends: int, *seats: int) -> Rest:
    return Rest(at(begins), at(ends), "night", seats)


def planned(table: Table, *rests: Rest, seats: tuple[int, ...] = (0, 1, 2), until: int = 30 * DAY) -> Table:
    table.when(PlanRests(seats, at(until), rests))
    assert table.refusal is None, table.refusal
    return table


def deadline(table: Table) -> str:
    return deadlines_of(table.state)[table.to_act[0]]


def test_a_table_is_due_at_once_until_it_is_known_when_its_clocks_rest():
    table = resting()
    table.now = at(5)
    assert needs_rests(table.state)
    assert due_of(table.position) == milliseconds_of(table.position.at)
    planned(table, night(HOUR, 9 * HOUR, 0, 1, 2))
    assert not needs_rests(table.state)
    assert due_of(table.position) == milliseconds_of(at(DAY + 8 * HOUR))


def test_a_night_after_the_end_of_a_turn_lets_it_last_no_longer():
    assert deadline(planned(resting(), night(DAY, DAY + 8 * HOUR, 0, 1, 2))) == at(DAY)
    assert deadline(planned(resting(), night(DAY - 1, DAY + 8 * HOUR, 0, 1, 2))) == at(DAY + 8 * HOUR + 1)


def test_a_night_that_has_begun_counts_from_now_on():
    table = resting()
    table.now = at(2 * HOUR)
    table.when(PlanRests((0, 1, 2), at(DAY), (night(HOUR, 9 * HOUR, 0, 1, 2), night(0, HOUR, 0, 1, 2))))
    table.then(RestsPlanned((0, 1, 2), at(2 * HOUR), at(DAY), (night(2 * HOUR, 9 * HOUR, 0, 1, 2),)))
    assert deadline(table) == at(DAY + 7 * HOUR)


def test_what_is_planned_anew_replaces_what_has_not_passed():
    table = resting()
    (seat,) = table.to_act
    planned(table, night(HOUR, 9 * HOUR, 0, 1, 2), night(20 * HOUR, 22 * HOUR, 0, 1, 2))
    table.now = at(3 * HOUR)
    planned(table, seats=(seat,))
    # Two hours of the night that had begun, and nothing of the one to come.
    assert deadline(table) == at(DAY + 2 * HOUR)


def test_and_of_the_others_it_changes_nothing():
    table = resting()
    (seat,) = table.to_act
    planned(table, night(HOUR, 9 * HOUR, 0, 1, 2), night(20 * HOUR, 22 * HOUR, 0, 1, 2))
    table.now = at(3 * HOUR)
    planned(table, seats=((seat + 1) % 3, (seat + 2) % 3))
    assert deadline(table) == at(DAY + 10 * HOUR)


@pytest.mark.parametrize("per_turn", [0, DAY])
def test_at_a_table_whose_clocks_do_not_rest_nothing_is_planned(per_turn):
    started("odin", 2, per_turn=per_turn).when(PlanRests((0,), at(DAY), ())).refused("rests.not_here")


@pytest.mark.parametrize(
    ("seats", "until", "rests"),
    [
        ((), DAY, ()),
        ((0,), HOUR - 1, ()),
        ((0,), DAY, (night(DAY + 1, DAY + 2, 0),)),
        ((0,), DAY, (night(HOUR, HOUR, 0),)),
        ((0,), DAY, (night(HOUR, 2 * HOUR, 0, 1),)),
    ],
    ids=["for nobody", "for the past", "beyond what is known", "for no time", "for somebody else, too"],
)
def test_what_cannot_be_planned(seats, until, rests):
    table = resting()
    table.now = at(HOUR)
    table.when(PlanRests(seats, at(until), rests)).refused("rests.out_of_range")


def test_for_a_seat_that_is_not_there():
    resting().when(PlanRests((3,), at(DAY), ())).refused("seat.unknown")

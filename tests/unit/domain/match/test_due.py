"""When a match needs somebody, and what the store is told about it."""

import pytest

from domain.instants import milliseconds_of
from domain.match.commands import (
    AbandonMatch,
    AskToEnd,
    CreateMatch,
    HandSeatToBot,
    LeaveSeat,
    ResignSeat,
    SeatPlan,
)
from domain.match.due import (
    ATTEMPT_SECONDS,
    FALLBACK_SECONDS,
    bots_to_act,
    context_at,
    due_of,
    overdue_seats,
    people_play,
)
from domain.match.expiry import PATIENCE
from domain.match.say import REQUEST_SECONDS
from domain.match.state import EMPTY
from tests.kit.house import House
from tests.kit.instants import NOON, at
from tests.kit.table import SEED, gathered, started


def milliseconds(seconds: float) -> int:
    return milliseconds_of(at(seconds))


def test_a_bots_turn_never_stays_open_for_a_minute():
    assert ATTEMPT_SECONDS < FALLBACK_SECONDS < 60


class TestContext:
    def test_without_a_clock_there_are_no_allowances(self):
        context = context_at(started("lama", 3).state, NOON)
        assert (context.now, context.due) == (NOON, {})

    def test_where_time_adds_up_it_follows_from_the_log(self):
        assert context_at(started("lama", 3, bots=1, per_turn=60).state, at(5)).due == {}

    def test_before_the_first_event_there_is_nobody(self):
        assert context_at(EMPTY, NOON).due == {}


class TestDue:
    def test_is_the_deadline_of_the_seat_that_is_asked(self):
        assert due_of(started("lama", 2, per_turn=60).position) == milliseconds(60)

    def test_is_soon_where_a_bot_is_asked(self):
        table = started("lama", 2, bots=2)
        assert bots_to_act(table.state) == table.to_act
        assert due_of(table.position) == milliseconds(ATTEMPT_SECONDS)

    def test_is_the_earliest_of_several(self):
        table = started("skyjo", 3, bots=1, per_turn=60)
        assert due_of(table.position) == milliseconds(ATTEMPT_SECONDS)

    def test_is_never_where_people_have_no_clock(self):
        assert due_of(started("lama", 2).position) is None

    def test_is_when_a_request_lapses(self):
        table = started("lama", 2).when(AskToEnd(0, "k"))
        assert due_of(table.position) == milliseconds(REQUEST_SECONDS)

    def test_is_never_once_the_match_is_over(self):
        assert due_of(started("lama", 2, per_turn=60).when(AbandonMatch("")).position) is None


class TestTablesThatHaveNotBegun:
    def test_are_due_when_their_end_is_to_be_told(self):
        table = gathered("lama", 2)
        assert due_of(table.position) == milliseconds(PATIENCE[2].quiet)
        assert due_of(table.when(LeaveSeat(1)).position) == milliseconds(PATIENCE[2].quiet)


class TestPeople:
    def test_play_as_long_as_one_has_not_resigned(self):
        table = started("lama", 3, bots=1)
        assert people_play(table.state)
        assert people_play(table.when(ResignSeat(0)).state)
        assert not people_play(table.when(ResignSeat(1)).state)

    def test_do_not_play_among_bots(self):
        assert not people_play(started("lama", 2, bots=2).state)


class TestOverdue:
    @pytest.mark.parametrize(("seconds", "overdue"), [(59.999, False), (60, True), (999, True)])
    def test_from_the_deadline_on(self, seconds, overdue):
        table = started("lama", 2, per_turn=60)
        assert bool(overdue_seats(table.state, at(seconds))) is overdue

    def test_never_without_a_clock(self):
        assert overdue_seats(started("lama", 2).state, at(10**6)) == ()


class TestTheStore:
    async def test_is_told_with_every_command(self):
        house = await House().begin("lama", 2, per_turn=60)
        assert await house.store.next_due() == milliseconds(60)
        house.clock.advance(10)
        await house.move()
        assert await house.store.next_due() == milliseconds(70)
        await house.do(AbandonMatch("x"))
        assert await house.store.next_due() is None

    async def test_is_told_when_a_bot_takes_over(self):
        house = await House().begin("lama", 2)
        assert await house.store.next_due() is None
        (seat,) = await house.to_act()
        house.clock.advance(100)
        await house.do(HandSeatToBot(seat))
        assert await house.store.next_due() == milliseconds(100 + ATTEMPT_SECONDS)

    async def test_of_a_match_that_gathers_its_end_is_due(self):
        house = House()
        await house.do(CreateMatch("lama", {}, (SeatPlan(), SeatPlan("steady")), "host", SEED))
        assert await house.store.next_due() == due_of(await house.head())

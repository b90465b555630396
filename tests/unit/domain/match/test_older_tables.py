"""Matches that began before time added up go on as they began: events record deadlines, and silence does not agree."""

from domain.instants import Instant
from domain.match.clock import ClockTerms
from domain.match.commands import (
    AnswerRequest,
    AskForSeat,
    AskToEnd,
    CreditOutage,
    HandSeatToBot,
    LapseRequest,
    ReclaimSeat,
    RedoMove,
    StartMatch,
    TimeOut,
    UndoMove,
)
from domain.match.due import deadlines_of
from domain.match.events import (
    MatchAbandoned,
    MatchCreated,
    RequestAnswered,
    RequestLapsed,
    RequestMade,
    SeatReady,
    SeatTaken,
    TurnTimedOut,
)
from domain.match.say import REQUEST_SECONDS
from domain.match.state import Terms
from tests.kit.instants import at
from tests.kit.table import SEED, Table

DAY = 86_400


def begun(seats: int = 2, undo: str = "free") -> Table:
    """Return a table of number 2 with a minute for each turn."""
    table = Table()
    table.given(MatchCreated(Terms("lama", 1, {}, seats, "host", ClockTerms(60), undo, table=2), SEED))
    for seat in range(seats):
        table.given(SeatTaken(seat, f"player-{seat}", "person")).given(SeatReady(seat))
    return table.when(StartMatch())


class TestTime:
    def test_is_recorded_and_the_fallback_move_ends_it(self):
        table = begun()
        (seat,) = table.to_act
        assert table.envelopes[-1].deadlines == {seat: at(60)} == deadlines_of(table.state)
        table.now = at(60)
        table.when(TimeOut(seat))
        assert table.happened[0] == TurnTimedOut(seat)
        assert len(table.happened) > 1

    def test_of_an_outage_is_given_back(self):
        table = begun()
        (seat,) = table.to_act
        table.now = at(3 * DAY)
        table.when(CreditOutage(at(10), at(3 * DAY)))
        assert deadlines_of(table.state) == {seat: at(3 * DAY + 50)}
        table.when(TimeOut(seat)).refused("clock.still_running")


class TestStepping:
    """Whoever comes back to a turn has what they had left when it was left."""

    def moved(self) -> tuple[Table, int, int]:
        """Return a table at which one seat took 20 seconds of its minute, and the other is to act."""
        table = begun(undo="practice")
        (seat,) = table.to_act
        table.now = at(20)
        return table.move(seat), seat, 1 - seat

    def deadline(self, table: Table) -> dict[int, Instant]:
        assert table.refusal is None, table.refusal
        assert table.envelopes[-1].deadlines == deadlines_of(table.state)
        return deadlines_of(table.state)

    def test_back(self):
        table, seat, _ = self.moved()
        table.now = at(30)
        assert self.deadline(table.when(UndoMove(seat))) == {seat: at(70)}

    def test_back_over_several_turns(self):
        table, seat, other = self.moved()
        version = table.position.version
        table.now = at(25)
        table.move(other)
        table.now = at(50)
        table.when(UndoMove(seat))
        assert table.state.past is not None
        assert table.state.past.version < version
        assert self.deadline(table) == {seat: at(90)}

    def test_forth(self):
        table, seat, other = self.moved()
        table.now = at(30)
        table.when(UndoMove(seat))
        table.now = at(45)
        # Ten seconds of the other's minute had passed.
        assert self.deadline(table.when(RedoMove(seat))) == {other: at(95)}

    def test_forth_over_several_turns(self):
        table, seat, other = self.moved()
        table.now = at(25)
        table.move(other)
        table.now = at(35)
        table.when(UndoMove(seat))
        table.now = at(50)
        assert self.deadline(table.when(RedoMove(seat))) == {seat: at(100)}

    def test_to_a_turn_that_had_no_end_gives_it_a_whole_one(self):
        table = begun(undo="practice")
        (seat,) = table.to_act
        table.when(HandSeatToBot(1 - seat)).move(seat).when(ReclaimSeat(1 - seat))
        table.now = at(30)
        table.when(UndoMove(seat))
        table.now = at(45)
        assert self.deadline(table.when(RedoMove(seat))) == {1 - seat: at(105)}


class TestRequests:
    def test_ask_only_those_who_play_for_themselves(self):
        table = begun().when(HandSeatToBot(1))
        table.when(AskToEnd(0, "k1")).then(MatchAbandoned("agreed"))

    def test_for_a_seat_find_nobody_where_bots_play_for_all(self):
        table = begun().when(HandSeatToBot(0)).when(HandSeatToBot(1))
        table.when(AskForSeat("dora", 0, "r1")).refused("seat.nobody_to_ask", seat=0)

    def test_wait_for_a_day_and_then_lapse(self):
        table = begun(seats=3)
        table.when(AskToEnd(0, "k1")).then(RequestMade("k1", "end", 0, at(REQUEST_SECONDS)))
        table.when(AnswerRequest(1, "k1", agree=True)).then(RequestAnswered("k1", 1, agree=True))
        table.now = at(REQUEST_SECONDS - 1)
        table.when(LapseRequest("k1")).refused("request.still_open", expires=at(REQUEST_SECONDS))
        table.now = at(REQUEST_SECONDS)
        table.when(LapseRequest("k1")).then(RequestLapsed("k1", "expired"))

"""Absence harms nobody: what a table chose happens, the absent keep their say, and come back when they like."""

import pytest

from domain.games.odin.moves import Pass
from domain.instants import after, milliseconds_of
from domain.match.clock import ClockTerms, Rest
from domain.match.clock_events import RestsPlanned
from domain.match.commands import (
    AnnounceExpiry,
    AnswerRequest,
    AskForSeat,
    AskToEnd,
    BeReady,
    CreateMatch,
    CreditOutage,
    HandSeatToBot,
    LapseRequest,
    PlanRests,
    PlayMove,
    ReclaimSeat,
    RedoMove,
    ResignSeat,
    SeatPlan,
    StartMatch,
    TakeSeat,
    TimeOut,
    UndoMove,
)
from domain.match.due import bots_to_act, deadlines_of, due_of
from domain.match.events import (
    MatchAbandoned,
    MatchFinished,
    MoveUndone,
    RequestAnswered,
    RequestLapsed,
    SeatHandedToBot,
    SeatResigned,
    TurnTimedOut,
)
from domain.match.say import lapses_at, say_ends
from domain.match.view import match_view
from domain.viewers import SPECTATOR
from tests.kit.games import every_game_played_by_turns
from tests.kit.instants import at
from tests.kit.table import SEED, Table

DAY = 86_400


def table_of(clock: ClockTerms, seats: int = 3, game: str = "odin", undo: str = "consent") -> Table:
    table = Table()
    table.when(CreateMatch(game, {}, (SeatPlan(),) * seats, "host", SEED, clock, undo, start="host"))
    for seat in range(seats):
        table.when(TakeSeat(f"player-{seat}", seat)).when(BeReady(seat))
    table.when(StartMatch())
    assert table.refusal is None
    return table


def bot_plays(table: Table) -> None:
    """Let the bot that stands in for somebody move, through its own door."""
    (seat,) = bots_to_act(table.state)
    table.when(PlayMove(seat, table.legal(seat)[-1]), metadata=table.metadata(seat, f"bot-{seat}", "bot"))
    assert table.refusal is None, table.refusal


def miss(table: Table) -> int:
    """Let the time of whoever is to move run out; return their seat."""
    (seat,) = table.to_act
    table.now = deadlines_of(table.state)[seat]
    table.when(TimeOut(seat), metadata=table.metadata(seat, "clock", "clock"))
    assert table.refusal is None, table.refusal
    return seat


def round_of(table: Table, absent: int) -> None:
    """Let everybody else pass until the absent one is to move."""
    while table.to_act != (absent,):
        (seat,) = table.to_act
        moves = table.legal(seat)
        table.move(seat, Pass() if Pass() in moves else moves[0])


class TestTimeRunsOut:
    def test_once_a_bot_plays_this_turn_and_no_other(self):
        table = table_of(ClockTerms(60))
        seat = miss(table)
        table.then(TurnTimedOut(seat, 1))
        bot_plays(table)
        held = table.state.seats[seat]
        assert (held.covered, held.stand_in, held.missed, held.stood_in) == (False, False, 1, 1)
        round_of(table, seat)
        assert bots_to_act(table.state) == ()
        assert seat in deadlines_of(table.state)

    def test_twice_in_a_row_a_bot_sits_in_until_they_return(self):
        table = table_of(ClockTerms(60))
        seat = miss(table)
        bot_plays(table)
        round_of(table, seat)
        assert miss(table) == seat
        table.then(TurnTimedOut(seat, 2), SeatHandedToBot(seat, "steady"))
        table.when(ReclaimSeat(seat))
        assert table.refusal is None
        assert (table.state.seats[seat].missed, table.state.seats[seat].stand_in) == (0, False)

    def test_a_move_of_ones_own_ends_the_row(self):
        table = table_of(ClockTerms(60))
        seat = miss(table)
        bot_plays(table)
        round_of(table, seat)
        table.move(seat)
        assert table.state.seats[seat].missed == 0

    def test_a_table_may_only_ever_play_single_turns(self):
        table = table_of(ClockTerms(60, absent="turn"))
        seat = miss(table)
        for row in range(2, 5):
            bot_plays(table)
            round_of(table, seat)
            miss(table)
            table.then(TurnTimedOut(seat, row))

    def test_a_table_may_make_them_give_up(self):
        table = table_of(ClockTerms(60, absent="forfeit", misses=1))
        seat = miss(table)
        table.then(TurnTimedOut(seat, 1), SeatResigned(seat, "steady"))

    def test_the_last_person_is_never_made_to_play_on_alone(self):
        table = table_of(ClockTerms(60, absent="forfeit", misses=1), seats=2)
        seat = miss(table)
        table.then_types(TurnTimedOut, SeatResigned, MatchFinished)
        assert table.state.lifecycle.ranking[-1] == (seat,)

    def test_a_late_move_that_lands_first_counts(self):
        table = table_of(ClockTerms(60))
        (seat,) = table.to_act
        table.now = at(75)
        table.move(seat)
        assert table.state.seats[seat].missed == 0

    def test_their_own_move_may_still_land_before_the_bots(self):
        table = table_of(ClockTerms(60))
        seat = miss(table)
        table.move(seat)
        assert (table.state.seats[seat].covered, table.state.seats[seat].stood_in) == (False, 0)

    @every_game_played_by_turns
    def test_a_bot_plays_the_turn_to_its_end_and_no_further(self, game):
        table = (
            table_of(ClockTerms(60), game=game.key) if game.rules_number == 1 else table_of(ClockTerms(60))
        )
        while len(table.to_act) > 1:
            table.move(table.to_act[0])
        seat = miss(table)
        for _ in range(4):
            if bots_to_act(table.state):
                bot_plays(table)
        assert not table.state.seats[seat].covered
        assert bots_to_act(table.state) == ()

    def test_no_bot_plays_a_turn_that_somebody_took_back_before_it_did(self):
        table = table_of(ClockTerms(60), undo="free")
        (leader,) = table.to_act
        table.move(leader)
        seat = miss(table)
        assert table.state.seats[seat].covered
        table.when(UndoMove(leader, "u1")).then_types(MoveUndone)
        assert not table.state.seats[seat].covered
        assert bots_to_act(table.state) == ()

    def test_results_tell_for_whom_bots_have_moved(self):
        table = table_of(ClockTerms(60))
        seat = miss(table)
        bot_plays(table)
        shown = match_view(table.position, SPECTATOR).seats
        assert [one.stood_in for one in shown] == [int(one.seat == seat) for one in shown]


class TestSay:
    def away(self, per_turn: int = 3 * DAY) -> tuple[Table, int]:
        """Return a table with somebody for whom a bot plays."""
        table = table_of(ClockTerms(per_turn))
        absent = (table.to_act[0] + 1) % 3
        table.when(HandSeatToBot(absent))
        return table, absent

    def test_while_a_bot_plays_for_somebody_the_others_do_not_end_the_match_without_them(self):
        table, absent = self.away()
        asker, other = (seat for seat in range(3) if seat != absent)
        table.when(AskToEnd(asker, "k1")).when(AnswerRequest(other, "k1", agree=True))
        table.then(RequestAnswered("k1", other, agree=True))
        assert table.state.lifecycle.phase == "playing"

    @pytest.mark.parametrize(("per_turn", "say"), [(60, 60), (4 * 3600, DAY), (DAY, DAY), (3 * DAY, 3 * DAY)])
    def test_lasts_for_a_turn_and_without_haste_for_a_day_at_least(self, per_turn, say):
        table, absent = self.away(per_turn)
        table.when(AskToEnd((absent + 1) % 3, "k1"))
        assert say_ends(table.state, table.state.requests[0], absent) == at(say)

    def test_then_silence_agrees_if_all_who_are_there_do(self):
        table, absent = self.away()
        asker, other = (seat for seat in range(3) if seat != absent)
        table.when(AskToEnd(asker, "k1")).when(AnswerRequest(other, "k1", agree=True))
        assert due_of(table.position) is not None
        table.now = at(3 * DAY - 1)
        table.when(LapseRequest("k1")).refused("request.still_open")
        table.now = at(3 * DAY)
        table.when(LapseRequest("k1")).then(RequestLapsed("k1", "silent"), MatchAbandoned("agreed"))

    def test_silence_of_somebody_who_is_there_never_agrees(self):
        table, absent = self.away(per_turn=60)
        table.when(AskToEnd((absent + 1) % 3, "k1"))
        table.now = at(DAY)
        table.when(LapseRequest("k1")).then(RequestLapsed("k1", "expired"))

    def test_the_absent_may_refuse_and_come_back_first(self):
        table, absent = self.away()
        table.when(AskToEnd((absent + 1) % 3, "k1"))
        table.when(AnswerRequest(absent, "k1", agree=False))
        table.then(RequestAnswered("k1", absent, agree=False), RequestLapsed("k1", "refused"))

    def test_whoever_came_back_is_there_again(self):
        table, absent = self.away(per_turn=60)
        asker, other = (seat for seat in range(3) if seat != absent)
        table.when(AskToEnd(asker, "k1")).when(ReclaimSeat(absent))
        table.now = at(3600)
        table.when(AnswerRequest(other, "k1", agree=True)).then(RequestAnswered("k1", other, agree=True))

    def test_whoever_agrees_last_after_that_carries_it_out(self):
        table, absent = self.away(per_turn=60)
        asker, other = (seat for seat in range(3) if seat != absent)
        table.when(AskToEnd(asker, "k1"))
        table.now = at(61)
        table.when(AnswerRequest(other, "k1", agree=True))
        table.then_types(RequestAnswered, RequestLapsed, MatchAbandoned)

    def test_who_has_resigned_has_no_say(self):
        table, absent = self.away()
        table.when(ResignSeat(absent))
        asker, other = (seat for seat in range(3) if seat != absent)
        table.when(AskToEnd(asker, "k1")).when(AnswerRequest(other, "k1", agree=True))
        assert table.state.lifecycle.phase == "abandoned"

    def test_a_clock_that_rests_keeps_it(self):
        table = table_of(ClockTerms(DAY, rests=True))
        absent = (table.to_act[0] + 1) % 3
        rest = Rest(at(3600), at(3600 + 10 * DAY), "holiday", (absent,))
        table.when(PlanRests((0, 1, 2), at(30 * DAY), (rest,))).when(HandSeatToBot(absent))
        table.when(AskToEnd((absent + 1) % 3, "k1"))
        assert say_ends(table.state, table.state.requests[0], absent) == at(11 * DAY)

    def test_a_rest_that_began_while_it_was_planned_counts_from_then_on(self):
        table = table_of(ClockTerms(DAY, rests=True))
        seat = table.to_act[0]
        over, begun = (Rest(at(first), at(last), "night", (seat,)) for first, last in ((0, 1), (0, 3600)))
        table.now = at(2)
        table.when(PlanRests((seat,), at(30 * DAY), (over, begun)))
        table.then(RestsPlanned((seat,), at(2), at(30 * DAY), (Rest(at(2), at(3600), "night", (seat,)),)))


class TestUndoAndTime:
    def test_three_issues_of_taking_back_and_forth(self):
        # Odin, two people, ten seconds a turn: lead at 0, undo at 1, redo at 9, undo at 10.1, redo at 10.4.
        table = table_of(ClockTerms(10), seats=2, undo="free")
        leader = table.to_act[0]
        table.move(leader)
        for second, command in ((1, "undo"), (9, "redo"), (10.1, "undo"), (10.4, "redo")):
            table.now = at(second)
            table.when(UndoMove(leader, "u") if command == "undo" else RedoMove(leader))
            assert table.refusal is None
        # One second from 0 to 1, and 1.1 from 9 to 10.1: 7.9 are left.
        assert deadlines_of(table.state) == {1 - leader: at(18.3)}

    def test_taking_ones_own_move_back_twice_does_not_flag(self):
        table = table_of(ClockTerms(600), seats=2, undo="free")
        leader = table.to_act[0]
        for second, moves in ((10, True), (500, False), (1000, True), (1010, False)):
            table.now = at(second)
            if moves:
                table.move(leader)
            else:
                table.when(UndoMove(leader, "u"))
            assert table.refusal is None
        assert deadlines_of(table.state) == {leader: at(1100)}

    def test_a_turn_without_time_comes_back_only_as_a_gift_of_all(self):
        table = table_of(ClockTerms(60), undo="consent")
        seat = miss(table)
        bot_plays(table)
        table.when(UndoMove(seat, "u1"))
        (request,) = table.state.requests
        assert (request.kind, request.seconds) == ("undo", 60)
        others = [other for other in range(3) if other != seat]
        for other in others:
            table.when(AnswerRequest(other, "u1", agree=True))
        assert isinstance(table.happened[-1], MoveUndone)
        assert table.happened[-1].given == 60
        assert table.state.clock.left(seat, table.now) == 60_000

    @pytest.mark.parametrize("undo", ["free", "practice"])
    def test_nobody_gets_time_by_taking_back_alone(self, undo):
        table = table_of(ClockTerms(60), undo=undo)
        seat = miss(table)
        table.move(seat)
        table.when(UndoMove(seat, "u1")).refused("undo.no_time_left")

    def test_the_same_move_made_again_leads_to_the_same_position(self):
        table = table_of(ClockTerms(60), seats=2, undo="free")
        leader = table.to_act[0]
        move = table.legal(leader)[0]
        for second in (0, 10, 20, 30):
            table.now = at(second)
            table.move(leader, move)
            table.now = at(second + 5)
            if second < 30:
                table.when(UndoMove(leader, "u"))
                assert table.refusal is None
        # The follower has had four times five seconds.
        assert table.state.clock.left(1 - leader, table.now) == 40_000
        assert milliseconds_of(deadlines_of(table.state)[1 - leader]) == milliseconds_of(at(75))


def test_whoever_takes_over_a_seat_has_the_whole_time_of_a_turn():
    table = table_of(ClockTerms(60))
    (asked,) = table.to_act
    table.now = at(50)
    table.when(AskForSeat("dora", asked, "r1"))
    for seat in range(3):
        table.when(AnswerRequest(seat, "r1", agree=True))
    assert table.state.seats[asked].player == "dora", table.refusal
    assert deadlines_of(table.state) == {asked: at(110)}
    assert table.envelopes[-1].deadlines == {asked: at(110)}


def test_a_table_that_waits_for_people_waits_for_longer_after_an_outage():
    table = Table()
    table.when(CreateMatch("odin", {}, (SeatPlan(),) * 3, "host", SEED))
    table.now = at(DAY)
    table.when(AnnounceExpiry())
    assert table.refusal is None
    ends = table.state.expires
    table.now = at(4 * DAY)
    table.when(CreditOutage(at(DAY), at(4 * DAY)))
    assert table.state.expires == after(ends, 3 * DAY)


def test_a_table_without_a_clock_gives_the_time_of_an_outage_back_to_those_who_are_asked():
    table = table_of(ClockTerms())
    (seat,) = table.to_act
    table.when(AskToEnd(seat, "k1"))
    table.now = at(3 * DAY)
    table.when(CreditOutage(at(100), at(3 * DAY)))
    # A move that others make meanwhile changes nothing about it.
    table.move(seat)
    (request,) = table.state.requests
    assert lapses_at(table.state, request) == at(4 * DAY - 100)

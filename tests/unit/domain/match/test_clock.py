"""Time: who gets a deadline and when, where it stands, and what happens when it has passed."""

import pytest

from domain.games.skyjo.moves import Reveal
from domain.instants import after
from domain.match.clock import NOT_ASKED
from domain.match.command_handler import prepare_append
from domain.match.commands import Context, HandSeatToBot, PlayMove, ReclaimSeat, ResignSeat, TimeOut
from domain.match.due import bots_to_act, deadlines_of
from domain.match.events import TurnTimedOut
from tests.kit.games import every_game, every_game_played_by_turns
from tests.kit.instants import NOON, at
from tests.kit.table import Table, started


def turned(table: Table) -> Table:
    """Play until one seat only is asked."""
    while len(table.to_act) > 1:
        table.move(table.to_act[0])
    return table


class TestDeadlines:
    @every_game
    def test_are_recorded_for_the_seats_that_are_asked_at_the_start(self, game):
        table = started(game, 3, per_turn=60)
        assert table.envelopes[-1].deadlines == dict.fromkeys(table.to_act, at(60))
        assert [table.state.clock.deadline_of(seat) for seat in table.to_act] == [at(60)] * len(table.to_act)

    @every_game
    def test_stand_in_no_other_envelope_of_the_command(self, game):
        table = started(game, 3, per_turn=60)
        assert all(not envelope.deadlines for envelope in table.envelopes[:-1])

    @every_game_played_by_turns
    def test_of_a_seat_that_has_moved_are_gone(self, game):
        table = turned(started(game, 3, per_turn=60))
        seat = table.to_act[0]
        while table.to_act == (seat,):
            table.move(seat)
        assert table.state.clock.deadline_of(seat) == NOT_ASKED
        assert table.state.clock.since[seat] == NOT_ASKED

    @every_game_played_by_turns
    def test_begin_anew_with_every_turn(self, game):
        table = turned(started(game, 3, per_turn=60))
        table.now = at(20)
        table.move(table.to_act[0])
        (seat,) = table.to_act
        assert table.envelopes[-1].deadlines == {seat: at(80)}
        assert table.state.clock.deadline_of(seat) == at(80)
        assert table.state.clock.since[seat] == at(20)

    def test_of_others_who_are_asked_too_stay(self):
        table = started("skyjo", 3, per_turn=60)
        table.now = at(10)
        table.move(1, Reveal((0,)))
        assert table.envelopes[-1].deadlines == {1: at(70)}
        table.now = at(20)
        table.move(2, Reveal((0, 1)))
        assert table.envelopes[-1].deadlines == {}
        assert deadlines_of(table.state) == {0: at(60), 1: at(70)}
        assert table.state.clock.since == (NOON, at(10), NOT_ASKED)

    @every_game
    def test_are_not_given_where_the_table_has_no_clock(self, game):
        table = turned(started(game, 3))
        assert all(not envelope.deadlines for envelope in table.envelopes)
        assert table.state.clock.deadline_of(table.to_act[0]) == NOT_ASKED

    @every_game
    def test_follow_from_the_log_and_not_from_what_is_handed_in(self, game):
        table = turned(started(game, 2, per_turn=60))
        seat = table.to_act[0]
        table.due = {0: at(7), 1: at(7)}
        table.when(HandSeatToBot(1 - seat))
        assert table.state.clock.deadline_of(seat) == at(60)


class TestCommandsThatLeaveTheGameAsItWas:
    @every_game
    @pytest.mark.parametrize("command", [HandSeatToBot, ResignSeat])
    def test_give_no_new_time(self, game, command):
        table = turned(started(game, 3, per_turn=60))
        (seat,) = table.to_act
        table.now = at(50)
        table.when(command(seat))
        assert table.refusal is None
        assert table.envelopes[-1].deadlines == {}
        assert table.state.clock.deadline_of(seat) == at(60)

    @every_game
    def test_give_none_when_repeated(self, game):
        table = turned(started(game, 3, per_turn=60))
        (seat,) = table.to_act
        for second in range(10, 50, 10):
            table.now = at(second)
            table.when(HandSeatToBot(seat)).when(ReclaimSeat(seat))
            assert table.refusal is None
        assert table.state.clock.deadline_of(seat) == at(60)

    @every_game
    def test_of_others_give_none(self, game):
        table = turned(started(game, 3, per_turn=60))
        (seat,) = table.to_act
        table.now = at(50)
        table.when(HandSeatToBot((seat + 1) % 3))
        assert table.state.clock.deadline_of(seat) == at(60)
        assert table.state.clock.since[seat] == NOON


class TestBotsThatStandIn:
    @every_game
    @pytest.mark.parametrize("command", [HandSeatToBot, ResignSeat])
    def test_are_asked_when_they_take_over_and_not_when_the_person_was(self, game, command):
        table = turned(started(game, 3, per_turn=60))
        (seat,) = table.to_act
        table.now = at(50)
        table.when(command(seat))
        assert table.state.clock.since[seat] == at(50)

    @every_game
    def test_get_no_deadline_when_they_are_asked(self, game):
        table = (
            started(game, 3, per_turn=60).when(HandSeatToBot(0)).when(HandSeatToBot(1)).when(HandSeatToBot(2))
        )
        before = table.position.version
        for _ in range(9):
            table.move(table.to_act[0])
        assert all(not envelope.deadlines for envelope in table.envelopes[before:])

    @every_game_played_by_turns
    def test_leave_the_person_who_comes_back_in_the_middle_of_a_turn_what_is_left_of_it(self, game):
        table = turned(started(game, 3, per_turn=60))
        (seat,) = table.to_act
        following = (seat + 1) % 3
        table.when(HandSeatToBot(following))
        while table.to_act != (following,):
            table.move(table.to_act[0])
        assert following not in deadlines_of(table.state)
        table.now = at(20)
        table.when(ReclaimSeat(following))
        assert deadlines_of(table.state) == {following: at(60)}
        assert table.envelopes[-1].deadlines == {following: at(60)}
        table.now = at(30)
        table.when(HandSeatToBot(following)).when(ReclaimSeat(following))
        assert deadlines_of(table.state) == {following: at(60)}


class TestTimeOut:
    @every_game
    def test_lets_a_bot_play_the_turn(self, game):
        table = turned(started(game, 3, per_turn=60))
        (seat,) = table.to_act
        table.now = at(60)
        table.when(TimeOut(seat), metadata=table.metadata(seat, "clock", "clock"))
        table.then(TurnTimedOut(seat, 1))
        assert bots_to_act(table.state) == table.to_act == (seat,)
        assert table.state.clock.since[seat] == at(60)
        assert deadlines_of(table.state) == {}

    @every_game
    def test_happens_once(self, game):
        table = turned(started(game, 3, per_turn=60))
        (seat,) = table.to_act
        table.now = at(60)
        table.when(TimeOut(seat))
        table.now = at(200)
        table.when(TimeOut(seat)).refused("clock.still_running")

    @every_game
    def test_a_millisecond_early_is_refused(self, game):
        table = turned(started(game, 3, per_turn=60))
        table.now = at(59.999)
        table.when(TimeOut(table.to_act[0])).refused("clock.still_running", seat=table.to_act[0])

    @every_game
    def test_of_a_seat_without_a_clock_is_refused(self, game):
        table = turned(started(game, 3))
        table.now = at(10**6)
        table.when(TimeOut(table.to_act[0])).refused("clock.still_running")

    @every_game
    def test_of_a_seat_that_is_not_asked_is_refused(self, game):
        table = turned(started(game, 3, per_turn=60))
        table.now = at(60)
        seat = next(seat for seat in range(3) if seat not in table.to_act)
        table.when(TimeOut(seat)).refused("not_your_turn")

    @every_game
    def test_of_a_seat_that_the_table_does_not_have_is_refused(self, game):
        started(game, 2, per_turn=60).when(TimeOut(2)).refused("seat.unknown")

    def test_before_the_start_is_refused(self):
        Table().when(TimeOut(0)).refused("match.not_started")

    @every_game
    def test_a_move_that_lands_before_it_counts_even_if_it_is_late(self, game):
        table = turned(started(game, 3, per_turn=60))
        (seat,) = table.to_act
        asked_at = table.state.asked_at[seat]
        table.now = at(75)
        table.move(seat)
        table.when(TimeOut(seat))
        assert table.refusal is not None
        assert table.refusal.code == ("clock.still_running" if seat in table.to_act else "not_your_turn")
        assert table.state.asked_at[seat] != asked_at

    def test_of_one_seat_leaves_the_others_their_time(self):
        table = started("skyjo", 3, per_turn=60)
        table.now = at(30)
        table.move(1, Reveal((0,)))
        table.now = at(60)
        table.when(TimeOut(0)).then(TurnTimedOut(0, 1))
        assert deadlines_of(table.state) == {1: at(90), 2: at(60)}


class TestTheInstantOfAnEvent:
    @every_game
    def test_is_the_present_one(self, game):
        table = started(game, 2)
        table.now = at(12.5)
        table.move(table.to_act[0])
        assert {envelope.at for envelope in table.envelopes[-len(table.happened) :]} == {at(12.5)}

    @every_game
    def test_never_runs_backwards_though_the_clock_does(self, game):
        table = started(game, 2)
        table.now = at(12.5)
        table.move(table.to_act[0])
        table.now = at(-3600)
        table.move(table.to_act[0])
        instants = [envelope.at for envelope in table.envelopes]
        assert instants == sorted(instants)
        assert instants[-1] == at(12.5) == table.position.at

    @every_game
    def test_is_where_the_time_of_a_turn_begins_then(self, game):
        table = turned(started(game, 2, per_turn=60))
        table.now = after(NOON, -30)
        table.move(table.to_act[0])
        assert set(deadlines_of(table.state).values()) == {at(60)}

    def test_is_handed_in_and_never_asked_for(self):
        table = started("lama", 2)
        seat = table.to_act[0]
        move = PlayMove(seat, table.legal(seat)[0])
        metadata = table.metadata(seat)
        one = prepare_append(table.position, move, metadata, Context(at(5)))
        assert one == prepare_append(table.position, move, metadata, Context(at(5)))

"""Deciding what clocks do: turns whose time ran out, time that is given or given back, rests."""

import msgspec

from domain.errors import NotAsked, Refused
from domain.match.apply_clock import OUTAGE
from domain.match.clock import ADDS_UP_SINCE, NOT_ASKED
from domain.match.clock_events import ClockRested, RestsPlanned, TimeGiven
from domain.match.commands import Context, CreditOutage, GiveTime, PlanRests, ResignSeat, TimeOut
from domain.match.decide_ends import resign
from domain.match.decide_play import moved, playing
from domain.match.decide_table import require_created, require_person, require_seat
from domain.match.due import deadlines_of, is_timed
from domain.match.events import SeatHandedToBot, TurnTimedOut
from domain.match.levels import STAND_IN
from domain.match.state import Match, Terms
from domain.sealing import Event


def time_out(state: Match, command: TimeOut, context: Context) -> tuple[Event, ...]:
    """Let a bot play a turn for which a seat has no time left. A move accepted before that still counts."""
    game, present = playing(state)
    require_seat(state, command.seat)
    to_act = game.to_act(present)
    if command.seat not in to_act:
        raise NotAsked(command.seat, to_act)
    deadline = deadlines_of(state).get(command.seat, NOT_ASKED)
    if deadline == NOT_ASKED or context.now < deadline:
        raise Refused("clock.still_running", "clock", seat=command.seat)
    terms = state.terms
    if terms is None or terms.table < ADDS_UP_SINCE:
        move = game.fallback(present, command.seat)
        return TurnTimedOut(command.seat), *moved(state, game, present, command.seat, move)
    return _missed(state, terms, command.seat, context)


def _missed(state: Match, terms: Terms, number: int, context: Context) -> tuple[Event, ...]:
    seat, turn = state.seats[number], state.clock.turn_of(number)
    # Whoever is brought back to a turn that they have missed has not missed another one.
    again = turn is not None and state.clock.left_in(number, turn.origin) == 0
    row = max(1, seat.missed + (not again))
    timed_out = TurnTimedOut(number, row)
    if terms.clock.absent == "turn" or row < terms.clock.misses:
        return (timed_out,)
    if terms.clock.absent == "forfeit":
        return timed_out, *resign(state, ResignSeat(number), context)
    return timed_out, SeatHandedToBot(number, STAND_IN)


def give_time(state: Match, command: GiveTime, _: Context) -> tuple[Event, ...]:
    """Give another seat time for its present turn: no more altogether than the turn had at first."""
    playing(state)
    require_person(state, command.seat)
    require_seat(state, command.to)
    turn = state.clock.turn_of(command.to)
    if turn is None or not is_timed(state, command.to):
        raise Refused("time.none_runs", "giving time", seat=command.to)
    if command.to == command.seat:
        raise Refused("time.own", "giving time", seat=command.to)
    most = (state.clock.allowance - turn.given) // 1000
    if not 0 < command.seconds <= most:
        raise Refused("time.given_enough", "giving time", seconds=command.seconds, most=most)
    return (TimeGiven(command.seat, command.to, command.seconds),)


def credit_outage(state: Match, command: CreditOutage, context: Context) -> tuple[Event, ...]:
    """Let no clock have run while the service was away."""
    require_created(state)
    if not command.begins < command.ends <= context.now:
        raise Refused("outage.not_over", "outages", begins=command.begins, ends=command.ends)
    return (ClockRested(command.begins, command.ends, OUTAGE),)


def plan_rests(state: Match, command: PlanRests, context: Context) -> tuple[Event, ...]:
    """Record when the clocks of some seats will rest. What has passed stays as it was.

    A rest that has begun counts from now on: whoever plans reads the time before the command is decided.
    """
    terms = require_created(state)
    if not terms.clock.rests or terms.table < ADDS_UP_SINCE:
        raise Refused("rests.not_here", "rests")
    for seat in command.seats:
        require_seat(state, seat)
    begins = max((rest.begins for rest in command.rests), default=command.until)
    if not command.seats or begins > command.until or command.until < context.now:
        raise Refused("rests.out_of_range", "rests")
    for rest in command.rests:
        if rest.begins >= rest.ends or not set(rest.seats) <= set(command.seats):
            raise Refused("rests.out_of_range", "rests")
    rests = tuple(
        msgspec.structs.replace(rest, begins=max(rest.begins, context.now))
        for rest in command.rests
        if rest.ends > context.now
    )
    return (RestsPlanned(command.seats, context.now, command.until, rests),)

"""How time that runs out, is given or rests changes the state."""

from collections.abc import Iterator

from msgspec.structs import replace

from domain.instants import EARLIEST, Instant, after, seconds_between
from domain.match.clock import ADDS_UP_SINCE, NOT_ASKED, Clock, Rest
from domain.match.clock_events import ClockRested, ClockResumed, RestsPlanned, TimeGiven
from domain.match.events import TurnTimedOut
from domain.match.state import Match

OUTAGE, PAUSE = "outage", "pause"


def asked_afresh(state: Match, number: int) -> Match:
    """Return the state in which a bot that takes over is not late because the person was slow; the deadline stays."""
    since = state.clock.since
    since = (*since[:number], EARLIEST, *since[number + 1 :])
    return replace(state, clock=replace(state.clock, since=since))


def taken_over(state: Match, number: int) -> Match:
    """Return the state in which a newcomer has the whole time of a turn, and rests of their own to be recorded."""
    clock = state.clock
    if not clock.turns:
        return state
    turns = (*clock.turns[:number], None, *clock.turns[number + 1 :])
    known = {seat: until for seat, until in clock.planned.items() if seat != number}
    return replace(state, clock=replace(clock, turns=turns, planned=known))


def timed_out(state: Match, event: TurnTimedOut) -> Match:
    """Let a bot play the turn. At tables of a number below 3 the fallback move follows instead."""
    if not event.row:
        return state
    seat = replace(state.seats[event.seat], covered=True, missed=event.row)
    seats = (*state.seats[: event.seat], seat, *state.seats[event.seat + 1 :])
    return asked_afresh(replace(state, seats=seats), event.seat)


def given(state: Match, event: TimeGiven) -> Match:
    """Add to the time of a seat's present turn."""
    clock = state.clock
    turns = tuple(
        replace(turn, given=turn.given + event.seconds * 1000)
        if turn is not None and seat == event.to
        else turn
        for seat, turn in enumerate(clock.turns)
    )
    return replace(state, clock=replace(clock, turns=turns))


def rested(state: Match, event: ClockRested) -> Match:
    """Let everybody's clock rest, and a table that waits for people wait for longer."""
    state = replace(state, expires=_moved_on(state.expires, event))
    clock, terms = state.clock, state.terms
    if terms is None or terms.table < ADDS_UP_SINCE:
        deadlines = tuple(_moved_on(deadline, event) for deadline in clock.deadlines)
        return replace(state, clock=replace(clock, deadlines=deadlines))
    rest = Rest(event.begins, event.ends, event.why)
    return replace(state, clock=replace(clock, rests=(*clock.rests, rest)))


def _moved_on(deadline: Instant, event: ClockRested) -> Instant:
    """Return a recorded deadline, later by what of an interval lay before it."""
    if deadline == NOT_ASKED or deadline <= event.begins:
        return deadline
    return after(deadline, seconds_between(event.begins, event.ends))


def resumed(state: Match, event: ClockResumed) -> Match:
    """End a pause."""
    clock = state.clock
    return replace(state, clock=replace(clock, rests=tuple(_ended(clock, event.at, PAUSE, ()))))


def planned(state: Match, event: RestsPlanned) -> Match:
    """Replace what was planned for the clocks of some seats, from an instant on."""
    clock = state.clock
    kept = tuple(_ended(clock, event.begins, "", event.seats))
    until = dict(clock.planned) | dict.fromkeys(event.seats, event.until)
    return replace(state, clock=replace(clock, rests=(*kept, *event.rests), planned=until))


def _ended(clock: Clock, at: Instant, why: str, seats: tuple[int, ...]) -> Iterator[Rest]:
    """Yield all rests, but those for a reason (else: those of some seats) only as far as an instant."""
    for rest in clock.rests:
        others = tuple(seat for seat in rest.seats if seat not in seats)
        concerned = rest.why == why if why else len(others) < len(rest.seats)
        if not concerned or rest.ends <= at:
            yield rest
            continue
        if rest.begins < at:
            yield replace(rest, ends=at)
            if others:
                yield replace(rest, begins=at, seats=others)
        elif others:
            yield replace(rest, seats=others)

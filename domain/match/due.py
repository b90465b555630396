"""When a match next needs somebody: a person's deadline, or a bot that should have moved."""

from domain.instants import Instant, after, milliseconds_of
from domain.match.clock import NOT_ASKED
from domain.match.commands import Context
from domain.match.evolve import seats_to_act
from domain.match.expiry import next_of_expiry
from domain.match.fold import Position
from domain.match.say import due_at
from domain.match.state import Match

ATTEMPT_SECONDS = 10
"""How long to wait for a job that plays bots' turns before sending another."""

FALLBACK_SECONDS = 30
"""How long a bot's turn may stay open before the fallback move is made for it. Must stay below a minute."""


UNJUDGED_SECONDS = 45
"""How long a bot's turn may stay open before it is made without any judgement: perhaps that is what hangs."""


def context_at(state: Match, now: Instant) -> Context:
    """Return what a decision at an instant needs: the present, and the allowance of every person's seat.

    A seat with a stand-in counts, too: its person may take it back with this very decision. Where time adds up, it
    follows from the log alone.
    """
    seconds = state.terms.clock.per_turn if state.terms is not None else 0
    if not seconds or state.clock.turns:
        return Context(now)
    deadline = after(now, seconds)
    # Before the start everybody's seat counts: who takes the last one may begin the match with it.
    begun = state.game is not None
    people = (number for number, seat in enumerate(state.seats) if seat.kind == "person" or not begun)
    return Context(now, dict.fromkeys(people, deadline))


def bots_to_act(state: Match) -> tuple[int, ...]:
    """Return the seats played by bots that owe a move."""
    return tuple(seat for seat in seats_to_act(state) if state.seats[seat].played_by_bot)


def deadlines_of(state: Match) -> dict[int, Instant]:
    """Return, by seat, when its time ends; seats without a limit are left out."""
    clock = state.clock
    if not clock.turns:
        return {seat: deadline for seat, deadline in enumerate(clock.deadlines) if deadline != NOT_ASKED}
    return {seat: clock.deadline_of(seat) for seat in seats_to_act(state) if is_timed(state, seat)}


def is_timed(state: Match, seat: int) -> bool:
    """Tell whether a seat's turn ends when its time does: a person makes its moves, and some time of it runs."""
    return not state.seats[seat].played_by_bot and state.clock.turn_of(seat) is not None


def needs_rests(state: Match) -> bool:
    """Tell whether somebody's time ends later than it is known when their clock rests."""
    terms, clock = state.terms, state.clock
    if terms is None or not terms.clock.rests or not clock.turns:
        return False
    return any(
        clock.planned.get(seat, NOT_ASKED) < deadline
        for seat, deadline in deadlines_of(state).items()
        if state.seats[seat].kind == "person"
    )


def people_play(state: Match) -> bool:
    """Tell whether anybody plays who may wait for a bot; whoever has resigned waits no more."""
    return any(seat.kind == "person" and not seat.resigned for seat in state.seats)


def overdue_seats(state: Match, now: Instant) -> tuple[int, ...]:
    """Return the seats whose time has run out."""
    deadlines = deadlines_of(state)
    return tuple(seat for seat in seats_to_act(state) if seat in deadlines and deadlines[seat] <= now)


def begins_at(state: Match) -> Instant:
    """Return when a match begins by itself, without nonces that were not shown; NOT_ASKED for a match that does not."""
    if state.terms is None or state.terms.start != "ready" or state.lifecycle.phase != "gathering":
        return NOT_ASKED
    return state.nonces_until


def fixed_instants(position: Position) -> list[int]:
    """Return the instants, in milliseconds, of deadlines, expiring requests and tables, without bots' attempts."""
    state = position.state
    instants = [milliseconds_of(deadline) for deadline in deadlines_of(state).values()]
    if begins_at(state) != NOT_ASKED:
        instants.append(milliseconds_of(state.nonces_until))
    expires = next_of_expiry(state, position.at)
    if expires != NOT_ASKED:
        instants.append(milliseconds_of(expires))
    return instants + [milliseconds_of(due_at(state, request)) for request in state.requests]


def due_of(position: Position) -> int | None:
    """Return the earliest instant, in milliseconds, at which the match needs somebody; None for never."""
    state = position.state
    attempts = [
        milliseconds_of(state.clock.since[seat]) + ATTEMPT_SECONDS * 1000 for seat in bots_to_act(state)
    ]
    instants = fixed_instants(position) + attempts
    if needs_rests(state):
        # At once: nobody must be told a deadline that is too early.
        instants.append(milliseconds_of(position.at))
    return min(instants, default=None)

"""Who must agree to a request, and until when somebody who is away keeps their say."""

from typing import Final

from domain.instants import Instant
from domain.match.clock import ADDS_UP_SINCE
from domain.match.clock_terms import DAY, seconds_to_answer
from domain.match.state import Match, Request

REQUEST_SECONDS: Final = DAY
"""How long a request waits for its answers, at least."""


REPLACE: Final = "replace"
"""The kind of a request by somebody from outside who wants to take over a seat."""


def asked_by(state: Match, request: Request) -> tuple[int, ...]:
    """Return the seats that must agree to a request. Who asks for a seat has none, so its holder is asked, too."""
    return asked_people(state, None if request.kind == REPLACE else request.seat)


def asked_people(state: Match, asker: int | None) -> tuple[int, ...]:
    """Return the seats that must agree: all other people who play for themselves.

    From table number 3 on, all other people who have not resigned: nobody loses their say because a bot plays for them.
    """
    absent_too = state.terms is not None and state.terms.table >= ADDS_UP_SINCE
    return tuple(
        number
        for number, seat in enumerate(state.seats)
        if seat.kind == "person"
        and number != asker
        and (not seat.resigned if absent_too else not seat.stand_in)
    )


def waiting_for(state: Match, request: Request) -> tuple[int, ...]:
    """Return the seats whose answer is still missing."""
    return tuple(seat for seat in asked_by(state, request) if seat not in request.agreed)


def say_ends(state: Match, request: Request, seat: int) -> Instant:
    """Return until when a seat keeps its say: for the time of a turn in which its clock runs."""
    return state.clock.passed(seat, request.made, seconds_to_answer(state) * 1000)


def is_silent(state: Match, request: Request, now: Instant) -> bool:
    """Tell whether all who have not answered are away, and have had their time to."""
    if not request.made:
        return False
    return all(
        state.seats[seat].is_away and say_ends(state, request, seat) <= now
        for seat in waiting_for(state, request)
    )


def lapses_at(state: Match, request: Request) -> Instant:
    """Return when a request lapses by itself: nobody whose clock rests meanwhile has less time to answer."""
    if not request.made:
        return request.expires
    longest = max(REQUEST_SECONDS, seconds_to_answer(state)) * 1000
    return max(
        (state.clock.passed(seat, request.made, longest) for seat in asked_by(state, request)),
        default=request.expires,
    )


def due_at(state: Match, request: Request) -> Instant:
    """Return when the clock has to look at a request: it lapses then, or silence agrees to it."""
    waiting = waiting_for(state, request)
    if not request.made or not all(state.seats[seat].is_away for seat in waiting):
        return lapses_at(state, request)
    return max((say_ends(state, request, seat) for seat in waiting), default=request.expires)

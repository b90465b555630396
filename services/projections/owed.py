"""What a match waits for from its people: moves, answers to requests, readiness, the host's start."""

from typing import Final, Literal, NamedTuple

import msgspec

from domain.errors import Refused
from domain.instants import Instant, milliseconds_of
from domain.match.commands import Context, StartMatch
from domain.match.decide import decide
from domain.match.due import deadlines_of
from domain.match.evolve import seats_to_act
from domain.match.fold import Position
from domain.match.say import due_at, waiting_for
from domain.match.state import Match, Request

HOST: Final = -1
"""Stands for the host, who may have no seat."""

What = Literal["move", "answer", "ready", "start"]


class Owed(msgspec.Struct, frozen=True, array_like=True):
    """One thing that a match waits for from one of its people.

    Attributes:
        seat: Whose turn it is; :data:`HOST` for the host.
        what: What is to be done.
        until: Until when, in milliseconds since the epoch; None for no limit.
    """

    seat: int
    what: What
    until: int | None = None


class Wait(NamedTuple):
    """One thing that a match waits for, as the domain knows it; lists and notices both tell of these and no others.

    Attributes:
        seat: Whose turn it is; :data:`HOST` for the host.
        what: What is to be done.
        until: Until when; None for no limit.
        request: What is to be answered, if it is an answer.
    """

    seat: int
    what: What
    until: Instant | None = None
    request: Request | None = None


def owed_of(position: Position) -> tuple[Owed, ...]:
    """Return what people owe a match, as lists keep it. Pure."""
    return tuple(
        Owed(one.seat, one.what, None if one.until is None else milliseconds_of(one.until))
        for one in waits_of(position)
    )


def waits_of(position: Position) -> tuple[Wait, ...]:
    """Return what a match waits for from its people. A seat that a bot plays owes no move. Pure."""
    state = position.state
    if state.lifecycle.phase == "gathering":
        return _before_the_start(state, position.at)
    if state.lifecycle.phase != "playing":
        return ()
    deadlines = deadlines_of(state)
    moves = [
        Wait(seat, "move", deadlines.get(seat))
        for seat in seats_to_act(state)
        if not state.seats[seat].played_by_bot
    ]
    answers = [
        # Whoever is away is asked, too: after a while their silence agrees.
        Wait(seat, "answer", due_at(state, request), request)
        for request in state.requests
        for seat in waiting_for(state, request)
    ]
    return (*moves, *answers)


def _before_the_start(state: Match, at: Instant) -> tuple[Wait, ...]:
    if any(seat.kind == "open" for seat in state.seats):
        # A newcomer would void what is said now.
        return ()
    unready = tuple(
        Wait(number, "ready")
        for number, seat in enumerate(state.seats)
        if seat.kind == "person" and not seat.ready
    )
    return (*unready, Wait(HOST, "start")) if _may_start(state, at) else unready


def _may_start(state: Match, at: Instant) -> bool:
    try:
        decide(state, StartMatch(), Context(at))
    except Refused:
        return False
    return True

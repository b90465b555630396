"""What a match waits for from its people: moves, answers to requests, readiness, the host's start."""

from typing import Final, Literal

import msgspec

from domain.errors import Refused
from domain.instants import Instant, milliseconds_of
from domain.match.commands import Context, StartMatch
from domain.match.decide import decide
from domain.match.due import deadlines_of
from domain.match.evolve import seats_to_act
from domain.match.fold import Position
from domain.match.say import lapses_at, waiting_for
from domain.match.state import Match

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


def owed_of(position: Position) -> tuple[Owed, ...]:
    """Return what people owe a match. A seat that a bot plays owes nothing. Pure."""
    state = position.state
    if state.lifecycle.phase == "gathering":
        return _before_the_start(state, position.at)
    if state.lifecycle.phase != "playing":
        return ()
    deadlines = deadlines_of(state)
    moves = [
        Owed(seat, "move", milliseconds_of(deadlines[seat]) if seat in deadlines else None)
        for seat in seats_to_act(state)
        if not state.seats[seat].played_by_bot
    ]
    answers = [
        Owed(seat, "answer", milliseconds_of(lapses_at(state, request)))
        for request in state.requests
        for seat in waiting_for(state, request)
    ]
    return (*moves, *answers)


def _before_the_start(state: Match, at: Instant) -> tuple[Owed, ...]:
    if any(seat.kind == "open" for seat in state.seats):
        # A newcomer would void what is said now.
        return ()
    unready = tuple(
        Owed(number, "ready")
        for number, seat in enumerate(state.seats)
        if seat.kind == "person" and not seat.ready
    )
    return (*unready, Owed(HOST, "start")) if _may_start(state, at) else unready


def _may_start(state: Match, at: Instant) -> bool:
    try:
        decide(state, StartMatch(), Context(at))
    except Refused:
        return False
    return True

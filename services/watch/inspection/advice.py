"""Why a match stands still, and what its operator can do about it. Rules only; the words are elsewhere."""

from typing import Final

import msgspec

from domain.instants import Instant, milliseconds_of
from domain.match.due import FALLBACK_SECONDS, due_of
from domain.match.evolve import seats_to_act
from domain.match.fold import Position
from domain.match.state import NOT_ASKED, Match
from domain.match.verification import Verdict
from services.log.event_store.contract import Meta, Status

BOT_LATE_SECONDS: Final = FALLBACK_SECONDS + 5
"""How long a bot's turn may stay open: the clock must have played it by then."""

CLOCK_LATE_SECONDS: Final = 5
"""How long after a deadline the clock must have acted."""

_INDEX_OFF_SECONDS: Final = 60
"""How much later than the log says the index may let the clock look."""

PERSON_LATE_SECONDS: Final = 3 * 24 * 3600
"""How long a person without a clock may think before it is worth asking whether he comes back."""

GATHERING_SECONDS: Final = 14 * 24 * 3600
"""How long a table may wait for its people before it is worth asking whether anybody still comes."""


class Advice(msgspec.Struct, frozen=True):
    """Something about a match that its operator should know.

    Attributes:
        code: What it is: ``broken``, ``bot_late``, ``clock_late``, ``due_missing``, ``due_differs``,
            ``person_late``, ``gathering_long``, ``asked`` (all is well: somebody is to move), ``gathering``, ``over``,
            ``archived``.
        seat: The seat that it is about, if it is about one.
        since: Since when, where that matters.
        urgent: Whether something is wrong, or nobody but the operator can help.
        commands: What can be done about it on the command line, most harmless first.
    """

    code: str
    seat: int | None = None
    since: Instant = NOT_ASKED
    urgent: bool = False
    commands: tuple[str, ...] = ()


def advice_for(
    match: str,
    position: Position | None,
    meta: Meta | None,
    verdict: Verdict,
    now: Instant,
    *,
    scheduled: bool = True,
) -> tuple[Advice, ...]:
    """Return what is to be said of a match, what is wrong first.

    Args:
        match: The match's id.
        position: The match at its head; None if it cannot be folded.
        meta: The store's record; None if there is none that can be read.
        verdict: What verifying its log comes to.
        now: The present instant.
        scheduled: Whether the match stands in the index of instants.
    """
    found: list[Advice] = []
    if not verdict.good:
        found.append(
            Advice("broken", urgent=True, commands=(f"tablee verify {match}", "tablee restore --help"))
        )
    if position is None:
        return tuple(found)
    state = position.state
    if state.lifecycle.phase == "playing":
        found += _playing(match, state, now)
    elif state.lifecycle.phase == "gathering":
        found.append(_gathering(match, position, now))
    elif meta is not None and meta.status is Status.ARCHIVED:
        found.append(Advice("archived", commands=(f"tablee export {match}",)))
    else:
        found.append(Advice("over", commands=(f"tablee export {match}",)))
    if meta is not None and meta.status is Status.OPEN and meta.version == position.version:
        found += _due(position, meta, now, scheduled=scheduled)
    # A lost entry is the cause of whatever else is late.
    return tuple(sorted(found, key=lambda advice: (advice.code != "due_missing", not advice.urgent)))


def _playing(match: str, state: Match, now: Instant) -> list[Advice]:
    return [_asked(match, state, seat, now) for seat in seats_to_act(state)]


def _asked(match: str, state: Match, seat: int, now: Instant) -> Advice:
    since, deadline = state.clock.since[seat], state.clock.deadline_of(seat)
    if state.seats[seat].played_by_bot:
        if _seconds(since, now) > BOT_LATE_SECONDS:
            return Advice("bot_late", seat, since, urgent=True, commands=("tablee doctor",))
        return Advice("asked", seat, since)
    if deadline != NOT_ASKED:
        if _seconds(deadline, now) > CLOCK_LATE_SECONDS:
            return Advice("clock_late", seat, deadline, urgent=True, commands=("tablee doctor",))
        return Advice("asked", seat, since)
    late = _seconds(since, now) > PERSON_LATE_SECONDS
    return Advice("person_late" if late else "asked", seat, since, late, _ways_on(match, seat))


def _ways_on(match: str, seat: int) -> tuple[str, ...]:
    return (
        f"tablee hand-over {match} {seat} --reason '...'",
        f"tablee end {match} --reason '...'",
        f"tablee void {match} --reason '...'",
    )


def _gathering(match: str, position: Position, now: Instant) -> Advice:
    late = _seconds(position.at, now) > GATHERING_SECONDS
    return Advice(
        "gathering_long" if late else "gathering",
        since=position.at,
        commands=(f"tablee void {match} --reason '...'",),
    )


def _due(position: Position, meta: Meta, now: Instant, *, scheduled: bool) -> list[Advice]:
    """Tell when the index of instants says something else than the log: the clock would look too late, or never."""
    due = due_of(position)
    if due is None:
        return []
    if not scheduled:
        return [Advice("due_missing", urgent=True, commands=("tablee doctor --repair",))]
    # While a bot is late, the clock sets the next instant at which it will try again.
    latest = max(due, milliseconds_of(now)) + 1000 * _INDEX_OFF_SECONDS
    if meta.due is not None and meta.due <= latest:
        return []
    return [Advice("due_differs", urgent=True, commands=("tablee doctor --repair",))]


def _seconds(since: Instant, now: Instant) -> float:
    return (milliseconds_of(now) - milliseconds_of(since)) / 1000 if since else 0.0

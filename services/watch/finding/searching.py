"""Searching one log."""

from collections.abc import Iterator, Sequence

import msgspec

from domain.entries import StoredEntry, decode_envelope, decode_openings
from domain.games.registry import GAMES
from domain.instants import Instant
from domain.match.events import MATCH_EVENTS
from domain.match.evolve import evolve
from domain.match.fold import beginning, happened
from domain.sealing import unseal
from services.watch.finding.evaluation import CannotTell
from services.watch.finding.moments import Moment
from services.watch.finding.predicate import Predicate


def event_types(game: str | None = None) -> frozenset[str]:
    """Return the names of all kinds of events that a game has under any of its rules; None for all games."""
    games = (one for one in GAMES.values() if game in {None, one.key})
    own = (event for one in games for event in one.event_types)
    return frozenset(kind.__name__ for kind in (*MATCH_EVENTS, *own))


class Query(msgspec.Struct, frozen=True):
    """What is looked for in logs.

    Attributes:
        event: The kind of event; None for every kind.
        where: An expression that is true of the moment; None for every moment.
    """

    event: str | None = None
    where: str | None = None


class Hit(msgspec.Struct, frozen=True):
    """A moment that was found.

    Attributes:
        data: Its fields; what is sealed shows as a commitment.
    """

    match: str
    version: int
    at: Instant
    type: str
    data: msgspec.Raw


class Searched(msgspec.Struct, frozen=True):
    """What searching a log came to.

    Attributes:
        hits: The moments, in their order.
        evaluated: Of how many moments the expression was asked.
        failed: At how many of them it could not be evaluated.
        failure: The first of these, for people.
        left_out: Whether it was not searched, because that takes an unsealing.
        problem: Why it could not be searched.
    """

    match: str
    hits: tuple[Hit, ...] = ()
    evaluated: int = 0
    failed: int = 0
    failure: str = ""
    left_out: bool = False
    problem: str = ""


def search_events(match: str, entries: Sequence[StoredEntry], event: str, *, opened: bool) -> Searched:
    """Find events of a kind, without folding anything; opened, with what is sealed."""
    return Searched(match, tuple(_hit(match, entry, opened=opened) for entry in entries if _is(entry, event)))


def search_states(
    match: str, entries: Sequence[StoredEntry], predicate: Predicate, event: str | None
) -> Searched:
    """Find the moments of which an expression is true, in a log that may be looked into.

    With a kind of event, each such event of which it is true; without one, the moments at which it becomes true.
    """
    hits: list[Hit] = []
    evaluated = failed = 0
    failure, held = "", False
    for entry, moment in _moments(match, entries, event):
        evaluated += 1
        try:
            holds = predicate.holds(moment)
        except CannotTell as error:
            holds, failed = False, failed + 1
            failure = failure or f"match {match}, version {entry.version}: {error}"
        if holds and not (held and event is None):
            hits.append(_hit(match, entry, opened=True))
        held = holds
    return Searched(match, tuple(hits), evaluated, failed, failure)


def _moments(
    match: str, entries: Sequence[StoredEntry], event: str | None
) -> Iterator[tuple[StoredEntry, Moment]]:
    state = beginning(match).state
    for entry in entries:
        step, before = happened(state, entry), state
        state = evolve(before, step)
        if event is None or type(step.event).__name__ == event:
            actor = decode_envelope(entry.e).actor
            yield entry, Moment(match, step, actor, before, state)


def _is(entry: StoredEntry, event: str) -> bool:
    # Most events are not: looking for the name spares reading them.
    return event.encode() in entry.e and decode_envelope(entry.e).type == event


def _hit(match: str, entry: StoredEntry, *, opened: bool) -> Hit:
    envelope = decode_envelope(entry.e)
    data = envelope.data
    if opened and entry.s:
        plain = unseal(msgspec.json.decode(data), decode_openings(entry.s))
        data = msgspec.Raw(msgspec.json.encode(plain))
    return Hit(match, envelope.v, envelope.at, envelope.type, data)

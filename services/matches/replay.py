"""A whole match in one answer: the first view, then the changes of each event."""

from collections.abc import Iterable
from typing import Any

import msgspec

from domain.entries import StoredEntry, decode_envelope, decode_openings
from domain.match.fold import beginning, positions
from domain.match.state import Match
from domain.match.view import MatchView, match_view, viewer_of
from domain.sealing import redact, unseal
from domain.viewers import Viewer
from services.matches.changes import Change, JsonValue, changes

_TOLD_APART = ("version", "head", "at")
"""Fields of a view that change with every event: fields of the step itself, or left out."""


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event as the viewer sees it, and what it changes.

    Attributes:
        version: The event's version.
        type: Its type.
        at: When it was accepted.
        door: The door that its command came through.
        data: Its fields; those that stay sealed for the viewer hold their commitment.
        changes: What changes in the view; see :mod:`services.matches.changes`.
        seat: The seat that it was for.
        ends: Whether it is the last of its command: only such positions are worth stopping at.
        note: Why it was not the actor's own choice.
    """

    version: int
    type: str
    at: str
    door: str
    data: dict[str, Any]
    changes: list[list[Any]]
    seat: int | None = None
    ends: bool = False
    note: str = ""


class Replay(msgspec.Struct, frozen=True):
    """A match from its first event to a version.

    Attributes:
        match: The match's id.
        version: The version of the last step.
        viewer: The viewer's seat; None for a spectator.
        start: The view at version 1.
        steps: All later events, in order.
    """

    match: str
    version: int
    viewer: int | None
    start: dict[str, Any]
    steps: list[Step]


def replay(match: str, entries: Iterable[StoredEntry], seat: int | None, final: Match) -> Replay:
    """Return a match's replay for a seat (None: a spectator); once the match is over, nothing of it is hidden."""
    viewer = viewer_of(final, seat)
    kept = list(entries)
    start: dict[str, JsonValue] = {}
    before: dict[str, JsonValue] = {}
    steps: list[Step] = []
    for stored, position in zip(kept, positions(beginning(match), kept), strict=True):
        view = plain_view(match_view(position, viewer))
        if not start:
            start = view
        else:
            steps.append(_step(stored, viewer, _changes(before, view)))
        before = view
    return Replay(match, len(kept), seat, start, steps)


def plain_view(view: MatchView) -> dict[str, JsonValue]:
    """Return a view as the JSON that a client receives."""
    plain: dict[str, JsonValue] = msgspec.to_builtins(view, builtin_types=())
    return plain


def difference(before: MatchView, after: MatchView) -> list[Change]:
    """Return the changes between two views of a match."""
    return _changes(plain_view(before), plain_view(after))


def _changes(before: dict[str, JsonValue], after: dict[str, JsonValue]) -> list[Change]:
    old = {key: value for key, value in before.items() if key not in _TOLD_APART}
    new = {key: value for key, value in after.items() if key not in _TOLD_APART}
    return list(changes(old, new))


def _step(stored: StoredEntry, viewer: Viewer, row: list[Change]) -> Step:
    envelope = decode_envelope(stored.e)
    data: dict[str, JsonValue] = msgspec.json.decode(envelope.data)
    unseal(data, redact(decode_openings(stored.s), viewer))
    return Step(
        version=envelope.v,
        type=envelope.type,
        at=envelope.at,
        door=envelope.door,
        data=data,
        changes=row,
        seat=envelope.seat,
        ends=envelope.v == envelope.command.last,
        note=envelope.note,
    )

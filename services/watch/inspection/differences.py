"""What an event changes, with what was there before."""

from collections.abc import Iterator

import msgspec

from domain.match.view import MatchView
from services.matches.changes import JsonValue
from services.matches.replay import difference, plain_view


class Difference(msgspec.Struct, frozen=True):
    """One place of the state that an event changes.

    Attributes:
        pointer: Where, as a JSON Pointer (RFC 6901).
        before: What stood there, as JSON; empty for nothing.
        after: What stands there now, as JSON; empty for nothing.
    """

    pointer: str
    before: str
    after: str


def differences(before: MatchView | None, after: MatchView) -> tuple[Difference, ...]:
    """Return what differs between two views of a match (None: before its first event), in the order of the places."""
    if before is None:
        return tuple(Difference(f"/{name}", "", _json(value)) for name, value in _told(plain_view(after)))
    old = plain_view(before)
    rows = []
    for pointer, *value in difference(before, after):
        if isinstance(pointer, str):
            found, there = _at(old, pointer)
            rows.append(Difference(pointer, _json(found) if there else "", _json(value[0]) if value else ""))
    return tuple(sorted(rows, key=lambda row: _order(row.pointer)))


def _told(view: dict[str, JsonValue]) -> Iterator[tuple[str, JsonValue]]:
    return ((name, value) for name, value in view.items() if value not in (None, [], {}))


def _at(value: JsonValue, pointer: str) -> tuple[JsonValue, bool]:
    """Return what stands at a pointer, and whether anything does."""
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            return None, False
    return value, True


def _order(pointer: str) -> tuple[tuple[bool, int, str], ...]:
    return tuple(
        (step.isdecimal(), int(step) if step.isdecimal() else 0, step) for step in pointer.split("/")[1:]
    )


def _json(value: JsonValue) -> str:
    return msgspec.json.encode(value).decode()

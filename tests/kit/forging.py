"""Forged logs: one event replaced by another, sealed with the true seed and chained with matching hashes."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from domain.entries import StoredEntry, decode_envelope, encode_envelope, encode_openings
from domain.match.events import MatchCreated
from domain.sealing import Event, seal
from tests.kit.log import events_of, rechained


def forged(
    log: Sequence[StoredEntry], version: int, change: Callable[[Any], Event], match: str = "m1"
) -> list[StoredEntry]:
    """Return a log in which one event was changed, as somebody with the store and the seed could write it."""
    events = events_of(match, log)
    created = events[0]
    assert isinstance(created, MatchCreated)
    return rechained(
        match,
        [
            *log[: version - 1],
            _with(log[version - 1], change(events[version - 1]), created.seed),
            *log[version:],
        ],
    )


def _with(entry: StoredEntry, event: Event, seed: str) -> StoredEntry:
    data, openings = seal(event, entry.version, seed)
    envelope = msgspec.structs.replace(
        decode_envelope(entry.e), type=type(event).__name__, data=msgspec.Raw(msgspec.json.encode(data))
    )
    return StoredEntry(entry.version, encode_envelope(envelope), encode_openings(openings), entry.h)


def other(value: object) -> object:
    """Return a different value of the same kind."""
    if value is None:
        return 0
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return f"{value}x"
    if isinstance(value, tuple) and value:
        return (other(value[0]), *value[1:])
    return (0,)

"""Tampering with stored logs, as somebody with the store could."""

import json
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from domain.entries import StoredEntry
from domain.match.verification import verify

Log = list[StoredEntry]


def found(log: Iterable[StoredEntry], *, complete: bool = True) -> tuple[str, int]:
    """Return the result of verifying a log: the code and the first bad event; no code and 0 for a good log."""
    verdict = verify("m1", log, complete=complete)
    return verdict.code, verdict.bad_version


def changed(entry: StoredEntry, change: Callable[[dict[str, Any]], object]) -> StoredEntry:
    """Return an entry with an edited envelope and its old hash."""
    plain = json.loads(entry.e)
    change(plain)
    edited = json.dumps(plain, separators=(",", ":"), ensure_ascii=False)
    return msgspec.structs.replace(entry, e=edited.encode())


def reopened(entry: StoredEntry, change: Callable[[dict[str, Any]], object]) -> StoredEntry:
    """Return an entry with an edited first opening."""
    plain = json.loads(entry.s)
    change(plain[0])
    return msgspec.structs.replace(
        entry, s=json.dumps(plain, separators=(",", ":"), ensure_ascii=False).encode()
    )


def where_sealed(log: Log) -> list[int]:
    """Return the indexes of the entries that have openings."""
    return [index for index, entry in enumerate(log) if entry.s]


def replaced(log: Log, index: int, *entries: StoredEntry) -> Log:
    """Return the log with one entry replaced by others."""
    return [*log[:index], *entries, *log[index + 1 :]]

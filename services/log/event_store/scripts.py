"""The Lua scripts, and the meaning of the append script's replies."""

import hashlib
from importlib import resources
from typing import Any, Final, NamedTuple

from domain.errors import BrokenLog
from services.log.event_store.contract import (
    Answer,
    Appended,
    CommandReused,
    Conflict,
    Duplicate,
    Gone,
    KnownCommand,
    LimitReached,
    Status,
)


class Script(NamedTuple):
    """A script: its text, sent once, and its digest, by which the server knows it afterwards."""

    text: bytes
    digest: str


def read_script(package: str, name: str) -> Script:
    """Read a script that is a file of a package."""
    text = resources.files(package).joinpath(f"{name}.lua").read_bytes()
    return Script(text, hashlib.sha1(text, usedforsecurity=False).hexdigest())


def _script(name: str) -> Script:
    return read_script("services.log.event_store", name)


APPEND: Final = _script("append")
SET_DUE: Final = _script("set_due")
ADVANCE: Final = _script("advance")
JOIN: Final = _script("join")
LEASE: Final = _script("lease")
SECURE: Final = _script("secure")
TRIM_FEED: Final = _script("trim_feed")
RECORD_REFUSAL: Final = _script("record_refusal")
WRITE_TOMBSTONE: Final = _script("write_tombstone")
ADOPT: Final = _script("adopt")
HEAL: Final = _script("heal")


def append_answer(reply: list[Any]) -> Answer:
    """Read the reply of the append script.

    Raises:
        BrokenLog: The store contradicts itself; nothing was written.
    """
    match reply:
        case [b"appended", int(first), int(last), int()]:
            return Appended(first, last)
        case [b"duplicate", int(first), int(last)]:
            return Duplicate(first, last)
        case [b"reused", int(first), int(last)]:
            return CommandReused(first, last)
        case [b"gone", bytes(status)]:
            return Gone(Status(status.decode()))
        case [b"conflict", int(version), bytes(head)]:
            return Conflict(version, head)
        case [b"limit", int(version), int(limit)]:
            return LimitReached(version, limit)
        case [b"broken", int(version), bytes(found)]:
            raise BrokenLog("log.end_differs", version, f"the last entry is {found.decode()}")
        case _:
            raise AssertionError(f"the append script does not answer {reply!r}")


def find_command(records: bytes, command_id: str) -> KnownCommand | None:
    """Find a command in an actor's field of a meta hash, as the append script writes it."""
    for record in records.decode().splitlines():
        if record:
            known, fingerprint, first, last = record.split(" ")
            if known == command_id:
                return KnownCommand(fingerprint, int(first), int(last))
    return None

"""Where a key is in a cluster: its slot, and the names of keys that belong to no shard.

A cluster spreads keys over 16,384 slots by what stands in a key's first braces. Keys of a shard have its tag. All
others (people, clubs, plans, what is fixed for the installation) are written together in transactions and scripts, so
on a cluster they share a slot: ``tb:people:token:x`` is ``tb:{house}:people:token:x`` there. On a single server, names
are as they are written in the code. ``tb:{notices}:…`` has a slot of its own everywhere.
"""

from collections.abc import Sequence
from typing import Any, Final, TypeVar

from redis.crc import key_slot

from services.log.event_store.keys import PREFIX

_HOUSE: Final = f"{PREFIX}{{house}}:"
_PLAIN_BYTES: Final = PREFIX.encode()
_HOUSE_BYTES: Final = _HOUSE.encode()

_KEYLESS: Final = frozenset(
    (
        *(
            "ACL",
            "ASKING",
            "AUTH",
            "CLIENT",
            "CLUSTER",
            "COMMAND",
            "CONFIG",
            "DBSIZE",
            "DISCARD",
            "ECHO",
            "EXEC",
        ),
        *(
            "FLUSHALL",
            "FLUSHDB",
            "INFO",
            "LASTSAVE",
            "MEMORY",
            "MULTI",
            "PING",
            "READONLY",
            "READWRITE",
            "ROLE",
        ),
        *("SAVE", "SCAN", "SCRIPT", "SELECT", "TIME", "UNWATCH", "WAIT", "WAITAOF"),
    )
)
_ALL_KEYS: Final = frozenset(("DEL", "EXISTS", "MGET", "TOUCH", "UNLINK", "WATCH"))
_COUNTED_KEYS: Final = frozenset(("EVAL", "EVALSHA", "EVAL_RO", "EVALSHA_RO"))
_STREAM_READS: Final = frozenset(("XREAD", "XREADGROUP"))

HOUSE_SLOT: Final = key_slot(_HOUSE_BYTES)
"""The slot of all keys that belong to no shard."""

_Name = TypeVar("_Name", str, bytes)


def placed(key: _Name) -> _Name:
    """Return a key's name on a cluster."""
    if isinstance(key, bytes):
        is_plain = key.startswith(_PLAIN_BYTES) and b"{" not in key
        return _HOUSE_BYTES + key[len(_PLAIN_BYTES) :] if is_plain else key
    return _HOUSE + key[len(PREFIX) :] if key.startswith(PREFIX) and "{" not in key else key


def placed_pattern(pattern: str) -> str:
    """Return a pattern of keys as it is on a cluster; one of all keys stays as it is."""
    return pattern if pattern == f"{PREFIX}*" else placed(pattern)


def unplaced(key: bytes) -> bytes:
    """Return the name of a key in the code, from its name on a cluster."""
    return _PLAIN_BYTES + key[len(_HOUSE_BYTES) :] if key.startswith(_HOUSE_BYTES) else key


def key_places(command: Sequence[Any]) -> range:
    """Return at which places of a command its keys are.

    It knows the commands that the service sends; of one that it does not know, the first argument is the key.
    """
    name = str(command[0]).upper()
    if name.partition(" ")[0] in _KEYLESS and name != "MEMORY USAGE":
        return range(0)
    if name in _ALL_KEYS:
        return range(1, len(command))
    if name in _COUNTED_KEYS:
        return range(3, 3 + int(command[2]))
    if name in _STREAM_READS:
        first = 1 + next(at for at, word in enumerate(command) if word in {"STREAMS", b"STREAMS"})
        return range(first, first + (len(command) - first) // 2)
    return range(1, 2)


def placed_command(command: Sequence[Any]) -> tuple[Any, ...]:
    """Return a command with the names that its keys have on a cluster."""
    places = key_places(command)
    if not places:
        return tuple(command)
    return tuple(placed(part) if at in places else part for at, part in enumerate(command))


def slot_of(command: Sequence[Any]) -> int | None:
    """Return the slot of a command, by the first of its keys as they are on a cluster; None for one without keys."""
    places = key_places(command)
    if not places:
        return None
    key = command[places[0]]
    return key_slot(key if isinstance(key, bytes) else str(key).encode())

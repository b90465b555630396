"""All that the store keeps of a match beside its events, and where it contradicts them.

The service reads six fields of the record and the commands of one actor; somebody else may have written more.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

import msgspec
import redis.asyncio

from domain.entries import StoredEntry, decode_envelope
from domain.envelopes import is_actor
from services.log.event_store.contract import COMMANDS_KEPT, Meta, Status
from services.log.event_store.keys import ACTOR_FIELD, Keyspace
from services.log.redis_errors import available

_FIELDS: Final = frozenset({"version", "head", "status", "game", "rules", "due"})
_OF_TOMBSTONE: Final = _FIELDS - {"due"}
_SHOWN: Final = 5


Code = Literal["meta.unknown_field", "meta.commands_differ", "tombstone.not_empty"]


class KeptRecord(msgspec.Struct, frozen=True):
    """What was read of a match's keys.

    Attributes:
        events: How many events stand in the store.
        refusals: How many refused commands.
    """

    fields: Mapping[str, bytes]
    events: int = 0
    refusals: int = 0


class Contradiction(NamedTuple):
    """What contradicts the log.

    Attributes:
        version: The event that it is about.
    """

    code: Code
    version: int
    reason: str


class KeptRecords:
    """Reads records as a whole."""

    def __init__(self, client: "redis.asyncio.Redis", shards: int) -> None:
        self._client: Final = client
        self._keyspace: Final = Keyspace(shards)

    async def read(self, match: str) -> KeptRecord:
        """Return what the store keeps of a match.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        keys = self._keyspace.of_match(match)
        with available():
            pipe = self._client.pipeline(transaction=False)
            pipe.hgetall(keys.meta)
            pipe.xlen(keys.events)
            pipe.llen(keys.refused)
            fields, events, refusals = await pipe.execute()
        read = {_text(name): value for name, value in fields.items()}
        return KeptRecord(read, events, refusals)


def contradictions(kept: KeptRecord, meta: Meta, entries: Sequence[StoredEntry]) -> Iterator[Contradiction]:
    """Compare what is kept of a match with its record and its log, which is whole."""
    if kept.fields.get("version") != b"%d" % meta.version:
        # It has moved since.
        return
    archived = meta.status is Status.ARCHIVED
    known = _OF_TOMBSTONE if archived else _FIELDS
    actors = {name: value for name, value in kept.fields.items() if name.startswith(ACTOR_FIELD)}
    unknown = sorted(kept.fields.keys() - known - (frozenset() if archived else actors.keys()))
    if unknown:
        more = f" and {len(unknown) - _SHOWN} more" if len(unknown) > _SHOWN else ""
        named = ", ".join(map(repr, unknown[:_SHOWN])) + more
        yield Contradiction("meta.unknown_field", meta.version, f"the record holds {named}")
    if archived and (kept.events or kept.refusals):
        reason = (
            f"it is archived, and the store still holds {kept.events} events and {kept.refusals} refusals"
        )
        yield Contradiction("tombstone.not_empty", meta.version, reason)
    if actors and not archived:
        yield from _of_commands(actors, entries)


def _of_commands(actors: Mapping[str, bytes], entries: Iterable[StoredEntry]) -> Iterator[Contradiction]:
    commands = defaultdict[str, list[tuple[str, int, int]]](list)
    for entry in entries:
        envelope = decode_envelope(entry.e)
        if envelope.v == envelope.command.first:
            mark = envelope.command
            commands[envelope.actor].append((mark.id, mark.first, mark.last))
    for name, value in sorted(actors.items()):
        actor = name.removeprefix(ACTOR_FIELD)
        records = _records(value)
        if records is None or not is_actor(actor):
            yield Contradiction("meta.commands_differ", 1, f"the commands of {actor!r} cannot be read")
            continue
        right = commands[actor][-len(records) :]
        if records == right and len(records) <= COMMANDS_KEPT:
            continue
        wrong = next((one for one in records if one not in right), records[0])
        reason = f"the record has the command {wrong[0]!r} of {actor} at events {wrong[1]} to {wrong[2]}"
        detail = f"{reason}; the last {len(records)} of that actor in the log are others"
        yield Contradiction("meta.commands_differ", wrong[1], detail)


def _records(value: bytes) -> list[tuple[str, int, int]] | None:
    """Read an actor's commands as the append script writes them; None if they are not written so."""
    try:
        lines = value.decode().split("\n")
        read: list[Any] = [line.split(" ") for line in lines[1:]]
        found = [(command, int(first), int(last)) for command, _, first, last in read]
    except ValueError:
        return None
    return found if found and not lines[0] else None


def _text(name: bytes | str) -> str:
    return name.decode(errors="backslashreplace") if isinstance(name, bytes) else name

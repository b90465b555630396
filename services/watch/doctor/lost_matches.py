"""Matches, or ends of matches, of which something still knows, and the store does not."""

from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any, Final, NamedTuple

import redis.asyncio

from domain.errors import BrokenLog, Malformed
from services.log.archive.closed_matches import ClosedMatches
from services.log.event_store.contract import EventStore, Meta
from services.log.redis_errors import available
from services.projections.generations import Generations
from services.projections.ledger import Ledger
from services.watch.doctor.diagnosis import Diagnosis, act
from services.watch.doctor.pointers import feed_pages

_DO: Final = (
    "Stop the service. Look for a newer copy: the data folder's `log`, a backup, an export, the archive's file. "
    "`tablee import FILE` takes a whole match in again."
)


class Mention(NamedTuple):
    """Something that knows of a match.

    Attributes:
        version: The version that it knows; 0 if it knows none.
    """

    match: str
    where: str
    version: int = 0


async def mentions(
    client: "redis.asyncio.Redis", shards: int, shard: int, closed: ClosedMatches, copies: Iterable[str]
) -> AsyncIterator[Mention]:
    """Yield what a shard's feed and rows, the archive's files and its follower know of the shard's matches.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    for match in copies:
        yield Mention(match, "the archive")
    async for match, part, version in closed.mentioned(shard):
        yield Mention(match, f"the archive's list `{part}`", version)
    async for mention in _of_feed(client, shards, shard):
        yield mention
    generation = (await Generations(client, shards).standing()).current
    if generation is None:
        return
    with available():
        # The rows themselves are many times as long, and of no interest here.
        matches: Any = await client.hkeys(Ledger(client, shards).of(generation).rows(shard))
    for match in matches:
        yield Mention(_text(match), "the projection `matches`")


async def _of_feed(client: "redis.asyncio.Redis", shards: int, shard: int) -> AsyncIterator[Mention]:
    async for page in feed_pages(client, shards, shard):
        for entry_id, fields in page:
            position, last = _text(entry_id).partition("-")[0], fields.get(b"t", b"")
            where = f"pointer {position} of the feed's shard {shard}"
            yield Mention(_text(fields.get(b"m", b"")), where, int(last) if last.isdigit() else 0)


async def lost_matches(
    store: EventStore, metas: Mapping[str, Meta | None], found: AsyncIterator[Mention]
) -> list[Diagnosis]:
    """Name every match that something knows of and the store does not, and every end that is missing.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    suspects: dict[str, int] = {}
    wheres = defaultdict[str, dict[str, None]](dict)
    async for match, where, version in found:
        if match in metas:
            meta = metas[match]
            if meta is None or version <= meta.version:
                continue
        suspects[match] = max(version, suspects.get(match, 0))
        wheres[match].setdefault(where)
    named = []
    for match, version in sorted(suspects.items()):
        try:
            # It may have been made, or have moved, since the records were read.
            meta = await store.meta(match)
        except (BrokenLog, Malformed):
            meta = None
        if meta is None and match not in metas:
            named.append(_lost(match, version, list(wheres[match])))
        elif meta is not None and meta.version < version:
            named.append(_cut(match, version, meta.version, list(wheres[match])))
    return named


def _lost(match: str, version: int, wheres: list[str]) -> Diagnosis:
    events = f" with {version} events" if version else ""
    return act(
        "match.lost",
        f"{_knowing(wheres)} the match {match}{events}; the store has no record of it.",
        "The match, or its record, was deleted, or the store is an older copy of itself. Nobody can look at it.",
        _DO,
        match,
    )


def _cut(match: str, version: int, present: int, wheres: list[str]) -> Diagnosis:
    return act(
        "match.cut",
        f"{_knowing(wheres)} event {version} of {match}; its log ends with event {present}.",
        "Events that were acknowledged are gone: the end was cut off, or the store is an older copy of itself.",
        _DO,
        match,
        present + 1,
    )


def _knowing(wheres: list[str]) -> str:
    first, *more = wheres
    said = first[0].upper() + first[1:]
    return f"{said}{f' and {len(more)} more place(s) know' if more else ' knows'}"


def _text(value: bytes | str) -> str:
    return value.decode(errors="backslashreplace") if isinstance(value, bytes) else value

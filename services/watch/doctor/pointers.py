"""Does the feed point to what the logs hold?"""

from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec
import redis.asyncio

from domain.entries import Envelope, StoredEntry, decode_envelope
from domain.errors import BrokenLog, Malformed
from services.log.event_store.contract import EventStore
from services.log.event_store.keys import CONSUMER_FIELD, Keyspace
from services.log.redis_errors import available
from services.watch.doctor.diagnosis import Diagnosis, act

_AT_ONCE: Final = 1000
_ATTEMPTS: Final = 3


class _Row(NamedTuple):
    position: int
    match: str
    first: int
    last: int
    types: tuple[str, ...]


async def judge_pointers(
    log: EventStore, client: "redis.asyncio.Redis", shard: int
) -> AsyncIterator[Diagnosis]:
    """Compare every pointer of a shard's feed with the events that it points to.

    Raises:
        StoreUnavailable: The store or the archive did not answer.
    """
    expected: int | None = None
    async for page in feed_pages(client, log.shards, shard):
        rows, malformed = _read(page)
        for position in malformed:
            yield _altered(shard, position, "it is not what the service writes")
        for row in rows:
            if expected is not None and row.position != expected:
                yield _altered(shard, expected, f"it is missing; the next one is {row.position}")
            expected = row.position + 1
        for row, reason in await _wrong(log, rows):
            yield _altered(shard, row.position, reason, row.match, row.first)
    if (end := await _ends_wrongly(client, log.shards, shard)) is not None:
        yield _altered(shard, *end)


async def feed_pages(
    client: "redis.asyncio.Redis", shards: int, shard: int
) -> AsyncIterator[list[tuple[bytes, dict[bytes, bytes]]]]:
    """Yield what stands in a shard's feed, readable or not, page by page.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    feed, after, more = Keyspace(shards).of_shard(shard).feed, "-", True
    while more:
        with available():
            page: Any = await client.xrange(feed, after, "+", _AT_ONCE)
        yield page
        more = len(page) == _AT_ONCE
        after = f"({page[-1][0].decode()}" if more else after


def _read(page: Iterable[tuple[bytes, dict[bytes, bytes]]]) -> tuple[list[_Row], list[int]]:
    """Return the pointers of a page, and the positions of those that cannot be read."""
    rows: list[_Row] = []
    malformed: list[int] = []
    for entry_id, fields in page:
        position = int(entry_id.partition(b"-")[0])
        try:
            rows.append(_row(position, entry_id, fields))
        except (ValueError, KeyError):
            malformed.append(position)
    return rows, malformed


def _row(position: int, entry_id: bytes, fields: dict[bytes, bytes]) -> _Row:
    if [*fields] != [b"m", b"f", b"t", b"y"] or entry_id != b"%d-0" % position:
        raise ValueError(entry_id)
    types = tuple(fields[b"y"].decode().split(","))
    return _Row(position, fields[b"m"].decode(), int(fields[b"f"]), int(fields[b"t"]), types)


async def _wrong(log: EventStore, rows: Iterable[_Row]) -> list[tuple[_Row, str]]:
    by_match = defaultdict[str, list[_Row]](list)
    for row in rows:
        by_match[row.match].append(row)
    wrong = []
    for match, some in by_match.items():
        first, last = min(row.first for row in some), max(row.last for row in some)
        try:
            entries = await log.read(match, first - 1, last) if 1 <= first <= last else []
        except (BrokenLog, Malformed, ValueError):
            # What is wrong with the log is told of the log.
            continue
        for row in some if entries else ():
            reason = _reason(row, entries, first)
            if reason is not None and not await _tells_a_whole_log(log, row):
                wrong.append((row, reason))
    return wrong


async def _tells_a_whole_log(log: EventStore, row: _Row) -> bool:
    """Tell whether a pointer is that of a log that was taken in, or healed, at once: it tells each type once."""
    try:
        envelopes = [decode_envelope(entry.e) for entry in await log.read(row.match, 0, row.last)]
    except (BrokenLog, ValueError, msgspec.MsgspecError):
        return False
    if not 1 <= row.first <= row.last == len(envelopes):
        return False
    begins, ends = envelopes[row.first - 1].command.first == row.first, envelopes[-1].command.last == row.last
    return begins and ends and row.types == tuple(dict.fromkeys(one.type for one in envelopes))


def _reason(row: _Row, entries: Sequence[StoredEntry], first: int) -> str | None:
    """Return how a pointer contradicts the events that it points to; None for not at all."""
    pointed = entries[row.first - first : row.last - first + 1]
    if row.first < 1 or len(pointed) != row.last - row.first + 1:
        # An end that is missing is told with all that know of it.
        return "it points to no events" if row.first > row.last or row.first < 1 else None
    try:
        envelopes = [decode_envelope(entry.e) for entry in pointed]
    except msgspec.DecodeError:
        return None
    types = tuple(envelope.type for envelope in envelopes)
    if _is_command(row, envelopes) and row.types == types:
        return None
    return f"it tells of events {row.first} to {row.last} as {', '.join(row.types)}; the log has {', '.join(types)}"


def _is_command(row: _Row, envelopes: Sequence[Envelope]) -> bool:
    mark = envelopes[0].command
    return (mark.first, mark.last) == (row.first, row.last)


async def _ends_wrongly(client: "redis.asyncio.Redis", shards: int, shard: int) -> tuple[int, str] | None:
    """Return the position at which a shard's feed begins too late or ends too early, and why; None for neither."""
    keys, found = Keyspace(shards).of_shard(shard), None
    for _ in range(_ATTEMPTS):
        # Others write and trim it meanwhile: what is wrong stays wrong.
        with available():
            fields: Any = await client.hgetall(keys.shard)
            first: Any = await client.xrange(keys.feed, "-", "+", 1)
            last: Any = await client.xrevrange(keys.feed, "+", "-", 1)
        head = int(fields.get(b"position", 0))
        prefix = CONSUMER_FIELD.encode()
        read = min((int(value) for name, value in fields.items() if name.startswith(prefix)), default=0)
        begins = int(first[0][0].partition(b"-")[0]) if first else head + 1
        ends = int(last[0][0].partition(b"-")[0]) if last else head
        if ends < head:
            found = ends + 1, f"it is missing; {head} were written"
        elif ends > head:
            found = head + 1, f"it stands there although only {head} were written"
        elif begins > read + 1:
            found = read + 1, f"it is missing, although not everybody has read it; the first one is {begins}"
        else:
            return None
    return found


def _altered(shard: int, position: int, reason: str, match: str = "", version: int = 0) -> Diagnosis:
    return act(
        "feed.altered",
        f"Pointer {position} of the feed's shard {shard} is not what the log says: {reason}.",
        "Somebody has written to the store, or it has lost something. Lists, bots and the archive follow the feed.",
        "Keep a copy of the data folder. What counts are the logs: `tablee rebuild matches` and `tablee archive "
        "--scan` read them anew.",
        match,
        version,
    )

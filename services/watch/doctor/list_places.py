"""Does everything that stands in an index of the rows belong there?"""

from collections.abc import AsyncIterator
from typing import Any, Final

import msgspec
import redis.asyncio

from services.log.redis_errors import available
from services.projections.generations import Generations
from services.projections.keys import RowSet
from services.projections.ledger import Ledger
from services.projections.matches import INDEXES, NAME, marks_of
from services.watch.doctor.diagnosis import Diagnosis
from services.watch.findings import Severity

_AT_ONCE: Final = 1000


async def judge_places(client: "redis.asyncio.Redis", shards: int, shard: int) -> AsyncIterator[Diagnosis]:
    """Compare a shard's indexes with its rows: a match that stands where it does not belong is listed where it is not.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    generation = (await Generations(client, shards).standing()).current
    if generation is None:
        return
    ledger = Ledger(client, shards)
    rows = ledger.of(generation)
    with available():
        pipe = client.pipeline(transaction=False)
        for name in INDEXES:
            pipe.zcard(rows.index(shard, name))
        sizes = await pipe.execute()
    for name, size in zip(INDEXES, sizes, strict=True):
        for start in range(0, size, _AT_ONCE):
            async for match in _misplaced(client, ledger, rows, shard, name, start):
                yield _said(match, name)


async def _misplaced(
    client: "redis.asyncio.Redis", ledger: Ledger, rows: RowSet, shard: int, name: str, start: int
) -> AsyncIterator[str]:
    index = rows.index(shard, name)
    with available():
        found: Any = await client.zrange(index, start, start + _AT_ONCE - 1, withscores=True)
    ids = [match.decode(errors="backslashreplace") for match, _ in found]
    kept = await ledger.rows(rows, ids)
    for match, (_, score) in zip(ids, found, strict=True):
        if _belongs(kept.get(match), name, score):
            continue
        # It may have moved meanwhile: row and indexes change in one step.
        row = (await ledger.rows(rows, [match])).get(match)
        with available():
            again = await client.zscore(index, match)
        if again is not None and not _belongs(row, name, again):
            yield match


def _belongs(row: bytes | None, name: str, score: float) -> bool:
    try:
        return row is not None and marks_of(row).get(name) == score
    except (msgspec.MsgspecError, LookupError, ValueError, TypeError):
        return False


def _said(match: str, name: str) -> Diagnosis:
    return Diagnosis(
        "rows.misplaced",
        Severity.LOOK,
        f"{match} stands in the index `{name}` of the projection `{NAME}`, where by its row it does not belong.",
        "Lists and searches show it wrongly; the match itself is not touched.",
        f"`tablee doctor --repair`, or `tablee rebuild {NAME}`, builds the rows anew.",
        match,
        repair="rows",
    )

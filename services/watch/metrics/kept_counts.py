"""Counts of the processes that nobody can ask: workers and loops, added up on the jobs' server.

They are kept in one hash, ``tablee:counts``. Like everything there it may be lost: a count that begins anew is nothing
new to Prometheus. ``tablee:alive:loops`` says that the loops live; it vanishes when they do not say so again.
"""

from typing import Final

import msgspec
import redis
import redis.asyncio

from services.process.counted import COUNTED
from services.process.counts import Counts, Labels

_KEY: Final = "tablee:counts"
_ALIVE: Final = "tablee:alive:loops"

ALIVE_SECONDS: Final = 15
"""After so many seconds without a word the loops are taken for dead."""

_BUCKETS: Final = {measure.name: len(measure.buckets) + 1 for measure in COUNTED}


class _Field(msgspec.Struct, frozen=True, array_like=True):
    name: str
    labels: Labels
    part: str


_FIELDS: Final = msgspec.json.Decoder(_Field)


def keep_counts(client: "redis.Redis", counts: Counts, *, loops_live: bool = False) -> None:
    """Add up what a process has counted.

    Raises:
        redis.exceptions.RedisError: The server did not take it.
    """
    with client.pipeline(transaction=False) as pipe:
        for (name, labels), part, value in counts.parts():
            field = msgspec.json.encode(_Field(name, labels, part))
            if part == "sum":
                pipe.hincrbyfloat(_KEY, field, value)
            else:
                pipe.hincrby(_KEY, field, int(value))
        if loops_live:
            pipe.set(_ALIVE, 1, ex=ALIVE_SECONDS)
        pipe.execute()


async def kept_counts(client: "redis.asyncio.Redis") -> Counts:
    """Return what all workers and loops have counted.

    Raises:
        redis.exceptions.RedisError: The server did not answer.
    """
    counts = Counts()
    for field, value in (await client.hgetall(_KEY)).items():
        try:
            found = _FIELDS.decode(field)
            # Another release may have counted other things, or in other buckets.
            if found.name in _BUCKETS:
                counts.put((found.name, found.labels), found.part, float(value), _BUCKETS[found.name])
        except (msgspec.MsgspecError, ValueError):
            continue
    return counts


async def loops_live(client: "redis.asyncio.Redis") -> bool:
    """Tell whether the loops have given a sign of life.

    Raises:
        redis.exceptions.RedisError: The server did not answer.
    """
    return bool(await client.exists(_ALIVE))

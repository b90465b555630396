"""Gathering what the log's server and its feed say of themselves."""

import time
from collections.abc import AsyncIterator
from typing import Final

import redis.asyncio

from services.log.embedded.durability import Verdict, check_durability_async
from services.log.event_store.keys import PREFIX, match_of
from services.log.redis_errors import available
from services.watch.doctor.machine import ClockFacts, MemoryFacts, machine_memory

_EVENTS_PATTERN: Final = f"{PREFIX}{{s*}}:m:*:ev"


async def store_facts(
    client: "redis.asyncio.Redis", *, here: bool
) -> tuple[Verdict, MemoryFacts, ClockFacts]:
    """Ask the log's server for its durability, its memory and its clock.

    Args:
        client: A client of it.
        here: Whether it runs on this machine, whose memory then counts as well.

    Raises:
        StoreUnavailable: It did not answer.
    """
    with available():
        verdict = await check_durability_async(client)
        memory = await client.info("memory")
        before = time.time()
        seconds, microseconds = await client.time()
        after = time.time()
    total, left = machine_memory() if here else (0, 0)
    used, most = int(memory["used_memory"]), int(memory.get("maxmemory", 0))
    clock = ClockFacts(
        here=round((before + after) * 500), store=round(int(seconds) * 1000 + int(microseconds) / 1000)
    )
    return verdict, MemoryFacts(used, most, total, left), clock


async def matches_with_events(client: "redis.asyncio.Redis") -> AsyncIterator[str]:
    """Yield the matches of which the store has events, whether it has a record of them or not.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    with available():
        async for key in client.scan_iter(match=_EVENTS_PATTERN, count=1000):
            yield match_of(_text(key))


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value

"""The whole log at the end: it still verifies, and its records agree with its events."""

import asyncio

from domain.match.verification import verify
from services.log.event_store.redis_store import RedisEventStore
from tests.fuzz.service import Running


def all_verify(running: Running) -> list[str]:
    """Return what is wrong with any match of the log."""
    return asyncio.run(_all_verify(running.log_store_url))


async def _all_verify(url: str) -> list[str]:
    store = await RedisEventStore.open(url)
    found = []
    try:
        async for match in store.matches():
            verdict = verify(match, await store.read(match), complete=True)
            meta = await store.meta(match)
            if not verdict.good:
                found.append(
                    f"{match} does not verify: {verdict.code} at {verdict.bad_version} {verdict.detail}"
                )
            if meta is None or (meta.version, meta.head.hex()) != (verdict.events, verdict.head):
                found.append(
                    f"{match}: the record is {meta}, the log ends at {verdict.events} {verdict.head}"
                )
    finally:
        await store.close()
    return found

"""How many workers are alive, read from RQ's own keys: RQ itself would block the event loop."""

from datetime import UTC, datetime
from typing import Final

import redis.asyncio

from domain.instants import Instant, milliseconds_of

WORKER_SILENCE_SECONDS: Final = 30.0
"""A worker reports every ten seconds when it is idle, and every five while it plays."""

WORKERS_KEY: Final = "rq:workers:bots"
"""RQ's own name for those who take bots' jobs (a test holds it against RQ)."""


async def live_workers(client: "redis.asyncio.Redis", now: Instant) -> int:
    """Return how many workers have reported lately.

    Raises:
        redis.exceptions.RedisError: The jobs' server did not answer.
    """
    names = sorted(await client.smembers(WORKERS_KEY))
    beats = [await client.hget(name, "last_heartbeat") for name in names]
    return sum(beat is not None and _silence(beat, now) <= WORKER_SILENCE_SECONDS for beat in beats)


def _silence(beat: bytes | str, now: Instant) -> float:
    """Return the seconds since a heartbeat, which RQ writes in its own way."""
    text = beat.decode(errors="replace") if isinstance(beat, bytes) else beat
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        # Perhaps another release of RQ. A heartbeat that cannot be read does not count.
        return float("inf")
    return milliseconds_of(now) / 1000 - at.replace(tzinfo=at.tzinfo or UTC).timestamp()

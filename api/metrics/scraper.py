"""Putting the metrics together: what this process has counted, what workers and loops have, and what the stores say."""

import asyncio
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Final

from redis.exceptions import RedisError

from api.parts import Parts
from services.bootstrap import present_instant
from services.bootstrap.clients import LOOKING, client
from services.jobs.servers import job_servers
from services.log.archive.storage import S3
from services.log.high_water_mark import HighWaterMarkFile
from services.process.counts import Counts
from services.watch.metrics.kept_counts import kept_counts
from services.watch.metrics.read import BUILD, DURABLE, STREAMS
from services.watch.metrics.readings import PATIENCE_SECONDS, Reading, Sources, readings

FRESH_SECONDS: Final = 1.0
"""For how long an answer serves whoever else asks: who asks too often must not burden the stores."""


class Scraper:
    """Answers who asks for metrics."""

    def __init__(self, parts: Parts, *own: Counts) -> None:
        """Take the parts, and what counts in this process and is not handed over."""
        settings, application = parts.settings, parts.application
        self._parts: Final = parts
        self._own: Final = own
        servers = job_servers(settings)
        urls = () if servers is None else servers.urls
        self._jobs: Final = [client(url, LOOKING) for url in urls]
        archive = settings.archive_address
        self._sources: Final = Sources(
            application.store,
            application.log_client,
            tuple(self._jobs),
            application.digests,
            settings.data_folder,
            HighWaterMarkFile(settings.data_folder, settings.log_store_url or ""),
            None if archive.startswith(S3) else Path(archive),
            present_instant,
        )
        self._asking: Final = asyncio.Lock()
        self._answered_at = float("-inf")
        self._answer = b""

    async def text(self) -> bytes:
        """Return all metrics as text; whatever a store does not tell is left out."""
        async with self._asking:
            present = asyncio.get_running_loop().time()
            if present - self._answered_at > FRESH_SECONDS:
                self._answer = await self._text()
                self._answered_at = present
        return self._answer

    async def close(self) -> None:
        """Give the connections back."""
        for one in self._jobs:
            await one.aclose()

    async def _text(self) -> bytes:
        from api.metrics.exposition import exposition

        counts = Counts()
        for own in self._own:
            counts.merge(own)
        counts.merge(await self._elsewhere())
        found = [
            Reading(BUILD, (version("tablee"), platform.python_version()), 1),
            Reading(STREAMS, (), self._parts.streams.open),
            Reading(DURABLE, (), self._parts.durability.verdict.durable == "yes"),
        ]
        return exposition(counts, [*found, *await readings(self._sources)])

    async def _elsewhere(self) -> Counts:
        if not self._jobs:
            return Counts()
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                return await kept_counts(self._jobs[0])
        except (RedisError, OSError):
            # `tablee_store_up` says so.
            return Counts()

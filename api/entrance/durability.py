"""Watching whether the log's server takes writes and keeps what it acknowledges. If not, answers say so."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog
from redis.exceptions import RedisError

from services.errors import StoreUnavailable
from services.log.embedded.durability import DurabilityVerdict

_log = structlog.get_logger(__name__)

CHECK_EVERY = 2.0
"""Seconds between two looks: an operator may change a server's settings while it runs."""

WRITES = "ok"

UNKNOWN = DurabilityVerdict("unknown", reason="the log's server has not answered yet")


class DurabilityWatch:
    """The last verdict on the log's server.

    Attributes:
        check: Asks the server.
        check_writes: Raises if the log would take no write.
        verdict: The last verdict.
        writes: ``ok``, or the code with which commands are refused.
        header: The value of the header ``Tablee-Durability``; empty while all is well.
    """

    def __init__(
        self, check: Callable[[], Awaitable[DurabilityVerdict]], check_writes: Callable[[], Awaitable[None]]
    ) -> None:
        self.check = check
        self.check_writes = check_writes
        self.writes = WRITES
        self.verdict = UNKNOWN
        # Before the first look, answers must promise nothing.
        self.header = b"unknown"

    async def look(self) -> DurabilityVerdict:
        """Ask the server and keep the verdict.

        Raises:
            redis.exceptions.RedisError: It does not answer; the last verdict remains.
        """
        verdict = await self.check()
        if verdict != self.verdict and verdict.durable != "yes":
            problems = {problem.code: problem.remedy for problem in verdict.problems}
            _log.warning("durability_weak", durable=verdict.durable, problems=problems, reason=verdict.reason)
        self.verdict = verdict
        self.header = {"yes": b"", "no": b"weak", "unknown": b"unknown"}[verdict.durable]
        await self._look_at_writes()
        return verdict

    async def _look_at_writes(self) -> None:
        before, reason = self.writes, ""
        try:
            await self.check_writes()
        except StoreUnavailable as error:
            self.writes, reason = error.code, str(error)
        else:
            self.writes = WRITES
        if self.writes == before:
            return
        if self.writes == WRITES:
            _log.info("log_takes_writes_again")
        else:
            _log.error("log_takes_no_writes", code=self.writes, reason=reason, remedy="tablee doctor")

    async def try_to_look(self) -> None:
        """Ask the server; change nothing if it does not answer."""
        try:
            await self.look()
        except (RedisError, OSError) as error:
            _log.warning("durability_not_checked", error=str(error))

    async def run(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            await asyncio.sleep(CHECK_EVERY)
            await self.try_to_look()

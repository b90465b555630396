"""What a worker keeps open from one job to the next: an event loop, the service's parts, and its clients.

To open them takes longer than to play a turn. A worker that serves one job only needs none of this.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import copy_context
from typing import Any, Final, TypeVar

import redis

from services.bootstrap.clients import Purpose, blocking_client
from services.bootstrap.parts import Application, Opening
from services.errors import OutcomeUnknown, StoreUnavailable
from services.process.event_loops import quick_loop

Result = TypeVar("Result")

_BEFORE_RQ_SECONDS: Final = 1.0


class OpenHouse:
    """Keeps things open, once it is told to.

    Attributes:
        stays: Whether it does.
        beat: Called now and then while a job waits: whoever waits is alive.
    """

    def __init__(self) -> None:
        self.stays = False
        self.beat: Callable[[], None] = lambda: None
        self._runner: asyncio.Runner | None = None
        self._stack = AsyncExitStack()
        self._parts: Application | None = None
        self._clients: Final[dict[tuple[str, Purpose], redis.Redis]] = {}

    def run(self, work: Coroutine[Any, Any, Result], seconds: float) -> Result:
        """Run a job's work to its end, for so many seconds at most.

        RQ's own alarm does not reach work that waits: the loop swallows what a signal's handler raises. It ends work
        that computes for ever, a moment later.

        Raises:
            TimeoutError: The time was up.
        """
        work = _within(work, seconds - _BEFORE_RQ_SECONDS)
        if not self.stays:
            return asyncio.run(work)
        self._runner = self._runner or asyncio.Runner(loop_factory=quick_loop())
        # Its own context would be the first job's for ever, and every later line would tell that job's correlation id.
        return self._runner.run(work, context=copy_context())

    @asynccontextmanager
    async def parts(self, opening: Opening) -> AsyncIterator[Application]:
        """Give the service's parts; after trouble with the log they are opened anew."""
        if not self.stays:
            async with opening() as parts:
                yield parts
            return
        if self._parts is None:
            self._parts = await self._stack.enter_async_context(opening())
        try:
            yield self._parts
        except (StoreUnavailable, OutcomeUnknown):
            self._parts, stack, self._stack = None, self._stack, AsyncExitStack()
            await stack.aclose()
            raise

    def client(
        self, url: str, purpose: Purpose, make: Callable[[str, Purpose], "redis.Redis"] = blocking_client
    ) -> "redis.Redis":
        """Return a client of a server, which is closed by :meth:`done_with` unless the house stays open."""
        if not self.stays:
            return make(url, purpose)
        key = url, purpose
        if key not in self._clients:
            self._clients[key] = make(url, purpose)
        return self._clients[key]

    def done_with(self, client: "redis.Redis") -> None:
        """Close a client, unless the house stays open."""
        if not self.stays:
            client.close()

    def close(self) -> None:
        """Close everything, at a worker's end."""
        if self._runner is not None:
            self._runner.run(self._stack.aclose())
            self._runner.close()
        for client in self._clients.values():
            client.close()


async def _within(work: Coroutine[Any, Any, Result], seconds: float) -> Result:
    async with asyncio.timeout(seconds):
        return await work


HOUSE: Final = OpenHouse()
"""That of this process."""

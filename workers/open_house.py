"""What a worker keeps open from one job to the next: an event loop, the service's parts, and its clients.

To open them takes longer than to play a turn. The loop runs in a thread of its own, so that a move whose time has not
come yet is made while the main thread, in which jobs are taken and thought about, is with other tables. A worker that
serves one job only needs none of this.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from concurrent.futures import Future, wait
from contextlib import AsyncExitStack, asynccontextmanager
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, TypeVar

import redis

from services.bootstrap.clients import Purpose, blocking_client
from services.bootstrap.parts import Application, Opening
from services.errors import OutcomeUnknown, StoreUnavailable
from services.matches.hands import HANDS, Hands
from services.process.event_loops import quick_loop

Result = TypeVar("Result")

PATIENCE_SECONDS: Final = 20.0
"""How long a move that was thought about waits for a log that is away."""

_AGAIN_SECONDS: Final = 0.2
_BEFORE_RQ_SECONDS: Final = 1.0
_LAST_MOVES_SECONDS: Final = 10.0
"""How long a worker that ends waits for moves whose time has not come."""


class _Errand(Hands):
    """One job's work on the loop, and what it wants the main thread to think about meanwhile."""

    def __init__(self) -> None:
        self._thoughts: Final[SimpleQueue[Callable[[], None] | None]] = SimpleQueue()

    async def think(self, thought: Callable[[], Result]) -> Result:
        """Have the main thread think, and return what it comes to."""
        if self.left:
            raise RuntimeError("nobody is there to think for work that was left")
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Result] = loop.create_future()

        def answered(tell: Callable[[Any], None], what: Any) -> None:
            if not answer.done():
                tell(what)

        def think() -> None:
            try:
                found = thought()
            except BaseException as error:
                loop.call_soon_threadsafe(answered, answer.set_exception, error)
                if not isinstance(error, Exception):
                    raise
            else:
                loop.call_soon_threadsafe(answered, answer.set_result, found)

        self._thoughts.put(think)
        return await answer

    def leave(self) -> None:
        """Let the main thread go on to other jobs."""
        self.left = True
        self._thoughts.put(None)

    async def carry_out(self, act: Callable[[], Awaitable[Result]]) -> Result:
        """Do it; while the log is away, try again, since the thought cannot be had again."""
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return await act()
            except (StoreUnavailable, OutcomeUnknown):
                if not self.left or time.monotonic() >= end:
                    raise
            await asyncio.sleep(_AGAIN_SECONDS)

    def attend(self, work: "Future[Any]") -> None:
        """Think for the work, until it is done or wants nobody to wait for it."""
        work.add_done_callback(lambda _: self._thoughts.put(None))
        try:
            while (thought := self._thoughts.get()) is not None:
                thought()
        except BaseException:  # RQ's alarm, or the process shall end
            work.cancel()
            raise


class _Kept:
    """The parts while they are kept, and by how many they are in use."""

    def __init__(self) -> None:
        self.stack: Final = AsyncExitStack()
        self.users = 0
        self.is_current = True
        self.parts: Application | None = None

    async def close_if_unused(self) -> None:
        if not (self.is_current or self.users):
            await self.stack.aclose()


class OpenHouse:
    """Keeps things open, once it is told to.

    Attributes:
        stays: Whether it does.
        beat: Called now and then while a job waits: whoever waits is alive.
    """

    def __init__(self) -> None:
        self.stays = False
        self.beat: Callable[[], None] = lambda: None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None
        self._left: Final[set[Future[Any]]] = set()
        self._kept: _Kept | None = None
        self._clients: Final[dict[tuple[str, Purpose], redis.Redis]] = {}

    def run(self, work: Coroutine[Any, Any, Result], seconds: float) -> Result | None:
        """Run a job's work, for so many seconds at most; None if it goes on without the job.

        RQ's own alarm does not reach work that waits. It ends work that computes for ever, a moment later.

        Raises:
            TimeoutError: The time was up.
        """
        work = _within(work, seconds - _BEFORE_RQ_SECONDS)
        if not self.stays:
            return asyncio.run(work)
        errand = _Errand()
        # The work runs in a copy of this context, so every line tells this job's correlation id.
        token = HANDS.set(errand)
        try:
            future = asyncio.run_coroutine_threadsafe(work, self._running_loop())
        finally:
            HANDS.reset(token)
        errand.attend(future)
        if future.done() or not errand.left:
            return future.result()
        self._left.add(future)
        future.add_done_callback(self._left.discard)
        return None

    @asynccontextmanager
    async def parts(self, opening: Opening) -> AsyncIterator[Application]:
        """Give the service's parts; after trouble with the log they are opened anew."""
        if not self.stays:
            async with opening() as parts:
                yield parts
            return
        if self._kept is None or self._kept.parts is None:
            self._kept = _Kept()
            self._kept.parts = await self._kept.stack.enter_async_context(opening())
        kept, found = self._kept, self._kept.parts
        kept.users += 1
        try:
            yield found
        except (StoreUnavailable, OutcomeUnknown):
            kept.is_current = False
            if self._kept is kept:
                self._kept = None
            raise
        finally:
            kept.users -= 1
            # Moves that wait for their time may still need them.
            await kept.close_if_unused()

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
        """Make the moves that wait for their time, and close everything, at a worker's end."""
        if self._loop is not None and self._thread is not None:
            wait(list(self._left), timeout=_LAST_MOVES_SECONDS)
            asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
        for client in self._clients.values():
            client.close()

    async def _close(self) -> None:
        if self._kept is not None:
            await self._kept.stack.aclose()
        await asyncio.get_running_loop().shutdown_default_executor()

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            self._loop = (quick_loop() or asyncio.new_event_loop)()
            self._thread = Thread(target=self._loop.run_forever, name="house", daemon=True)
            self._thread.start()
        return self._loop


async def _within(work: Coroutine[Any, Any, Result], seconds: float) -> Result:
    async with asyncio.timeout(seconds):
        return await work


HOUSE: Final = OpenHouse()
"""That of this process."""

"""Answers made from a whole log (a replay, all its lines): one at a time, beside the event loop, then kept.

A log of ten thousand events takes more than a second. Thirty readers at once would hold up everybody's moves, and the
store's answers would time out.
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, Final, TypeVar, cast

from services.errors import MatchesBusy
from services.log.kept_files import KeptFiles
from services.matches.kept_answers import KeptAnswer

T = TypeVar("T")

MOST_WAITING: Final = 16
"""How many different answers may wait at once; further requests are refused and may come again."""

MOST_OF_ONE: Final = 4
"""How many of them one asker may wait for."""

KEPT: Final = 32 * 1024 * 1024
"""Bytes of answers that one process keeps."""


class WholeMatches:
    """Makes answers and keeps the latest."""

    def __init__(self, kept: int = KEPT, files: KeptFiles | None = None) -> None:
        self._most = kept
        self._files = files
        self._kept: OrderedDict[Hashable, tuple[object, int]] = OrderedDict()
        self._size = 0
        self._making: dict[Hashable, asyncio.Task[Any]] = {}
        self._asked_by: Counter[str] = Counter()
        self._turn = asyncio.Lock()

    async def made(
        self,
        key: Hashable,
        asker: str,
        make: Callable[[], Awaitable[T]],
        size: Callable[[T], int],
        over_restarts: KeptAnswer[T] | None = None,
    ) -> T:
        """Return the answer for a key; make it unless it is kept.

        Args:
            key: Everything that the answer depends on, above all the match's version and the viewer.
            asker: Who asks, for their share of those that wait.
            make: Makes it. It finishes even if the asker goes away: others may wait for the same.
            size: The bytes to count for it.
            over_restarts: How it is kept in files as well; None for not at all.

        Raises:
            MatchesBusy: Too many others wait.
        """
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            return cast("T", kept[0])
        task = self._making.get(key)
        if task is None:
            if len(self._making) >= MOST_WAITING or self._asked_by[asker] >= MOST_OF_ONE:
                raise MatchesBusy
            self._asked_by[asker] += 1
            task = asyncio.create_task(self._make(key, asker, make, size, over_restarts))
            self._making[key] = task
            # Perhaps nobody is left to receive an error; retrieve it here.
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return cast("T", await asyncio.shield(task))

    def close(self) -> None:
        """Cancel what is being made."""
        for task in self._making.values():
            task.cancel()

    async def _make(
        self,
        key: Hashable,
        asker: str,
        make: Callable[[], Awaitable[T]],
        size: Callable[[T], int],
        over_restarts: KeptAnswer[T] | None,
    ) -> T:
        files = self._files if over_restarts is not None else None
        try:
            if over_restarts is not None and files is not None:
                kept = await asyncio.to_thread(over_restarts.read, files)
                if kept is not None:
                    self._keep(key, kept, size(kept))
                    return kept
            async with self._turn:
                found = await make()
            self._keep(key, found, size(found))
            if over_restarts is not None and files is not None:
                await asyncio.to_thread(over_restarts.write, files, found)
            return found
        finally:
            del self._making[key]
            self._asked_by[asker] -= 1
            if not self._asked_by[asker]:
                del self._asked_by[asker]

    def _keep(self, key: Hashable, found: object, size: int) -> None:
        self._kept[key] = found, size
        self._size += size
        while self._size > self._most:
            _, (_, gone) = self._kept.popitem(last=False)
            self._size -= gone

"""Ending tasks that run until they are cancelled."""

import asyncio
from collections.abc import Collection
from typing import Any, Final

_AGAIN_SECONDS: Final = 0.5


async def end(tasks: Collection["asyncio.Task[Any]"]) -> None:
    """Cancel tasks and wait until all have ended, whatever they raise.

    Libraries that wait with a time limit of their own may lose a cancellation that comes just when the limit ends, or
    when a connection breaks: asked once, such a task would run for ever.
    """
    waiting = set(tasks)
    while waiting:
        for task in waiting:
            task.cancel()
        _, waiting = await asyncio.wait(waiting, timeout=_AGAIN_SECONDS)
    await asyncio.gather(*tasks, return_exceptions=True)

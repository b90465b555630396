"""Running a loop: one turn after another, for ever."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from services.errors import OutcomeUnknown, StoreUnavailable


async def keep_running(name: str, log: Any, turn: Callable[[], Awaitable[float]], retry: float) -> None:
    """Take turns for ever, each followed by the pause that it asks for; while the store is away, try again.

    Args:
        name: The loop's, in front of ``_waits`` and ``_goes_on``: each is logged once.
        log: The loop's logger.
        turn: Does one turn; returns seconds.
        retry: Seconds between two tries while the store is away.
    """
    waits, goes_on, is_away = f"{name}_waits", f"{name}_goes_on", False
    while True:
        try:
            pause = await turn()
        except (StoreUnavailable, OutcomeUnknown) as error:
            if not is_away:
                log.warning(waits, reason=str(error))
            is_away, pause = True, retry
        else:
            if is_away:
                log.info(goes_on)
            is_away = False
        await asyncio.sleep(pause)

"""Questions to the queue's server, asked beside the loop."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from services.jobs.standing import QueueDesk

T = TypeVar("T")


async def at_desk(url: str, ask: Callable[["QueueDesk"], T]) -> T:
    """Return what a question to the queue comes to.

    Args:
        url: Where the queue's server is.
        ask: Asks it; runs in a thread of its own.

    Raises:
        JobStoreUnavailable: The queue's server did not answer.
    """

    def asked() -> T:
        # Loaded only for those who look: RQ takes memory that every other request can do without.
        from services.jobs.standing import opened_desk

        with opened_desk(url) as desk:
            return ask(desk)

    return await asyncio.to_thread(asked)

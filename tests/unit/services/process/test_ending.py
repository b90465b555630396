"""Tasks end, also those that lose a cancellation."""

import asyncio

from services.process.ending import end


async def test_a_task_that_swallows_a_cancellation_ends_nevertheless():
    cancelled = 0

    async def stubborn() -> None:
        nonlocal cancelled
        while True:
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                cancelled += 1
                if cancelled > 2:
                    raise

    async def failing() -> None:
        raise ValueError

    tasks = [asyncio.create_task(stubborn()), asyncio.create_task(failing())]
    await asyncio.sleep(0)
    await asyncio.wait_for(end(tasks), timeout=30)
    assert cancelled == 3
    assert all(task.done() for task in tasks)

"""Writing one open stream until its reader leaves or the hub ends it."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Final

import structlog
from litestar.types import Receive, Send

from api.streams.open_streams import SLOW, Stream

READ_PATIENCE: Final = 60.0
"""Seconds that a reader may take to accept what was sent."""

_log = structlog.get_logger(__name__)


async def send_piece(send: Send, data: bytes) -> None:
    """Send a piece of the stream.

    Raises:
        TimeoutError: The reader does not accept it in time.
    """
    async with asyncio.timeout(READ_PATIENCE):
        await send({"type": "http.response.body", "body": data, "more_body": True})


async def send_while_open(
    stream: Stream, pieces: Coroutine[Any, Any, None], send: Send, receive: Receive, match: str = ""
) -> None:
    """Send the pieces until they end, the reader goes or the hub ends the stream; then end the answer."""
    writing = asyncio.create_task(pieces)
    leaving = asyncio.create_task(_left(receive))
    try:
        await asyncio.wait((writing, leaving, stream.ended), return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (writing, leaving):
            task.cancel()
        await asyncio.gather(writing, leaving, return_exceptions=True)
    if not leaving.cancelled():
        return
    failure = None if writing.cancelled() else writing.exception()
    if isinstance(failure, TimeoutError) or (stream.ended.done() and stream.ended.result() == SLOW):
        return  # this reader would not read the end either
    if failure is not None:
        # The answer has begun, so it can only break off; the reader asks again.
        _log.warning("stream_broken", match=match, error=str(failure))
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _left(receive: Receive) -> None:
    """Return when the reader has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass

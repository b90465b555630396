"""One open stream, from the version that its reader has seen to the match's end."""

import asyncio
from typing import Final

from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

from api.streams.hub import Looker, StreamHub, Subscriber
from api.streams.messages import KEEP_ALIVE, OPENING, OVER, envelopes_of, news_of
from api.streams.sending import send_piece, send_while_open

EVENT_STREAM: Final = "text/event-stream"
KEEP_ALIVE_AFTER: Final = 15.0
"""Seconds without news after which a stream sends a keep-alive."""

_PIECE: Final = 256

HEADERS: Final = {
    "Cache-Control": "no-store",
    # Otherwise reverse proxies would buffer what should arrive at once.
    "X-Accel-Buffering": "no",
    "Vary": "Authorization",
}


class EventStream(ASGIResponse):
    """A stream of a match's events for one viewer.

    The framework's own server-sent events would send empty messages, could not cut off a slow reader, and would release
    nothing if the stream never began.
    """

    __slots__ = ("_after", "_hub", "_looker", "_match", "_seat")
    _should_set_content_length = False

    def __init__(self, hub: StreamHub, match: str, seat: int | None, after: int, looker: Looker) -> None:
        """Prepare the stream, which holds nothing yet; ``after`` is the version that the reader has seen."""
        super().__init__(headers=HEADERS, media_type=EVENT_STREAM)
        self._hub = hub
        self._match = match
        self._seat = seat
        self._after = after
        self._looker = looker

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Send events until the match is over, the reader goes, or the hub ends the stream.

        Raises:
            StreamsFull, TooManyStreams: There are too many streams; nothing has been sent.
        """
        subscriber = self._hub.subscribe(self._match, self._seat, self._looker)
        try:
            await self.start_response(send)
            await send_while_open(subscriber, self._write(subscriber, send), send, receive, self._match)
        finally:
            self._hub.leave(subscriber)

    async def _write(self, subscriber: Subscriber, send: Send) -> None:
        await send_piece(send, OPENING)
        seen, over = await self._catch_up(self._after, send)
        while not over:
            try:
                # Not wait_for: in Python 3.11 it loses a cancellation that arrives together with news.
                async with asyncio.timeout(KEEP_ALIVE_AFTER):
                    news = await subscriber.news.get()
            except TimeoutError:
                await send_piece(send, KEEP_ALIVE)
                continue
            if news is None or news.first > seen + 1 or news.first <= seen < news.last:
                # Something is missing, or only part of it is new.
                seen, over = await self._catch_up(seen, send)
            elif news.last > seen:
                await send_piece(send, news.data)
                seen, over = news.last, news.over
        await send_piece(send, OVER)

    async def _catch_up(self, seen: int, send: Send) -> tuple[int, bool]:
        """Send what the log holds after a version; return the last version sent, and whether nothing follows."""
        while True:
            entries = await self._hub.store.read(self._match, after=seen, last=seen + _PIECE)
            if not entries:
                return seen, False
            news = news_of(entries, envelopes_of(entries), self._seat)
            await send_piece(send, news.data)
            seen = news.last
            if news.over:
                return seen, True

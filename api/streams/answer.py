"""One open stream, from the version that its reader has seen to the match's end."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Final

from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

from api.streams.hub import StreamHub
from api.streams.messages import KEEP_ALIVE, OPENING, OVER, Eyes, Messages, News
from api.streams.open_streams import Looker, Subscriber
from api.streams.sending import send_piece, send_while_open

EVENT_STREAM: Final = "text/event-stream"
KEEP_ALIVE_AFTER: Final = 15.0
"""Seconds without news until a stream sends a keep-alive; as often it looks whether its reader may read on."""

_PIECE: Final = 256
_NO_NEWS: Final = News(0, 0, b"", over=False)

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

    __slots__ = ("_after", "_eyes", "_hub", "_looker", "_match", "_still")
    _should_set_content_length = False

    def __init__(
        self,
        hub: StreamHub,
        match: str,
        eyes: Eyes,
        after: int,
        looker: Looker,
        still: Callable[[], Awaitable[bool]],
    ) -> None:
        """Prepare the stream, which holds nothing yet.

        Args:
            hub: Where news comes from.
            match: The match.
            eyes: Who reads.
            after: The version that the reader has seen.
            looker: Who reads, for their share of the streams.
            still: Looks up whether they are still who they were: a seat may be somebody else's by now.
        """
        super().__init__(headers=HEADERS, media_type=EVENT_STREAM)
        self._hub = hub
        self._match = match
        self._eyes = eyes
        self._after = after
        self._looker = looker
        self._still = still

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Send events until the match is over, the reader goes, or the hub ends the stream.

        Raises:
            StreamsFull, TooManyStreams: There are too many streams; nothing has been sent.
        """
        subscriber = self._hub.subscribe(self._match, self._eyes, self._looker)
        try:
            await self.start_response(send)
            await send_while_open(subscriber, self._write(subscriber, send), send, receive, self._match)
        finally:
            self._hub.leave(subscriber)

    async def _write(self, subscriber: Subscriber, send: Send) -> None:
        await send_piece(send, OPENING)
        seen, over = await self._catch_up(self._after, send)
        now = asyncio.get_running_loop().time
        known = now()
        while not over:
            news: News | None = _NO_NEWS
            with contextlib.suppress(TimeoutError):
                # Not wait_for: in Python 3.11 it loses a cancellation that arrives together with news.
                async with asyncio.timeout(KEEP_ALIVE_AFTER):
                    news = await subscriber.news.get()
            if now() - known >= KEEP_ALIVE_AFTER:
                if not await self._still():
                    break
                known = now()
            if news is _NO_NEWS:
                await send_piece(send, KEEP_ALIVE)
                continue
            if news is None or news.first > seen + 1 or news.first <= seen < news.last:
                # Something is missing, or only part of it is new.
                seen, over = await self._catch_up(seen, send)
            elif news.last > seen or news.over:
                await send_piece(send, news.data)
                seen, over = max(seen, news.last), news.over
        await send_piece(send, OVER)

    async def _catch_up(self, seen: int, send: Send) -> tuple[int, bool]:
        """Send what the log holds after a version; return the last version sent, and whether nothing follows."""
        while True:
            entries = await self._hub.store.read(self._match, after=seen, last=seen + _PIECE)
            if not entries:
                return seen, False
            news = Messages(entries).news(self._eyes)
            await send_piece(send, news.data)
            seen = news.last
            if news.over:
                return seen, True

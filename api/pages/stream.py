"""``/me/stream``: in which of my tables something happened, one stream for a whole browser.

It tells pointers only, which match and how far it is; each page then fetches what its own seat may see.
"""

import asyncio
import re
from collections.abc import Callable, Coroutine
from typing import Any, Final

import msgspec
from litestar import get
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Send

from api.pages.tables import table_of
from api.pages.visits import Visit
from api.parts import Http, address_of
from api.requests.queries import query
from api.streams.answer import EVENT_STREAM, HEADERS, KEEP_ALIVE_AFTER
from api.streams.hub import Looker, StreamHub, Watcher
from api.streams.messages import KEEP_ALIVE, OPENING
from api.streams.sending import send_piece, send_while_open
from domain.errors import Malformed
from services.people.hashed_secrets import hash_of

_SEEN: Final = re.compile(r"([A-Za-z0-9_-]{1,64})\.([0-9]{1,9})").fullmatch
_ENCODER: Final = msgspec.json.Encoder()

Refresh = Callable[[], Coroutine[Any, Any, set[str]]]


@get("/me/stream")
async def watch_my_tables(request: Http) -> ASGIResponse:
    """Tell in which of my tables something happens, and in the one that the page shows."""
    visit, given = Visit(request), query(request, "seen")
    streams = visit.parts.streams
    looker = looker_of(visit)
    streams.require_room(looker)
    shown, version = "", 0
    if given:
        seen = _SEEN(given)
        if seen is None:
            raise Malformed("query.malformed", "`seen` is a match and its version.")
        shown, version = seen[1], int(seen[2])
        await table_of(visit, shown)  # whether it may be seen at all

    if request.scope["head_only"]:  # type: ignore[typeddict-item]
        return ASGIResponse(headers=HEADERS, media_type=EVENT_STREAM)

    async def matches() -> set[str]:
        memberships = await visit.memberships()
        return {membership.holder.match for membership in memberships} | ({shown} if shown else set())

    async def head() -> int:
        return (await visit.parts.application.reader.head(shown)).version if shown else 0

    return PointerStream(streams, matches, head, shown, version, looker)


def looker_of(visit: Visit) -> Looker:
    """Return who opens a stream from a page; a browser without a session counts by its address alone."""
    return Looker(address_of(visit.request), hash_of(visit.session) if visit.known else "")


class PointerStream(ASGIResponse):
    """A stream of pointers."""

    __slots__ = ("_head", "_hub", "_looker", "_matches", "_seen", "_shown")
    _should_set_content_length = False

    def __init__(
        self,
        hub: StreamHub,
        matches: Refresh,
        head: Callable[[], Coroutine[Any, Any, int]],
        shown: str,
        seen: int,
        looker: Looker,
    ) -> None:
        """Prepare the stream; nothing is held until it is sent.

        Args:
            hub: Where news comes from.
            matches: Looks up what is to be watched.
            head: Looks up how far the match is that the page shows.
            shown: That match; empty for none.
            seen: The version that the page has.
            looker: Who reads, for their share of the streams.
        """
        super().__init__(headers={**HEADERS, "Vary": "Cookie"}, media_type=EVENT_STREAM)
        self._hub = hub
        self._matches = matches
        self._head = head
        self._shown = shown
        self._seen = seen
        self._looker = looker

    async def send_body(self, send: Send, receive: Receive) -> None:
        """Send pointers until the reader goes or the hub ends the stream."""
        watcher = self._hub.watch(await self._matches(), self._looker)
        try:
            await send_while_open(watcher, self._write(watcher, send), send, receive, self._shown)
        finally:
            self._hub.leave(watcher)

    async def _write(self, watcher: Watcher, send: Send) -> None:
        await send_piece(send, OPENING)
        # What happened between the page's making and this moment.
        if self._shown and (version := await self._head()) > self._seen:
            watcher.tell(self._shown, version)
        while True:
            try:
                # Not wait_for: in Python 3.11 it swallows a cancellation that comes together with news.
                async with asyncio.timeout(KEEP_ALIVE_AFTER):
                    await watcher.stirred.wait()
            except TimeoutError:
                # Another page of this browser may have got a seat meanwhile.
                watcher.matches = await self._matches()
                await send_piece(send, KEEP_ALIVE)
                continue
            await send_piece(send, _told(watcher))


def _told(watcher: Watcher) -> bytes:
    """Return what is to be told, and take note that it is."""
    watcher.stirred.clear()
    pointers: list[dict[str, Any]] = [{}] if watcher.lost else []
    pointers += ({"match": match, "version": version} for match, version in watcher.versions.items())
    watcher.versions, watcher.lost = {}, False
    return b"".join(b"event: moved\ndata: %b\n\n" % _ENCODER.encode(pointer) for pointer in pointers)

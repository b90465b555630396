"""``/me/stream``: in which of my tables something happened, one stream for a whole browser.

It tells pointers only, which match and how far it is; each page then fetches what its own seat may see.
"""

import asyncio
import contextlib
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
from api.permissions.admission import admits
from api.permissions.clubs import with_club
from api.permissions.rules import LOOK
from api.requests.queries import query
from api.requests.rematches import rematch_of
from api.streams.answer import EVENT_STREAM, HEADERS, KEEP_ALIVE_AFTER
from api.streams.hub import StreamHub
from api.streams.messages import KEEP_ALIVE, OPENING
from api.streams.open_streams import Looker, Watcher
from api.streams.sending import send_piece, send_while_open
from domain.errors import Malformed, Refused
from domain.match.state import OVER
from services.bootstrap import present_instant
from services.people.hashed_secrets import hash_of
from services.people.memberships import Held

_SEEN: Final = re.compile(r"([A-Za-z0-9_-]{1,64})\.([0-9]{1,9})").fullmatch
_ENCODER: Final = msgspec.json.Encoder()

Refresh = Callable[[], Coroutine[Any, Any, set[str]]]


@get("/me/stream")
async def watch_my_tables(request: Http) -> ASGIResponse:
    """Tell in which of my tables something happens, and in the one that the page shows."""
    visit, given = Visit(request), query(request, "seen")
    streams, application = visit.parts.streams, visit.parts.application
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

    partaking: set[str] = set()

    async def matches() -> set[str]:
        # Asked again while the stream is open: the session may have been ended, the table may have closed its doors.
        person = await application.sessions.person(visit.session, present_instant()) if visit.known else ""
        mine = {one.holder.match for one in await application.memberships.of(person)} if person else set()
        # What is said at a table is for its people alone.
        partaking.clear()
        partaking.update(mine)
        if shown in mine:
            return mine | await rematch_told(visit, shown)
        if not shown:
            return mine
        state = (await application.reader.head(shown)).state
        held = await with_club(visit.parts, shown, state, Held(person=await visit.person()))
        return mine | ({shown} if admits(LOOK, state, held) else set())

    async def head() -> int:
        return (await application.reader.head(shown)).version if shown else 0

    return PointerStream(streams, matches, head, shown, version, looker, partaking)


async def rematch_told(visit: Visit, match: str) -> set[str]:
    """Return the match in which a match that is over is played again, or would be: its result page tells of it."""
    # Whoever opens the stream has just read it, to be let in.
    if (await visit.parts.application.reader.reached(match, 0)).state.lifecycle.phase in OVER:
        with contextlib.suppress(Refused):
            return {(await rematch_of(visit.parts, match)).issued.match}
    return set()


def looker_of(visit: Visit) -> Looker:
    """Return who opens a stream from a page; a browser without a session counts by its address alone."""
    return Looker(address_of(visit.request), hash_of(visit.session) if visit.known else "")


class PointerStream(ASGIResponse):
    """A stream of pointers."""

    __slots__ = ("_head", "_hub", "_looker", "_matches", "_partaking", "_seen", "_shown")
    _should_set_content_length = False

    def __init__(
        self,
        hub: StreamHub,
        matches: Refresh,
        head: Callable[[], Coroutine[Any, Any, int]],
        shown: str,
        seen: int,
        looker: Looker,
        partaking: set[str] | None = None,
    ) -> None:
        """Prepare the stream; nothing is held until it is sent.

        Args:
            hub: Where news comes from.
            matches: Looks up what is to be watched.
            head: Looks up how far the match is that the page shows.
            shown: That match; empty for none.
            seen: The version that the page has.
            looker: Who reads, for their share of the streams.
            partaking: The matches whose talk they may read, as the last look found them.
        """
        super().__init__(headers={**HEADERS, "Vary": "Cookie"}, media_type=EVENT_STREAM)
        self._hub = hub
        self._matches = matches
        self._head = head
        self._shown = shown
        self._seen = seen
        self._looker = looker
        self._partaking = set() if partaking is None else partaking

    async def send_body(self, send: Send, receive: Receive) -> None:
        """Send pointers until the reader goes or the hub ends the stream."""
        watcher = self._hub.watch(await self._matches(), self._looker)
        watcher.partaking = self._partaking
        try:
            await send_while_open(watcher, self._write(watcher, send), send, receive, self._shown)
        finally:
            self._hub.leave(watcher)

    async def _write(self, watcher: Watcher, send: Send) -> None:
        await send_piece(send, OPENING)
        # What happened between the page's making and this moment.
        if self._shown and (version := await self._head()) > self._seen:
            watcher.tell(self._shown, version)
        now = asyncio.get_running_loop().time
        known = now()
        while True:
            with contextlib.suppress(TimeoutError):
                # Not wait_for: in Python 3.11 it swallows a cancellation that comes together with news.
                async with asyncio.timeout(KEEP_ALIVE_AFTER):
                    await watcher.stirred.wait()
            if now() - known >= KEEP_ALIVE_AFTER:
                # Another page of this browser may have got a seat meanwhile, or lost one.
                matches, before = await self._matches(), watcher.matches
                self._hub.watch_instead(watcher, matches)
                for match in matches - before:
                    watcher.tell(match, 0)
                known = now()
            await send_piece(send, _told(watcher) or KEEP_ALIVE)


def _told(watcher: Watcher) -> bytes:
    """Return what is to be told, and take note that it is."""
    watcher.stirred.clear()
    pointers: list[dict[str, Any]] = [{}] if watcher.lost else []
    told = ((match, version) for match, version in watcher.versions.items() if match in watcher.matches)
    pointers += ({"match": match, "version": version} for match, version in told)
    watcher.versions, watcher.lost = {}, False
    moved = b"".join(b"event: moved\ndata: %b\n\n" % _ENCODER.encode(pointer) for pointer in pointers)
    talked, watcher.talked = watcher.talked, set()
    return moved + b"".join(
        b"event: talked\ndata: %b\n\n" % _ENCODER.encode({"match": match}) for match in sorted(talked)
    )

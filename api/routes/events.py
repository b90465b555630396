"""``GET /matches/{match}/events``: the log, redacted for the asker and verifiable by anybody."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from typing import Final

import msgspec
from litestar import get
from litestar.exceptions import HTTPException
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Send

from api.answering.answers import JSON, answer
from api.document.operations import IF_NONE_MATCH, Answer, Operation, query_parameter
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from api.requests.headers import header, holds_none_match
from api.requests.queries import number, query
from api.routes.view import not_modified
from api.streams.messages import EventLine, line_of
from domain.entries import StoredEntry
from domain.errors import Malformed
from domain.match.view import viewer_of
from domain.viewers import Viewer
from services.log.event_store.contract import EventStore

NDJSON: Final = "application/x-ndjson"
LONGEST_PAGE: Final = 20_000
_PIECE: Final = 256
"""Events read at once for a stream of lines; bounds the memory that a slow reader takes."""

_ENCODER: Final = msgspec.json.Encoder()


class EventList(msgspec.Struct, frozen=True):
    """A part of the log.

    Attributes:
        match: The match's id; the chain begins with it.
        version: The match's version. If the last event's version is lower, there are more events.
        events: The events.
    """

    match: str
    version: int
    events: tuple[EventLine, ...]


_OPERATION: Final = Operation(
    id="readEvents",
    tag="replay",
    description=(
        "Each event is the text `e`, exactly as it is stored: h(0) = SHA-256 of `tablee/1 ` and the match's "
        "id, h(n) = SHA-256 of h(n-1) and the bytes of e(n). What is sealed in `e` stands there as a "
        "commitment; `openings` holds those that you may have. An opening fits if SHA-256 of its salt (as "
        "bytes) and the canonical JSON of its value is the commitment. So anybody can check the log, however "
        "little of it they may read."
    ),
    parameters=(
        query_parameter(
            "after",
            "Only events with higher versions.",
            {"type": "integer", "minimum": 0, "maximum": 999_999_999, "default": 0},
            "0",
        ),
        query_parameter(
            "limit",
            "At most so many events.",
            {"type": "integer", "minimum": 0, "maximum": 999_999_999, "default": LONGEST_PAGE},
            "100",
        ),
        query_parameter(
            "format",
            "`json` or `ndjson`; wins over the header `Accept`.",
            {"type": "string", "enum": ["json", "ndjson"]},
            "ndjson",
        ),
        IF_NONE_MATCH,
    ),
    answers={
        200: Answer(
            "The events, as a list or one on each line.",
            EventList,
            ("ETag", "Cache-Control", "Vary"),
            {NDJSON: {"type": "string", "description": "One EventLine in JSON on each line."}},
        ),
        304: Answer("Nothing has happened since the version that you have.", headers=("ETag",)),
    },
    problems={
        400: ("query.malformed", "query.repeated"),
        406: ("accept.unsupported",),
        410: ("match.closed",),
    },
)


@get("/matches/{match:str}/events", operation=_OPERATION)
async def read_events(request: Http) -> ASGIResponse:
    """Read the log of a match."""
    asker = access_of(request)
    position = asker.at
    match = position.match
    lines = _wants_lines(request)
    after = number(request, "after", 0)
    limit = min(number(request, "limit", LONGEST_PAGE), LONGEST_PAGE)
    viewer = viewer_of(position.state, asker.seat)
    tag = f'"{position.version}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache", "Vary": "Authorization, Accept"}
    if holds_none_match(request, tag):
        return not_modified(headers)
    last = min(position.version, after + limit)
    store = parts_of(request).application.store
    if lines:
        # A HEAD request gets no lines.
        end = after if request.scope["head_only"] else last  # type: ignore[typeddict-item]
        return _Pieces(_pieces(store, match, after, end, viewer), headers)
    entries = await store.read(match, after=after, last=last) if after < last else []
    events = tuple(line_of(entry, viewer) for entry in entries)
    return answer(EventList(match, position.version, events), headers=headers)


async def _pieces(
    store: EventStore, match: str, after: int, last: int, viewer: Viewer
) -> AsyncGenerator[bytes]:
    for start in range(after, last, _PIECE):
        entries = await store.read(match, after=start, last=min(start + _PIECE, last))
        yield b"".join(_lines(entries, viewer))


def _lines(entries: list[StoredEntry], viewer: Viewer) -> Iterator[bytes]:
    for entry in entries:
        yield _ENCODER.encode(line_of(entry, viewer))
        yield b"\n"


class _Pieces(ASGIResponse):
    """Lines, read from the store while they are sent.

    The framework's own streams keep listening for a disconnect after everything has been sent.
    """

    __slots__ = ("_pieces",)
    _should_set_content_length = False

    def __init__(self, pieces: AsyncGenerator[bytes], headers: dict[str, str]) -> None:
        super().__init__(headers=headers, media_type=NDJSON)
        self._pieces = pieces

    async def send_body(self, send: Send, receive: Receive) -> None:  # noqa: ARG002 - the framework's signature
        async with aclosing(self._pieces):
            async for piece in self._pieces:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def _wants_lines(request: Http) -> bool:
    wanted = query(request, "format")
    if wanted is not None:
        if wanted not in {"json", "ndjson"}:
            raise Malformed("query.malformed", "`format` is json or ndjson.")
        return wanted == "ndjson"
    accepted = [
        one.partition(";")[0].strip().lower() for one in (header(request, b"accept") or "*/*").split(",")
    ]
    for one in accepted:
        if one in {JSON, "application/*", "*/*"}:
            return False
        if one == NDJSON:
            return True
    raise HTTPException(f"The events come as {JSON} or {NDJSON}.", status_code=406)

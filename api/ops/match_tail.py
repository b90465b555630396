"""``/ops/m/{match}/tail``: following a match; new events appear by themselves."""

from typing import Final

from litestar import get
from litestar.response.base import ASGIResponse

from api.ops.match_looking import Look, look_of
from api.ops.rendering import ops_html, ops_page
from api.pages.rendering import html_answer
from api.pages.stream import PointerStream
from api.parts import Http, parts_of
from api.requests.commands import match_of
from api.requests.queries import number
from api.streams.answer import EVENT_STREAM, HEADERS
from api.streams.open_streams import Looker
from services.watch.inspection.rows import EventRow, rows_of

_SHOWN: Final = 50
"""Events that the page begins with."""

_MOST_NEW: Final = 500
"""Events that one answer brings at most: somebody who has paused for longer sees the last ones."""


@get("/m/{match:str}/tail")
async def show_tail(request: Http) -> ASGIResponse:
    """Show the last events of a match; with the module, those that come appear below."""
    look = await look_of(request)
    return ops_page(
        request, "match_tail.html", **look.shown, rows=_rows(look, max(0, len(look.entries) - _SHOWN))
    )


@get("/m/{match:str}/tail/rows")
async def show_new_rows(request: Http) -> ASGIResponse:
    """Send the rows behind a version, the last ones if there are many; nothing if nothing has happened."""
    look, after = await look_of(request), number(request, "after", 0)
    if after >= len(look.entries):
        return ASGIResponse(status_code=204)
    rows = _rows(look, max(after, len(look.entries) - _MOST_NEW))
    return html_answer(ops_html(look.visit, "tail_rows.html", **look.shown, rows=rows))


@get("/m/{match:str}/tail/stream")
async def watch_match(request: Http) -> ASGIResponse:
    """Tell when something happens in a match: pointers only, the rows are asked for."""
    match, seen = match_of(request), number(request, "seen", 0)
    parts, looker = parts_of(request), Looker()  # an operator is let in whatever the house does
    parts.streams.require_room(looker)
    if await parts.application.store.meta(match) is None:
        # A log without its record can be followed as well; what has neither is refused there.
        await look_of(request)
    if request.scope["head_only"]:  # type: ignore[typeddict-item]
        return ASGIResponse(headers=HEADERS, media_type=EVENT_STREAM)

    async def matches() -> set[str]:
        return {match}

    async def head() -> int:
        meta = await parts.application.store.meta(match)
        return meta.version if meta is not None else 0

    return PointerStream(parts.streams, matches, head, match, seen, looker)


def _rows(look: Look, after: int) -> tuple[EventRow, ...]:
    return tuple(rows_of(look.entries[after:], look.entries[after - 1] if after else None))

"""``/ops/m/{match}/events``: the events of a match as a table, with search and pages."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode

from litestar import get
from litestar.response.base import ASGIResponse
from msgspec.structs import replace

from api.ops.match_looking import Look, aside, look_of
from api.ops.rendering import ops_page
from api.parts import Http
from api.requests.queries import number, query
from domain.entries import StoredEntry
from services.watch.inspection.rows import row_of
from services.watch.inspection.search import EventPage, Search, instant_said, page_before, page_from

PAGE: Final = 50
"""Events on one page."""

_FIELDS: Final = ("type", "actor", "command", "since", "until")
_MORE: Final = ("hashes", "json")
"""What each row may show besides: all digits of its hash, its envelope as it is stored."""


@get("/m/{match:str}/events")
async def show_events(request: Http) -> ASGIResponse:
    """Show a page of a match's events; the last one, unless another is wanted."""
    look = await look_of(request)
    given = {name: query(request, name) or "" for name in _FIELDS}
    search = _search(look, given)
    # The form sends an empty field for none.
    first = number(request, "from", 0) if query(request, "from") else 0
    end = number(request, "before", len(look.entries) + 1)
    entries = look.entries
    page, types = await aside(lambda: (_page(entries, search, first, end), _types(entries)))
    more = {name: bool(query(request, name)) for name in _MORE}
    return ops_page(
        request,
        "match_events.html",
        **look.shown,
        page=page,
        types=types,
        given=given,
        is_search=not search.is_empty,
        more=more,
        links=_links(look.match, page, given, more),
    )


def _search(look: Look, given: Mapping[str, str]) -> Search:
    actor = given["actor"].strip()
    state = look.position.state if look.position is not None else None
    for seat, name in enumerate(look.names):
        if state is not None and actor and actor.casefold() == name.casefold():
            actor = state.seats[seat].player
    search = Search(type=given["type"].strip(), actor=actor, command=given["command"].strip())
    return replace(search, since=instant_said(given["since"]), until=instant_said(given["until"], end=True))


def _page(entries: list[StoredEntry], search: Search, first: int, end: int) -> EventPage:
    if first:
        return page_from(entries, search, first, PAGE)
    return page_before(entries, search, end, PAGE)


def _types(entries: list[StoredEntry]) -> list[str]:
    return sorted({row_of(entry).type for entry in entries} - {""})


def _links(match: str, page: EventPage, given: Mapping[str, str], more: Mapping[str, bool]) -> dict[str, str]:
    """Return the addresses of the pages around this one, and of the same one with more or less in each row."""
    kept = {name: value for name, value in given.items() if value}
    shown = {name: "1" for name, is_shown in more.items() if is_shown}
    here = {"from": str(page.rows[0].version)} if page.rows else {}
    links = {"first": {"from": "1"}, "last": {}}
    if page.earlier is not None:
        links["earlier"] = {"before": str(page.earlier)}
    if page.later is not None:
        links["later"] = {"from": str(page.later)}
    written = dict.fromkeys(("earlier", "later"), "")
    written |= {name: _address(match, place | kept | shown) for name, place in links.items()}
    for name, is_shown in more.items():
        others = {other: value for other, value in shown.items() if other != name}
        written[name] = _address(match, here | kept | others | ({} if is_shown else {name: "1"}))
    return written


def _address(match: str, fields: Mapping[str, str]) -> str:
    return f"/ops/m/{match}/events" + (f"?{urlencode(fields)}" if fields else "")

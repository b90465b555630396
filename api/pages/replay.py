"""``/m/{match}/replay``: stepping through a match; the position is the address."""

import asyncio
import gzip
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import msgspec
from litestar import get
from litestar.response.base import ASGIResponse

from api.answering.answers import JSON
from api.answering.moments import answered, moments_at
from api.pages.bookmarks import shared_address
from api.pages.preview import preview_of_table
from api.pages.rendering import page, see_other
from api.pages.scene import Scene
from api.pages.stops import Stops, changes_of, stops_of, text_at
from api.pages.table import render_board
from api.pages.table_pages import styles_of
from api.pages.tables import Table, table_of
from api.pages.visits import Visit
from api.parts import Http, address_of
from api.permissions.admission import admits
from api.permissions.rules import FORK
from api.requests.commands import match_of
from api.requests.queries import number
from domain.entries import StoredEntry
from domain.match.view import match_view, viewer_of
from domain.viewers import Viewer
from services.matches.former_holders import FormerHolder, former_holders
from services.matches.history import Line, lines_of
from services.people.bookmarks import LONGEST_NOTE
from services.words.names import game_name

T = TypeVar("T")

_BYTES_OF_A_LINE: Final = 1000
"""About what one takes in memory, with its values."""

_ENCODER: Final = msgspec.json.Encoder()


@get("/m/{match:str}/replay")
async def show_replay(request: Http) -> ASGIResponse:
    """Show a match as it stood, with the ways to the other versions."""
    visit, match = Visit(request), match_of(request)
    table = await table_of(visit, match)
    viewer = viewer_of(table.position.state, table.seat)
    lines = await _lines(visit, table)
    stops = stops_of(lines)
    if not stops.versions:
        return see_other(f"/m/{match}")
    asked = number(request, "at", stops.versions[0])
    at = stops.nearest(asked)
    if at != asked:
        # The address is the position: it can be sent to somebody, and found in a bookmark.
        return see_other(f"/m/{match}/replay?at={at}")
    application, person = visit.parts.application, await visit.person()
    position = await application.reader.at(match, at)
    bookmark = await application.bookmarks.at(person, match, at) if person else None
    scene = Scene(
        view=match_view(position, viewer), names=table.names, language=visit.language, is_replay=True
    )
    return page(
        visit,
        "replay.html",
        scene=scene,
        view=scene.view,
        game_name=game_name(scene.game_key, visit.language),
        board=render_board(scene),
        styles=styles_of(scene.game_key),
        text=text_at(stops, lines, at),
        at=at,
        preview=preview_of_table(visit, scene, f"/replay?at={at}"),
        stops=stops,
        ways=_ways(stops, at),
        head=table.position.version,
        moments=answered(
            await moments_at(request, table.position, table.seat),
            scene.game_key,
            table.names,
            visit.language,
            table.seat,
        ),
        moments_open=False,
        keeps=bool(person),
        bookmark=bookmark,
        shared_note=shared_address(visit, bookmark),
        longest_note=LONGEST_NOTE,
        may_fork=admits(FORK, table.position.state, table.held),
        here=f"/m/{match}/replay?at={at}",
    )


@get("/m/{match:str}/changes")
async def show_changes(request: Http) -> ASGIResponse:
    """Send all of a match to the replay's module, as what changes from stop to stop."""
    visit, match = Visit(request), match_of(request)
    table = await table_of(visit, match)
    is_over = viewer_of(table.position.state, None).everything
    content = await _compressed(visit, table)
    headers = {"Cache-Control": "private, max-age=3600" if is_over else "no-store", "Vary": "Cookie"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
    else:
        content = gzip.decompress(content)
    return ASGIResponse(body=content, headers=headers, media_type=JSON)


async def _compressed(visit: Visit, table: Table) -> bytes:
    async def make() -> bytes:
        entries, viewer = await _entries(visit, table), _viewer(table)
        former = await _former(entries, visit, table)

        def compress() -> bytes:
            lines = _told(entries, visit, table, former)
            told = changes_of(table.position.match, entries, lines, viewer, table.names, visit.language)
            return gzip.compress(_ENCODER.encode(told), 6, mtime=0)

        return await asyncio.to_thread(compress)

    return await _made("changes", visit, table, make, len)


async def _lines(visit: Visit, table: Table) -> list[Line]:
    async def make() -> list[Line]:
        entries = await _entries(visit, table)
        return await asyncio.to_thread(_told, entries, visit, table, await _former(entries, visit, table))

    return await _made("lines", visit, table, make, lambda lines: _BYTES_OF_A_LINE * len(lines))


async def _made(
    what: str, visit: Visit, table: Table, make: Callable[[], Awaitable[T]], size: Callable[[T], int]
) -> T:
    # When a match is over, nothing is hidden any more: but "you" is still somebody else for each reader.
    position = table.position
    key = what, position.match, position.version, position.head, visit.language, table.seat, table.names
    return await visit.parts.whole_matches.made(key, address_of(visit.request), make, size)


async def _entries(visit: Visit, table: Table) -> list[StoredEntry]:
    return await visit.parts.application.store.read(table.position.match, last=table.position.version)


def _viewer(table: Table) -> Viewer:
    return viewer_of(table.position.state, table.seat)


async def _former(entries: list[StoredEntry], visit: Visit, table: Table) -> tuple[FormerHolder, ...]:
    parts = visit.parts.application
    return await former_holders(parts.reader, parts.names, table.position, entries, visit.language)


def _told(
    entries: list[StoredEntry], visit: Visit, table: Table, former: tuple[FormerHolder, ...]
) -> list[Line]:
    terms = table.position.state.terms
    game = "" if terms is None else terms.game
    return list(lines_of(entries, _viewer(table), game, table.names, visit.language, former))


def _ways(stops: Stops, at: int) -> dict[str, int]:
    """Return the versions to which one can go from here, by way."""
    versions, rounds = stops.versions, stops.rounds
    index = versions.index(at)
    return {
        "first": versions[0],
        "round-back": max((version for version in rounds if version < at), default=versions[0]),
        "back": versions[max(0, index - 1)],
        "on": versions[min(len(versions) - 1, index + 1)],
        "round-on": min((version for version in rounds if version > at), default=versions[-1]),
        "last": versions[-1],
    }

"""``/m/{match}/replay``: stepping through a match; the position is the address."""

import asyncio
import gzip
import hashlib
from bisect import bisect_left
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

import msgspec
from litestar import get
from litestar.response.base import ASGIResponse

from api.answering.answers import JSON
from api.answering.moments import answered, moments_seen_at
from api.pages.bookmarks import shared_address
from api.pages.coming import coming_at
from api.pages.courses import shown_course
from api.pages.eyes import Eyes, choices_of, eyes_of
from api.pages.imported import imported_since
from api.pages.preview import preview_of_table
from api.pages.rendering import page, see_other
from api.pages.reviewing import kept_costs
from api.pages.scene import Scene
from api.pages.stops import Stops, before, changes_of, counting, stops_of
from api.pages.table import render_board
from api.pages.table_pages import styles_of
from api.pages.tables import Table, table_of
from api.pages.visits import Visit
from api.parts import Http, address_of
from api.permissions.admission import admits
from api.permissions.rules import FORK
from api.requests.commands import match_of
from api.requests.queries import number, query
from domain.entries import StoredEntry
from domain.match.evolve import game_of
from domain.match.state import OVER, Match
from domain.match.view import match_view
from domain.viewers import Viewer
from services.errors import NoSuchMatch
from services.matches.course import Scored, Window, course_at, most_wins_by, windows_of
from services.matches.former_holders import FormerHolder, former_holders
from services.matches.history import Line, lines_of, unsaid
from services.matches.kept_answers import KeptAnswer
from services.matches.moments import left_in
from services.people.bookmarks import LONGEST_NOTE
from services.words.names import game_name

_BYTES_OF_A_STOP: Final = 100
"""About what one takes in memory, in both lists."""

_MOST_TOLD: Final = 200
"""Among how many events before a stop its lines are looked for."""

_ENCODER: Final = msgspec.json.Encoder()


class Told(NamedTuple):
    """What a replay tells every reader of a match.

    Attributes:
        stops: Where it stops, without what was taken back.
        with_undone: Where it stops, with that.
        left: The versions of what was taken back and does not count.
        course: The score after each round.
    """

    stops: Stops
    with_undone: Stops
    left: frozenset[int]
    course: list[Scored]


class Asked(NamedTuple):
    """Which replay is asked for.

    Attributes:
        with_undone: Whether to show what was taken back.
    """

    eyes: Eyes
    with_undone: bool

    def stops(self, told: Told) -> Stops:
        """Return where this replay stops."""
        return told.with_undone if self.with_undone else told.stops

    def address(self, match: str, at: int) -> str:
        """Return where a position is looked at in this way."""
        said = {"at": str(at), "as": self.eyes.name, "undone": "1" if self.with_undone else ""}
        return f"/m/{match}/replay?{urlencode({name: value for name, value in said.items() if value})}"


@get("/m/{match:str}/replay")
async def show_replay(request: Http) -> ASGIResponse:
    """Show a match as it stood, with the ways to the other versions."""
    visit, match = Visit(request), match_of(request)
    table = await table_of(visit, match)
    state, asked = table.position.state, asked_of(request, table)
    told = await told_of(visit, table)
    wanted = number(request, "at", 0)
    if wanted in told.left and not asked.with_undone:
        # Who was sent here wants to see just that.
        return see_other(asked._replace(with_undone=True).address(match, wanted))
    stops = asked.stops(told)
    if not stops.versions:
        return see_other(f"/m/{match}")
    at = stops.nearest(wanted or stops.versions[0])
    if at != (wanted or at):
        # The address is the position: it can be sent to somebody, and found in a bookmark.
        return see_other(asked.address(match, at))
    person, viewer = await visit.person(), asked.eyes.viewer
    names, language = table.names, visit.language
    bookmark = await visit.parts.application.bookmarks.at(person, match, at) if person else None
    scene = await _scene(visit, table, asked, at)
    moments = await moments_seen_at(request, table.position, viewer)
    return page(
        visit,
        "replay.html",
        **await _shown(visit, table, asked, told, scene, at),
        styles=(*styles_of(scene.game_key), "replay.css"),
        preview=preview_of_table(visit, scene, f"/replay?at={at}"),
        head=table.position.version,
        live="" if state.lifecycle.phase in OVER else f"/m/{match}",
        eyes=choices_of(state, table.seat, names, language),
        has_undone=bool(told.left),
        costs=await kept_costs(visit, table),
        moments=answered(moments, scene.game_key, names, language, viewer.seat),
        moments_open=False,
        keeps=bool(person),
        bookmark=bookmark,
        shared_note=shared_address(visit, bookmark),
        longest_note=LONGEST_NOTE,
        may_fork=admits(FORK, state, table.held),
        imported=await imported_since(visit, table.position),
        coming=await coming_at(visit, table, at),
        here=asked.address(match, at),
    )


async def _scene(visit: Visit, table: Table, asked: Asked, at: int) -> Scene:
    position = await visit.parts.application.reader.at(table.position.match, at)
    view = match_view(position, asked.eyes.viewer)
    return Scene(view, table.names, visit.language, is_replay=True)


async def _shown(
    visit: Visit, table: Table, asked: Asked, told: Told, scene: Scene, at: int
) -> dict[str, Any]:
    """Return what stands on a replay wherever it is looked at: the board, the ways from here, the score."""
    match, language = table.position.match, visit.language
    stops, most_wins = asked.stops(told), _most_wins(table.position.state)
    return {
        "scene": scene,
        "view": scene.view,
        "game_name": game_name(scene.game_key, language),
        "board": render_board(scene),
        "text": await _text(visit, table, asked, told, at),
        "at": at,
        "stops": stops,
        "ways": {way: (asked.address(match, to), to == at) for way, to in _ways(stops, at).items()},
        "asked": asked,
        "course": shown_course(told.course, table.names, language, most_wins=most_wins),
    }


class Whole(NamedTuple):
    """All of a match's replay, as its reader sees it with their own eyes.

    Attributes:
        shown: What its template needs.
        changes: What the module reads, compressed.
    """

    table: Table
    viewer: Viewer
    scene: Scene
    shown: dict[str, Any]
    changes: bytes


async def whole_replay(visit: Visit) -> Whole:
    """Return a match's replay from its first stop.

    Raises:
        NoSuchMatch: Nothing has happened there that a replay shows.
    """
    table = await table_of(visit, match_of(visit.request))
    state, match = table.position.state, table.position.match
    asked, told = Asked(eyes_of("", state, table.seat), with_undone=False), await told_of(visit, table)
    if not told.stops.versions:
        raise NoSuchMatch(match)
    at = told.stops.versions[0]
    scene = await _scene(visit, table, asked, at)
    shown = await _shown(visit, table, asked, told, scene, at)
    return Whole(table, asked.eyes.viewer, scene, shown, await _compressed(visit, table, asked))


@get("/m/{match:str}/changes")
async def show_changes(request: Http) -> ASGIResponse:
    """Send all of a match to the replay's module, as what changes from stop to stop."""
    visit, match = Visit(request), match_of(request)
    table = await table_of(visit, match)
    is_over = table.position.state.lifecycle.phase in OVER
    content = await _compressed(visit, table, asked_of(request, table))
    headers = {"Cache-Control": "private, max-age=3600" if is_over else "no-store", "Vary": "Cookie"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
    else:
        content = gzip.decompress(content)
    return ASGIResponse(body=content, headers=headers, media_type=JSON)


def asked_of(request: Http, table: Table) -> Asked:
    """Return which replay a request asks for; see :func:`eyes_of`."""
    eyes = eyes_of(query(request, "as") or "", table.position.state, table.seat)
    return Asked(eyes, bool(query(request, "undone")))


async def _compressed(visit: Visit, table: Table, asked: Asked) -> bytes:
    async def make() -> bytes:
        entries, viewer = await entries_of(visit, table), asked.eyes.viewer
        former = await former_of(entries, visit, table)

        def compress() -> bytes:
            lines = list(_lines(entries, visit, table, asked.eyes, former))
            if not asked.with_undone:
                lines = counting(lines, left_in(entries))
            told = changes_of(table.position.match, entries, lines, viewer, table.names, visit.language)
            return gzip.compress(_ENCODER.encode(told), 6, mtime=0)

        return await asyncio.to_thread(compress)

    # When a match is over, nothing is hidden any more: but "you" is still somebody else for each reader.
    position, viewer = table.position, asked.eyes.viewer
    key = "changes", position.match, position.version, position.head, visit.language, viewer, table.names
    return await visit.parts.whole_matches.made(
        (*key, asked.with_undone), address_of(visit.request), make, len, _over_restarts(visit, table, asked)
    )


def _over_restarts(visit: Visit, table: Table, asked: Asked) -> KeptAnswer[bytes] | None:
    """Return how the changes of a match that is over are kept: those of one that goes on are soon others."""
    if table.position.state.lifecycle.phase not in OVER:
        return None
    asker = repr((visit.language, asked.eyes.viewer, table.names, asked.with_undone)).encode()
    return KeptAnswer(table.position, f"changes-{hashlib.sha256(asker).hexdigest()[:16]}", bytes)


async def told_of(visit: Visit, table: Table) -> Told:
    """Return what a replay tells every reader of a match."""

    async def make() -> Told:
        entries = await entries_of(visit, table)

        def told() -> tuple[Told, list[Window]]:
            lines, left = list(unsaid(entries, _game(table))), left_in(entries)
            stops, with_undone = stops_of(counting(lines, left)), stops_of(lines)
            return Told(stops, with_undone, left, []), windows_of(lines, left)

        found, windows = await asyncio.to_thread(told)
        reader = visit.parts.application.reader
        return found._replace(course=await course_at(reader, table.position.match, windows))

    position = table.position
    key = "stops", position.match, position.version, position.head
    return await visit.parts.whole_matches.made(
        key,
        address_of(visit.request),
        make,
        lambda _: _BYTES_OF_A_STOP * position.version,
        KeptAnswer(position, "stops", Told),
    )


async def _text(visit: Visit, table: Table, asked: Asked, told: Told, at: int) -> str:
    """Return what is told at a stop: the lines since the stop before."""
    stops = asked.stops(told)
    since = before(stops, at)
    # What was taken back in between is not told, and may be long.
    entries = await visit.parts.application.store.read(
        table.position.match, after=max(since, at - _MOST_TOLD), last=at
    )
    lines = _lines(entries, visit, table, asked.eyes, await former_of(entries, visit, table))
    shown = lines if asked.with_undone else counting(lines, told.left)
    return " ".join(line.text for line in shown if line.text)


async def entries_of(visit: Visit, table: Table) -> list[StoredEntry]:
    """Return the log of a match, as far as its reader was let in."""
    return await visit.parts.application.store.read(table.position.match, last=table.position.version)


async def former_of(entries: list[StoredEntry], visit: Visit, table: Table) -> tuple[FormerHolder, ...]:
    """Return who no longer sits where they sat, with their names; see :func:`former_holders`."""
    parts = visit.parts.application
    return await former_holders(parts.reader, parts.names, table.position, entries, visit.language)


def _lines(
    entries: list[StoredEntry], visit: Visit, table: Table, eyes: Eyes, former: tuple[FormerHolder, ...]
) -> list[Line]:
    return list(lines_of(entries, eyes.viewer, _game(table), table.names, visit.language, former))


def _game(table: Table) -> str:
    terms = table.position.state.terms
    return "" if terms is None else terms.game


def _most_wins(state: Match) -> bool:
    if state.terms is None or state.game is None:
        return False
    return most_wins_by(game_of(state.terms).standing(state.game))


def _ways(stops: Stops, at: int) -> dict[str, int]:
    """Return the versions to which one can go from here, by way."""
    versions, rounds = stops.versions, stops.rounds
    index = bisect_left(versions, at)
    return {
        "first": versions[0],
        "round-back": max((version for version in rounds if version < at), default=versions[0]),
        "back": versions[max(0, index - 1)],
        "on": versions[min(len(versions) - 1, index + 1)],
        "round-on": min((version for version in rounds if version > at), default=versions[-1]),
        "last": versions[-1],
    }

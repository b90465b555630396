"""``/me/bookmarks`` and ``/b/{share}``: positions that a person keeps, and the notes that they share."""

from collections.abc import Sequence
from typing import Final

import msgspec
from litestar import get, post
from litestar.response.base import ASGIResponse

from api.pages.forms import read_form
from api.pages.rendering import page, see_other
from api.pages.tables import table_of
from api.pages.visits import Visit
from api.parts import Http
from api.permissions.refusals import PersonTokenNeeded
from api.requests.addresses import public_address
from api.requests.commands import match_of
from services.bootstrap import present_instant
from services.errors import NoSuchVersion
from services.matches.seat_names import called
from services.people.bookmarks import LONGEST_NOTE, Bookmark
from services.projections.matches import MatchRow
from services.words.names import game_name
from services.words.phrases import words_in
from services.words.times import local_moment

_HEADERS: Final = {"Cache-Control": "no-store"}


class BookmarkRow(msgspec.Struct, frozen=True):
    """A bookmark in the list.

    Attributes:
        day: When it was kept.
        shared: The address of its note; empty if it is not shared.
        game: What is played there; empty where the lists do not know the match.
        people: Who else sits there; empty for who does not.
        begun: The day on which its table was made.
    """

    kept: Bookmark
    day: str
    shared: str
    game: str = ""
    people: str = ""
    begun: str = ""


@get("/me/bookmarks")
async def show_bookmarks(request: Http) -> ASGIResponse:
    """List the positions that I keep."""
    visit = Visit(request)
    person, zone, now = await visit.person(), await visit.zone(), present_instant()
    kept = await visit.parts.application.bookmarks.of(person) if person else []
    told = await _tables_of(visit, kept)
    rows = [
        BookmarkRow(
            one,
            local_moment(one.since, zone, now, visit.language),
            shared_address(visit, one),
            *told.get(one.match, ()),
        )
        for one in kept
    ]
    return page(
        visit, "bookmarks.html", rows=rows, longest=LONGEST_NOTE, headers=_HEADERS, here="/me/bookmarks"
    )


async def _tables_of(visit: Visit, kept: Sequence[Bookmark]) -> dict[str, tuple[str, str, str]]:
    """Return by match its game, who else sits there, and since when; people only to who sits there."""
    application, language = visit.parts.application, visit.language
    rows = await application.listing.rows(list({one.match for one in kept}))
    holders = [one.holder for one in await visit.memberships()]
    mine, me = {one.match for one in holders}, {one.player for one in holders}
    day = await visit.days()
    people = {player.player for row in rows if row.match in mine for player in row.players if player.player}
    given = dict(zip(people, await application.names.of(list(people)), strict=True))

    def said(row: MatchRow) -> str:
        kinds = ("open" if player.kind == "empty" else player.kind for player in row.players)
        names = called(kinds, (given.get(player.player, "") for player in row.players), language)
        others = (name for name, one in zip(names, row.players, strict=True) if one.player not in me)
        return words_in(language).all_of(others)

    return {
        row.match: (game_name(row.game, language), said(row) if row.match in mine else "", day(row.made_at))
        for row in rows
    }


@post("/m/{match:str}/bookmark")
async def keep_bookmark(request: Http) -> ASGIResponse:
    """Keep a position, change its note, or forget it."""
    visit, match = Visit(request), match_of(request)
    form = await read_form(visit)
    table, person, version = await table_of(visit, match), await visit.person(), form.number("at")
    if not person:
        raise PersonTokenNeeded
    if not 1 <= version <= table.position.version:
        raise NoSuchVersion
    bookmarks = visit.parts.application.bookmarks
    if form.text("remove"):
        await bookmarks.remove(person, match, version)
    else:
        # Forms count line breaks as two characters, and browsers as one.
        note = form.text("note").replace("\r\n", "\n")[:LONGEST_NOTE]
        await bookmarks.keep(
            person, match, version, note, shared=bool(form.text("shared")), now=present_instant()
        )
    back = "/me/bookmarks" if form.text("from") == "list" else f"/m/{match}/replay?at={version}#bookmark"
    return see_other(back)


@post("/me/bookmarks/remove")
async def remove_bookmark(request: Http) -> ASGIResponse:
    """Forget a position, whether or not its match can still be looked at."""
    visit = Visit(request)
    form = await read_form(visit)
    person = await visit.person()
    await visit.parts.application.bookmarks.remove(person, form.text("match"), form.number("at"))
    return see_other("/me/bookmarks")


@get("/b/{share:str}")
async def show_shared(request: Http) -> ASGIResponse:
    """Show a note that somebody shares, with the way to its position."""
    visit = Visit(request)
    application = visit.parts.application
    found = await application.bookmarks.shared(request.path_params["share"])
    if found is None:
        return page(visit, "shared_note.html", status=404, found=None, name="", headers=_HEADERS)
    author = await application.persons.of(found.person)
    return page(
        visit,
        "shared_note.html",
        found=found.bookmark,
        name="" if author is None else author.name,
        headers=_HEADERS,
    )


def shared_address(visit: Visit, one: Bookmark | None) -> str:
    """Return the whole address of a shared note; empty for none."""
    return public_address(visit.request, f"/b/{one.share}") if one is not None and one.share else ""

"""``/me/imports``: bringing a match from elsewhere by its file, to watch it here or to play on from it."""

import asyncio

import msgspec
from litestar import get, post
from litestar.response.base import ASGIResponse

from api.pages.forking import ANEW, SAME
from api.pages.forms import Form, read_form_with_file
from api.pages.new_table import create_table
from api.pages.refusals import notice_of
from api.pages.rendering import page, see_other
from api.pages.scene import Notice
from api.pages.sitting import new_secret_key, secret_key_of, take_seat
from api.pages.visits import Visit
from api.parts import Http
from api.permissions.admission import access_of
from api.requests.bodies import fork_body
from api.requests.files import proven_file, room_for_file, take_file
from domain.errors import Refused
from services.errors import NoSuchMatch
from services.log.archive.errors import ImportRefused
from services.log.archive.importing import Taken
from services.matches.imports import LARGEST_FILE, Brought, fork_of_file
from services.people.player_names import LONGEST_NAME
from services.words.names import game_name
from services.words.times import local_day

WATCH, PLAY_ON = "watch", "play"
"""What somebody wants of a file."""


class Shown(msgspec.Struct, frozen=True):
    """A match that was brought."""

    match: str
    game: str
    day: str


@get("/me/imports")
async def show_imports(request: Http) -> ASGIResponse:
    """Show the form for a file, and what I have brought."""
    return await _page(Visit(request))


@post("/me/imports")
async def bring_match(request: Http) -> ASGIResponse:
    """Take the match in a file in, or play on from a position of it."""
    visit = Visit(request)
    async with room_for_file():
        form = await read_form_with_file(visit)
        try:
            one = await proven_file(request, form.file("file"))
            if form.text("want") == PLAY_ON:
                return await _play_on(visit, form, one)
            return await _watch(visit, one)
        except (ImportRefused, Refused) as refusal:
            notice, status = notice_of(refusal, visit.language, "")
            return await _page(visit, form, notice, status)


async def _watch(visit: Visit, one: Brought) -> ASGIResponse:
    match = one.position.match
    taken = await take_file(visit.request, access_of(visit.request).person, one)
    if taken is Taken.KNOWN:
        return await _page(visit, known=match)
    return see_other(f"/m/{match}/replay")


async def _play_on(visit: Visit, form: Form, one: Brought) -> ASGIResponse:
    """Make a table that begins with a position of the file; the file's match itself does not come into the log."""
    at, seat, same_cards = form.number("at", 0), form.number("seat", 1) - 1, form.text("cards") != ANEW
    fork = await asyncio.to_thread(fork_of_file, one, at, same_cards=same_cards, seat=seat)
    issued = visit.parts.application.identity.for_new_match(secret_key_of(form))
    await create_table(visit, issued, fork_body(fork, len(one.position.state.seats)), fork)
    await take_seat(visit, issued.match, form, seat, ready=True)
    return see_other(f"/m/{issued.match}")


async def _page(
    visit: Visit, form: Form | None = None, notice: Notice | None = None, status: int = 200, known: str = ""
) -> ASGIResponse:
    given = form or Form([])
    return page(
        visit,
        "imports.html",
        status=status,
        is_known=bool(await visit.person()),
        matches=await _brought(visit),
        notice=notice,
        known=known,
        want=PLAY_ON if given.text("want") == PLAY_ON else WATCH,
        at=given.text("at"),
        seat=given.text("seat", "1"),
        cards=ANEW if given.text("cards") == ANEW else SAME,
        most=visit.parts.settings.person_imports,
        largest=LARGEST_FILE // (1024 * 1024),
        my_name=given.text("name") or await visit.name(),
        key=new_secret_key(),
        longest_name=LONGEST_NAME,
        here="/me/imports",
    )


async def _brought(visit: Visit) -> list[Shown]:
    person, application, language = await visit.person(), visit.parts.application, visit.language
    if not person:
        return []
    matches = await application.imported.of(person)
    since, zone, shown = await application.imported.since(matches), await visit.zone(), []
    for match, instant in zip(matches, since, strict=True):
        try:
            terms = (await application.reader.head(match)).state.terms
        except NoSuchMatch:
            # The service ended between the note and the match.
            continue
        game = game_name("" if terms is None else terms.game, language)
        shown.append(Shown(match, game, local_day(instant, zone, language)))
    return shown

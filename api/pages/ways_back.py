"""``/s/{token}``: what a link, or the token of a seat, leads to; ``/back``: coming back by whatever one has.

Looking changes nothing: mail scanners and previews open links, people press the button.
"""

import re
from typing import Any, Final

import structlog
from litestar import get, post
from litestar.datastructures import Cookie
from litestar.response.base import ASGIResponse

from api.answering.problems import status_of
from api.pages.forms import Form, read_form
from api.pages.refusals import in_words, notice_of
from api.pages.rendering import see_other
from api.pages.scene import Notice
from api.pages.secret_pages import secret_page
from api.pages.visits import Visit
from api.parts import Http
from api.requests.passkeys import possible_party
from api.requests.queries import query
from domain.errors import BrokenLog, TableeError
from services.bootstrap import present_instant
from services.errors import (
    LinkExpired,
    LinkRevoked,
    LinkUsed,
    MatchClosed,
    NoSuchLink,
    NoSuchMatch,
    NoWayBack,
)
from services.log.event_store.checks import is_match_id
from services.notices.returning import Returning
from services.people.identity import Holder
from services.people.recovery_codes import read
from services.people.ways_back import Arrival, Visitor, Way
from services.words.languages import LANGUAGES
from services.words.names import game_name

_LINK: Final = re.compile(r"(?:^|/s/)([A-Za-z0-9_-]{43})(?:$|[/?#\s])").search
_ENDED: Final = {"used": LinkUsed, "expired": LinkExpired, "revoked": LinkRevoked}


_log = structlog.get_logger(__name__)


@get("/s/{token:str}")
async def show_entrance(request: Http) -> ASGIResponse:
    """Show what a link leads to, and the button that uses it."""
    return await _entrance_page(Visit(request), request.path_params["token"])


@post("/s/{token:str}")
async def enter(request: Http) -> ASGIResponse:
    """Come in by a link."""
    visit, token = Visit(request), request.path_params["token"]
    form = await read_form(visit)
    try:
        ways = visit.parts.application.ways_back
        arrival = await ways.enter(token, _visitor(visit, form), present_instant())
    except TableeError as error:
        return await _entrance_page(visit, token, *notice_of(error, visit.language, ""))
    return await arrived(visit, arrival)


@get("/back")
async def show_ways_back(request: Http) -> ASGIResponse:
    """Show how to come back."""
    visit = Visit(request)
    return await back_page(visit, query(request, "table") or "")


@post("/back")
async def come_back(request: Http) -> ASGIResponse:
    """Come back by a recovery code; a link or a token leads to its own page."""
    visit = Visit(request)
    form = await read_form(visit)
    table, given = form.text("table"), form.text("way").strip()
    if link := _LINK(given):
        return see_other(f"/s/{link[1]}")
    try:
        if not read(given):
            raise NoWayBack
        application = visit.parts.application
        person = await application.codes.person(given)
        mine = await visit.person()
        if mine and mine != person and not form.text("join"):
            return await back_page(visit, table, choice=await _choice(visit, person), way=given)
        arrival = await application.ways_back.recover(given, _visitor(visit, form), present_instant())
    except TableeError as error:
        return await back_page(visit, table, *notice_of(error, visit.language, ""))
    _log.info("recovered")
    return await arrived(visit, arrival, f"/m/{table}" if is_match_id(table) else "/")


def returning_of(request: Http) -> Returning:
    """Return what lets people back in by mail."""
    found: Returning = request.app.state.returning
    return found


async def arrived(visit: Visit, arrival: Arrival, back: str = "/") -> ASGIResponse:
    """Send who came in to their seat, or to where they were."""
    cookies: list[Cookie] = [visit.session_cookie(arrival.session)]
    person = await visit.parts.application.persons.of(arrival.person)
    if person is not None and person.language in LANGUAGES:
        cookies.append(visit.language_cookie(person.language))
    return see_other(f"/m/{arrival.match}" if arrival.match else back, cookies)


def _visitor(visit: Visit, form: Form) -> Visitor:
    return Visitor(visit.session, visit.device, form.text("join") == "yes")


async def _entrance_page(
    visit: Visit, token: str, notice: Notice | None = None, status: int = 200
) -> ASGIResponse:
    try:
        way = await visit.parts.application.ways_back.find(token)
        _require_valid(way)
    except (NoSuchLink, LinkUsed, LinkExpired, LinkRevoked) as error:
        said = in_words(error, visit.language, "")
        return secret_page(visit, "no_entrance.html", status=status_of(error), said=said, here="/back")
    shown: dict[str, Any] = {"token": token, "notice": notice, "match": "", "game_name": ""}
    if way.holder is None:
        shown |= {"choice": await _choice(visit, way.person)}
    else:
        shown |= {"choice": await _choice(visit, "")} | await _seat(visit, way.holder)
    return secret_page(visit, "entrance.html", status=status, **shown)


def _require_valid(way: Way) -> None:
    state = "valid" if way.link is None else way.link.state(present_instant())
    if state != "valid":
        raise _ENDED[state]


async def _choice(visit: Visit, person: str) -> dict[str, Any]:
    """Return as whom somebody comes in, and who they are on this device."""
    mine = await visit.person()
    known, me = await visit.parts.application.persons.of_many([person, mine])
    tables = {one.holder.match for one in await visit.memberships()}
    return {
        "name": known.name if known is not None else "",
        "is_known": bool(mine),
        "is_me": bool(mine) and mine == person,
        "my_name": me.name if me is not None else "",
        "tables": len(tables),
    }


async def _seat(visit: Visit, holder: Holder) -> dict[str, Any]:
    """Return which seat of which table a way leads to; nothing of what lies on that table."""
    application = visit.parts.application
    try:
        game = (await application.reader.terms(holder.match)).game
    except (BrokenLog, MatchClosed, NoSuchMatch):
        game = ""
    return {
        "match": holder.match,
        "is_host": holder.role == "host",
        "game_name": game_name(game, visit.language) if game else "",
        "seat_name": (await application.names.of([holder.player]))[0],
    }


async def back_page(
    visit: Visit,
    table: str,
    notice: Notice | None = None,
    status: int = 200,
    *,
    choice: dict[str, Any] | None = None,
    way: str = "",
) -> ASGIResponse:
    """Answer with the page of all ways back."""
    asked = table if is_match_id(table) else ""
    phase = ""
    if asked:
        try:
            phase = (await visit.parts.application.reader.head(asked)).state.lifecycle.phase
        except (BrokenLog, MatchClosed, NoSuchMatch):
            asked = ""
    return secret_page(
        visit,
        "back.html",
        status=status,
        table=asked,
        may_ask_host=phase == "gathering",
        notice=notice,
        choice=choice,
        way=way,
        by_mail=returning_of(visit.request).is_possible,
        by_passkey=possible_party(visit.request) is not None,
        here=f"/back?table={asked}" if asked else "/back",
    )

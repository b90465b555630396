"""``/me/passkeys`` and ``/back/passkey``: passkeys of my devices, and coming back with one.

``passkey.js`` asks here for what the device needs, hands it over, and sends the answer with the form's own fields.
"""

from typing import Any

import structlog
from litestar import post
from litestar.response.base import ASGIResponse

from api.answering.answers import JSON
from api.pages.devices import devices_page
from api.pages.forms import read_form
from api.pages.refusals import notice_of
from api.pages.rendering import see_other
from api.pages.secret_pages import NOT_KEPT
from api.pages.visits import Visit
from api.pages.ways_back import arrived, back_page
from api.parts import Http
from api.permissions.admission import access_of
from api.requests.passkeys import party_of
from domain.errors import TableeError
from services.bootstrap import present_instant
from services.log.event_store.checks import is_match_id
from services.people.hashed_secrets import new_secret
from services.people.passkeys.kept import Passkey
from services.people.ways_back import Visitor

DEVICES = "/me/devices"

_log = structlog.get_logger(__name__)


@post("/me/passkeys/options")
async def ask_to_keep(request: Http) -> ASGIResponse:
    """Tell this device what it needs to make a passkey."""
    visit, person = Visit(request), access_of(request).person
    called = await visit.name()
    options = await visit.parts.application.passkeys.ask_to_keep(
        person, called, party_of(request), visit.session, present_instant()
    )
    return _options(options)


@post("/me/passkeys")
async def keep(request: Http) -> ASGIResponse:
    """Keep the passkey that this device has made."""
    visit, person = Visit(request), access_of(request).person
    form = await read_form(visit)
    application = visit.parts.application
    try:
        await application.passkeys.keep(
            person,
            form.text("answer"),
            form.text("name").strip() or visit.device,
            party_of(request),
            visit.session,
            present_instant(),
        )
    except TableeError as error:
        return await devices_page(visit, *notice_of(error, visit.language, ""))
    await application.persons.keep(person)
    _log.info("passkey_kept")
    return see_other(DEVICES)


@post("/me/passkeys/{passkey:str}/name")
async def rename(request: Http) -> ASGIResponse:
    """Call one of my passkeys otherwise."""
    visit = Visit(request)
    form = await read_form(visit)
    passkeys, passkey = visit.parts.application.passkeys, request.path_params["passkey"]
    try:
        await passkeys.rename(access_of(request).person, passkey, form.text("name"))
    except TableeError as error:
        return await devices_page(visit, *notice_of(error, visit.language, ""))
    return see_other(DEVICES)


@post("/me/passkeys/{passkey:str}/remove")
async def remove(request: Http) -> ASGIResponse:
    """Remove one of my passkeys."""
    visit = Visit(request)
    passkeys, passkey = visit.parts.application.passkeys, request.path_params["passkey"]
    try:
        await passkeys.remove(access_of(request).person, passkey)
    except TableeError as error:
        return await devices_page(visit, *notice_of(error, visit.language, ""))
    _log.info("passkey_removed")
    return see_other(DEVICES)


@post("/back/passkey/options")
async def ask_to_return(request: Http) -> ASGIResponse:
    """Tell a device what it needs to say which of its owners comes back."""
    visit = Visit(request)
    passkeys = visit.parts.application.passkeys
    return _options(passkeys.ask_to_return(party_of(request), visit.session, present_instant()))


@post("/back/passkey")
async def come_back(request: Http) -> ASGIResponse:
    """Come back with a passkey."""
    visit = Visit(request)
    form = await read_form(visit)
    application, table = visit.parts.application, form.text("table")
    visitor, now = Visitor(visit.session, visit.device), present_instant()
    try:
        passkey = await application.passkeys.returned(
            form.text("answer"), party_of(request), visit.session, now
        )
        mine = await visit.person()
        if mine and mine != passkey.person:
            return see_other(await _choice(visit, passkey), visit.cookies())
        arrival = await application.ways_back.return_by(passkey, visitor, now)
    except TableeError as error:
        return await back_page(visit, table, *notice_of(error, visit.language, ""))
    _log.info("passkey_used")
    return await arrived(visit, arrival, f"/m/{table}" if is_match_id(table) else "/")


async def _choice(visit: Visit, passkey: Passkey) -> str:
    """Return where somebody chooses whether who they have been on this device comes along."""
    token = new_secret()
    await visit.parts.application.links.make_by_passkey(token, passkey.person, present_instant())
    return f"/s/{token}"


def _options(options: str) -> ASGIResponse:
    headers: dict[str, Any] = {**NOT_KEPT}
    return ASGIResponse(body=options.encode(), headers=headers, media_type=JSON)

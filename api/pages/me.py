"""``/me``: who I am here, how I come back in, what is kept about me; and leaving."""

import asyncio
from functools import cache
from typing import Final
from zoneinfo import available_timezones

import msgspec
import structlog
from litestar import get, post
from litestar.response.base import ASGIResponse

from api.pages.forms import read_form
from api.pages.preferences import choices_shown
from api.pages.qr import qr_code
from api.pages.rendering import HEADERS, LANGUAGE_NAMES, page, see_other
from api.pages.secret_pages import NOT_KEPT, secret_page
from api.pages.sitting import new_secret_key, secret_key_of
from api.pages.visits import Visit
from api.parts import Http
from api.permissions.admission import access_of
from api.requests.addresses import public_address
from domain.errors import Malformed
from services.bootstrap import present_instant
from services.people.persons import Wish
from services.people.player_names import LONGEST_NAME
from services.people.time_zones import is_time_zone
from services.words.languages import LANGUAGES
from services.words.phrases import phrase, words_in

FILE_NAME: Final = "tablee-me.json"
LATER: Final = "way_back"
"""The preference of somebody who does not want to be offered a way back."""

_log = structlog.get_logger(__name__)


@get("/me")
async def show_me(request: Http) -> ASGIResponse:
    """Show who I am, and how I come back in."""
    visit = Visit(request)
    application, person = visit.parts.application, await visit.person()
    known = await application.persons.of(person) if person else None
    if known is None:
        return page(visit, "unknown_me.html", choices=choices_shown(visit))
    devices = await application.sessions.of(person)
    return page(
        visit,
        "me.html",
        me=known,
        choices=choices_shown(visit),
        code=await application.codes.of(person),
        devices=len(devices),
        # It reads hundreds of files once; others' moves must not wait for it.
        zones=await asyncio.to_thread(_zones),
        names=LANGUAGE_NAMES,
        longest_name=LONGEST_NAME,
        day=await visit.days(),
    )


@post("/me")
async def change_me(request: Http) -> ASGIResponse:
    """Change my name, my language or my time zone."""
    visit = Visit(request)
    form = await read_form(visit)
    language, zone = form.text("language"), form.text("time_zone")
    if (language and language not in LANGUAGES) or (zone and not is_time_zone(zone)):
        raise Malformed("form.malformed", "There is no such language or time zone.")
    await visit.parts.application.persons.change(
        access_of(request).person, Wish(form.text("name"), language, zone)
    )
    return see_other("/me", [visit.language_cookie(language)])


@get("/me/link")
async def show_link(request: Http) -> ASGIResponse:
    """Tell what a link to another device does, before the click."""
    visit = Visit(request)
    return page(visit, "make_link.html", key=new_secret_key())


@post("/me/link")
async def make_link(request: Http) -> ASGIResponse:
    """Make a link that lets me in on another device, once."""
    visit = Visit(request)
    form = await read_form(visit)
    person, application = access_of(request).person, visit.parts.application
    token = application.identity.for_link(person, secret_key_of(form))
    link = await application.links.make_for_person(token, person, present_instant())
    await application.persons.keep(person)
    _log.info("personal_link_made")
    label = words_in(visit.language).say(phrase("The link as a QR code, for a camera"))
    address = public_address(request, f"/s/{token}")
    return secret_page(
        visit, "link.html", address=address, qr=qr_code(address, label), until=link.until, here="/me"
    )


@post("/me/link/revoke")
async def revoke_link(request: Http) -> ASGIResponse:
    """Take back the link that was not used."""
    visit = Visit(request)
    await read_form(visit)
    await visit.parts.application.links.revoke(access_of(request).person)
    _log.info("personal_link_revoked")
    return see_other("/me")


@get("/me/code")
async def show_code(request: Http) -> ASGIResponse:
    """Tell what a recovery code is, before the click."""
    visit = Visit(request)
    code = await visit.parts.application.codes.of(access_of(request).person)
    return page(visit, "make_code.html", has_code=code is not None, key=new_secret_key())


@post("/me/code")
async def make_code(request: Http) -> ASGIResponse:
    """Make a recovery code, instead of the one before, and show it once."""
    visit = Visit(request)
    form = await read_form(visit)
    person, application = access_of(request).person, visit.parts.application
    code = application.identity.for_recovery(person, secret_key_of(form))
    await application.codes.give(person, code, present_instant())
    await application.persons.keep(person)
    _log.info("recovery_code_made")
    known = await application.persons.of(person)
    return secret_page(
        visit, "code.html", code=code, me=known, address=public_address(request, "/back"), here="/me"
    )


@post("/me/later")
async def decline_way_back(request: Http) -> ASGIResponse:
    """Take note that I do not want to be offered a way back at my tables."""
    visit = Visit(request)
    form = await read_form(visit)
    await visit.parts.application.persons.change(
        access_of(request).person, Wish(preferences={LATER: "declined"})
    )
    back = form.text("back")
    return see_other(back if back.startswith("/m/") else "/")


@post("/me/leave")
async def leave_device(request: Http) -> ASGIResponse:
    """Let this device forget me; others still know me."""
    visit = Visit(request)
    await read_form(visit)
    await visit.parts.application.sessions.leave(visit.session)
    _log.info("device_left")
    return see_other("/", [visit.session_cookie("")])


@get("/me/file")
async def send_my_file(request: Http) -> ASGIResponse:
    """Send everything that is kept about me, as a file."""
    visit = Visit(request)
    kept = await visit.parts.application.dossiers.of(access_of(request).person)
    headers = {**HEADERS, **NOT_KEPT, "Content-Disposition": f'attachment; filename="{FILE_NAME}"'}
    content = msgspec.json.format(msgspec.json.encode(kept), indent=2)
    return ASGIResponse(body=content, headers=headers, media_type="application/json")


@get("/me/erase")
async def show_erasure(request: Http) -> ASGIResponse:
    """Tell what an erasure does, before the click."""
    visit = Visit(request)
    person, application = access_of(request).person, visit.parts.application
    memberships = [one for one in await application.memberships.of(person) if one.holder.role == "seat"]
    running = [one for one in memberships if await application.leaving.goes_on(one)]
    return page(visit, "erase.html", running=len(running))


@post("/me/erase")
async def erase_me(request: Http) -> ASGIResponse:
    """Erase me."""
    visit = Visit(request)
    form = await read_form(visit)
    person = access_of(request).person
    if form.text("sure") != "yes":
        return see_other("/me/erase")
    await visit.parts.application.dossiers.erase(person, present_instant())
    _log.info("person_erased", by="person")
    return see_other("/", [visit.session_cookie("")])


async def lacks_way_back(visit: Visit) -> bool:
    """Tell whether to offer a way back: the visitor has neither recovery code nor passkey, and has not declined."""
    person, application = await visit.person(), visit.parts.application
    if not person or await application.codes.of(person) is not None:
        return False
    if await application.passkeys.of(person):
        return False
    known = await application.persons.of(person)
    return known is not None and LATER not in known.preferences


@cache
def _zones() -> tuple[str, ...]:
    return tuple(sorted(name for name in available_timezones() if "/" in name or name == "UTC"))

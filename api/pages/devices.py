"""``/me/devices``: on which devices I am known, and signing them out."""

from typing import Any, Final

import structlog
from litestar import get, post
from litestar.response.base import ASGIResponse

from api.pages.forms import read_form
from api.pages.rendering import page, see_other
from api.pages.visits import Visit
from api.parts import Http
from api.permissions.admission import access_of
from services.people.hashed_secrets import hash_of

_OTHERS: Final = "others"

_log = structlog.get_logger(__name__)


@get("/me/devices")
async def show_devices(request: Http) -> ASGIResponse:
    """List the devices on which I am known."""
    visit = Visit(request)
    found = await visit.parts.application.sessions.of(access_of(request).person)
    mine = hash_of(visit.session)
    rows: list[dict[str, Any]] = [
        {"id": one.id, "device": one.device, "since": one.since, "seen": one.seen, "here": one.id == mine}
        for one in found
    ]
    return page(visit, "devices.html", devices=sorted(rows, key=lambda row: not row["here"]))


@post("/me/devices")
async def sign_out(request: Http) -> ASGIResponse:
    """Sign out one device, or all others."""
    visit = Visit(request)
    form = await read_form(visit)
    person, sessions = access_of(request).person, visit.parts.application.sessions
    ended, here = form.text("end"), hash_of(visit.session)
    if ended == _OTHERS:
        count = await sessions.end_all(person, but=here)
        # A link that was sent to one of them would let it in again.
        await visit.parts.application.links.revoke(person)
        _log.info("devices_signed_out", devices=count)
    elif await sessions.end(person, ended):
        _log.info("devices_signed_out", devices=1)
    return see_other("/" if ended == here else "/me/devices")

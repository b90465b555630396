"""``/me/devices``: on which devices I am known, and signing them out."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
import structlog
from litestar import get, post
from litestar.response.base import ASGIResponse

from api.pages.forms import read_form
from api.pages.rendering import page, see_other
from api.pages.scene import Notice
from api.pages.visits import Visit
from api.parts import Http
from api.permissions.admission import access_of
from api.requests.passkeys import possible_party
from services.people.hashed_secrets import hash_of
from services.people.passkeys.passkeys import LONGEST_NAME, MOST
from services.people.sessions import CameBy
from services.words.phrases import Phrase, phrase, words_in

_OTHERS: Final = "others"

_CAME_BY: Final[Mapping[CameBy, Phrase]] = {
    "link": phrase("came in by a link"),
    "mail": phrase("came in by a mail"),
    "code": phrase("came in with the recovery code"),
    "passkey": phrase("came in with a passkey"),
}

_log = structlog.get_logger(__name__)


@get("/me/devices")
async def show_devices(request: Http) -> ASGIResponse:
    """List the devices on which I am known."""
    return await devices_page(Visit(request))


async def devices_page(visit: Visit, notice: Notice | None = None, status: int = 200) -> ASGIResponse:
    """Answer with my devices and the passkeys that they keep."""
    person, application = access_of(visit.request).person, visit.parts.application
    found = await application.sessions.of(person)
    mine = hash_of(visit.session)
    rows: list[dict[str, Any]] = [
        {**msgspec.structs.asdict(one), "by": _came_by(one.by, visit.language), "here": one.id == mine}
        for one in found
    ]
    passkeys = await application.passkeys.of(person)
    return page(
        visit,
        "devices.html",
        status=status,
        devices=sorted(rows, key=lambda row: not row["here"]),
        passkeys=passkeys,
        can_keep=possible_party(visit.request) is not None,
        day=await visit.days(),
        has_room=len(passkeys) < MOST,
        longest_name=LONGEST_NAME,
        notice=notice,
        here="/me/devices",
    )


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


def _came_by(by: CameBy, language: str) -> str:
    return words_in(language).say(_CAME_BY[by]) if by else ""

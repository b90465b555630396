"""``/me/keys``: the keys with which a person's own programs act."""

from typing import Final

from litestar import get, post
from litestar.response.base import ASGIResponse

from api.pages.forms import read_form
from api.pages.rendering import page, see_other
from api.pages.sitting import new_secret_key, secret_key_of
from api.pages.visits import Visit
from api.parts import Http
from api.requests.keys import revoke_key, shown_keys
from domain.errors import Malformed
from services.bootstrap import present_instant
from services.people.player_names import LONGEST_NAME, readable
from services.people.program_keys import MOST_KEYS, PREFIX, SCOPES, TooManyKeys

_HEADERS: Final = {"Cache-Control": "no-store"}


@get("/me/keys")
async def show_keys(request: Http) -> ASGIResponse:
    """List a person's keys, and let them make one."""
    return await _page(Visit(request))


@post("/me/keys")
async def make_key(request: Http) -> ASGIResponse:
    """Make a key, and show it this once."""
    visit = Visit(request)
    form = await read_form(visit)
    person, scope = await visit.person(), next((one for one in SCOPES if one == form.text("scope")), None)
    if not person:
        return see_other("/me/keys")
    if scope is None or not readable(form.text("name")):
        raise Malformed("key.name_missing", "A key needs a name and a purpose.")
    application = visit.parts.application
    token = PREFIX + application.identity.for_new_key(person, secret_key_of(form))
    try:
        await application.keys.make(person, token, form.text("name"), scope, present_instant())
    except TooManyKeys:
        return await _page(visit, status=403)
    return await _page(visit, token)


@post("/me/keys/revoke")
async def revoke(request: Http) -> ASGIResponse:
    """Revoke a key."""
    visit = Visit(request)
    form = await read_form(visit)
    await revoke_key(visit.parts.application, await visit.person(), form.text("key"))
    return see_other("/me/keys")


async def _page(visit: Visit, token: str = "", status: int = 200) -> ASGIResponse:
    person = await visit.person()
    keys = await shown_keys(visit.parts.application, person) if person else []
    return page(
        visit,
        "keys_of_programs.html",
        status=status,
        headers=_HEADERS,
        here="/me/keys",
        is_known=bool(person),
        keys=keys,
        token=token,
        key=new_secret_key(),
        is_full=len(keys) >= MOST_KEYS,
        most=MOST_KEYS,
        longest_name=LONGEST_NAME,
        day=await visit.days(),
    )

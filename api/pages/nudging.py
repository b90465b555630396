"""``/m/{match}/nudge``: reminding somebody whom the table waits for."""

from litestar import post
from litestar.response.base import ASGIResponse

from api.pages.commands import answer_with_table
from api.pages.forms import read_form
from api.pages.refusals import notice_of
from api.pages.visits import Visit
from api.parts import Http
from api.permissions.admission import acting
from api.permissions.rules import SEAT
from api.requests.commands import match_of, require_seat_held
from domain.errors import Refused
from services.bootstrap.notices import nudging


@post("/m/{match:str}/nudge")
async def nudge(request: Http) -> ASGIResponse:
    """Nudge whoever holds a seat."""
    visit, match = Visit(request), match_of(request)
    form, application = await read_form(visit), visit.parts.application
    position = await application.reader.head(match)
    own = require_seat_held(position.state, acting(SEAT, await visit.held(match)).player)
    try:
        await nudging(application).nudge(position, own, form.number("seat"))
    except Refused as refusal:
        return await answer_with_table(visit, match, None, *notice_of(refusal, visit.language, ""))
    return await answer_with_table(visit, match, None, None, 200)

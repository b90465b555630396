"""``/m/{match}/nudge``: reminding somebody whom the table waits for."""

from litestar import post
from litestar.response.base import ASGIResponse

from api.pages.commands import answer_with_table
from api.pages.forms import read_form
from api.pages.refusals import notice_of
from api.pages.tables import table_of
from api.pages.visits import Visit
from api.parts import Http
from api.permissions.refusals import SeatTokenNeeded
from api.requests.commands import match_of
from domain.errors import Refused
from services.bootstrap.notices import nudging


@post("/m/{match:str}/nudge")
async def nudge(request: Http) -> ASGIResponse:
    """Nudge whoever holds a seat."""
    visit, match = Visit(request), match_of(request)
    form = await read_form(visit)
    table = await table_of(visit, match)
    if table.seat is None:
        raise SeatTokenNeeded
    seat = form.number("seat")
    try:
        await nudging(visit.parts.application).nudge(table.position, table.seat, seat)
    except Refused as refusal:
        return await answer_with_table(visit, match, None, *notice_of(refusal, visit.language, ""))
    return await answer_with_table(visit, match, None, None, 200)

"""``/m/{match}/rematch``: playing again with the same people, in one press."""

from litestar import post
from litestar.response.base import ASGIResponse

from api.pages.clubs.for_new_table import club_of_match
from api.pages.forms import read_form
from api.pages.rendering import see_other
from api.pages.sitting import take_seat
from api.pages.tables import table_of
from api.pages.visits import Visit
from api.parts import Http
from api.permissions.refusals import SeatTokenNeeded
from api.requests.commands import match_of
from api.requests.rematches import made_rematch
from services.matches.service import seat_of


@post("/m/{match:str}/rematch")
async def play_again(request: Http) -> ASGIResponse:
    """Make the same table again, or find the one that somebody has made, and sit down there, ready."""
    visit, match = Visit(request), match_of(request)
    form = await read_form(visit)
    table = await table_of(visit, match)
    if table.seat is None:
        raise SeatTokenNeeded
    person = await visit.become_person("")
    club = await club_of_match(visit, match)
    made = await made_rematch(visit.parts, "page", table.position, person, club)
    state = None if made.position is None else made.position.state
    held = await visit.held(made.issued.match)
    if (
        state is not None
        and state.lifecycle.phase == "gathering"
        and seat_of(state, held.seat or "-") is None
    ):
        await take_seat(visit, made.issued.match, form, None, ready=True)
    return see_other(f"/m/{made.issued.match}")

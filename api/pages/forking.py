"""``/m/{match}/fork``: playing on from a position of a match that is over, or of one's own practice match."""

from litestar import get, post
from litestar.response.base import ASGIResponse

from api.pages.forms import read_form
from api.pages.new_table import create_table
from api.pages.refusals import notice_of
from api.pages.rendering import page, see_other
from api.pages.scene import Notice
from api.pages.sitting import new_secret_key, secret_key_of, take_seat
from api.pages.tables import Table, table_of
from api.pages.visits import Visit
from api.parts import Http
from api.requests.bodies import ForkBody, fork_body
from api.requests.commands import match_of, position_of
from api.requests.queries import number
from api.requests.submissions import Caller
from domain.errors import Refused
from services.errors import NoSuchMatch
from services.people.player_names import LONGEST_NAME
from services.words.names import game_name

SAME, ANEW = "same", "anew"
"""Whether the cards to come are those of the match, or what one did not know is dealt anew."""


@get("/m/{match:str}/fork")
async def show_fork(request: Http) -> ASGIResponse:
    """Ask who plays, and with which cards."""
    visit, match = Visit(request), match_of(request)
    table = await table_of(visit, match)
    at = number(request, "at", table.position.version)
    return _fork_page(visit, table, at, seat=table.seat or 0, cards=SAME)


@post("/m/{match:str}/fork")
async def begin_fork(request: Http) -> ASGIResponse:
    """Make a table that begins with the position."""
    visit, match = Visit(request), match_of(request)
    form = await read_form(visit)
    table = await table_of(visit, match)
    at, seat = form.number("at", table.position.version), form.number("seat", 0)
    cards = ANEW if form.text("cards") == ANEW else SAME
    issued = visit.parts.application.identity.for_new_match(secret_key_of(form))
    try:
        position = ForkBody(match, at, cards == SAME, seat)
        fork = await position_of(visit.parts, position, Caller("page", table.held.seat, issued.command_id))
        await create_table(visit, issued, fork_body(fork, len(table.position.state.seats)), fork)
        await take_seat(visit, issued.match, form, seat, ready=True)
    except (Refused, NoSuchMatch) as refusal:
        notice, status = notice_of(refusal, visit.language, "")
        return _fork_page(visit, table, at, seat=seat, cards=cards, notice=notice, status=status)
    return see_other(f"/m/{issued.match}")


def _fork_page(
    visit: Visit,
    table: Table,
    at: int,
    *,
    seat: int,
    cards: str,
    notice: Notice | None = None,
    status: int = 200,
) -> ASGIResponse:
    match, terms = table.position.match, table.position.state.terms
    return page(
        visit,
        "fork.html",
        status=status,
        match=match,
        at=at,
        names=table.names,
        seats=range(len(table.position.state.seats)),
        seat=seat,
        cards=cards,
        game_name=game_name("" if terms is None else terms.game, visit.language),
        notice=notice,
        key=new_secret_key(),
        longest_name=LONGEST_NAME,
        here=f"/m/{match}/fork?at={at}",
    )

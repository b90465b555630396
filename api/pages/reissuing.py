"""``/m/{match}/link``: the host lets somebody back on the seat that they have lost, until the cards are dealt."""

from litestar import get, post
from litestar.response.base import ASGIResponse

from api.pages.commands import refused_on_table
from api.pages.forms import read_form
from api.pages.qr import qr_code
from api.pages.rendering import page, see_other
from api.pages.secret_pages import secret_page
from api.pages.sitting import new_secret_key, secret_key_of
from api.pages.tables import table_of
from api.pages.visits import Visit
from api.parts import Http
from api.permissions.admission import acting
from api.permissions.rules import HOST
from api.requests.addresses import public_address
from api.requests.commands import match_of
from api.requests.queries import number
from domain.errors import TableeError
from services.bootstrap import present_instant
from services.words.phrases import phrase, words_in


@get("/m/{match:str}/link")
async def show_reissue(request: Http) -> ASGIResponse:
    """Tell the host what a new link to a seat does, before the click."""
    visit, match, seat = Visit(request), match_of(request), number(request, "seat", 0)
    table = await table_of(visit, match)
    if not table.held.host or not 0 <= seat < len(table.names):
        return see_other(f"/m/{match}")
    return page(
        visit,
        "reissue.html",
        match=match,
        seat=seat,
        name=table.names[seat],
        key=new_secret_key(),
        here=f"/m/{match}",
    )


@post("/m/{match:str}/link")
async def reissue_seat(request: Http) -> ASGIResponse:
    """Make a link to a seat, for who has lost it."""
    visit, match = Visit(request), match_of(request)
    form, application = await read_form(visit), visit.parts.application
    try:
        acting(HOST, await visit.held(match))
        seat = form.number("seat")
        token = application.identity.for_link(f"{match} {seat}", secret_key_of(form))
        link = await application.reissuing.by_host(match, seat, token, present_instant())
    except TableeError as error:
        return await refused_on_table(visit, match, error)
    return seat_link_page(visit, token, link.until, f"/m/{match}")


def seat_link_page(visit: Visit, token: str, until: str, here: str) -> ASGIResponse:
    """Show the link to a seat, once."""
    label = words_in(visit.language).say(phrase("The link as a QR code, for a camera"))
    address = public_address(visit.request, f"/s/{token}")
    return secret_page(
        visit, "seat_link.html", address=address, qr=qr_code(address, label), until=until, here=here
    )

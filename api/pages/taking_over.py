"""``/m/{match}/ask-for-seat``: asking the people at a table for a seat in play, and asking no longer."""

from litestar import post
from litestar.response.base import ASGIResponse

from api.pages.commands import answer_with_table
from api.pages.forms import read_form
from api.pages.refusals import notice_of
from api.pages.rendering import see_other
from api.pages.sitting import require_free_name, secret_key_of
from api.pages.tables import table_of
from api.pages.visits import Visit
from api.parts import Http
from api.requests.bodies import AskForSeatBody
from api.requests.commands import match_of
from api.requests.submissions import asking_for_seat, asking_no_longer, check, issued_caller
from domain.errors import Refused
from services.bootstrap import present_instant
from services.people.identity import Holder
from services.people.player_names import readable


@post("/m/{match:str}/ask-for-seat")
async def ask_for_seat(request: Http) -> ASGIResponse:
    """Ask the people at a table for a seat."""
    visit, match = Visit(request), match_of(request)
    form = await read_form(visit)
    table = await table_of(visit, match)
    parts, key, body = visit.parts.application, secret_key_of(form), AskForSeatBody(form.number("seat"))
    if table.seat is not None:
        return see_other(f"/m/{match}")
    try:
        issued = parts.identity.for_person(match, await visit.person(), key)
        check(asking_for_seat(issued_caller("page", issued), match, body), table.position)
        name = readable(form.text("name")) or await visit.name()
        await require_free_name(visit, table.position.state, name)
        person = await visit.become_person(name)
        issued = parts.identity.for_person(match, person, key)
        await parts.names.give(issued.player, name)
        await parts.memberships.collect(person, Holder(match, issued.player, "seat"), present_instant())
        await parts.service.execute(asking_for_seat(issued_caller("page", issued), match, body))
    except Refused as refusal:
        game = "" if table.position.state.terms is None else table.position.state.terms.game
        notice, status = notice_of(refusal, visit.language, game)
        return await answer_with_table(visit, match, None, notice, status)
    return await answer_with_table(visit, match, None, None, 200)


@post("/m/{match:str}/ask-for-seat/withdraw")
async def ask_no_longer(request: Http) -> ASGIResponse:
    """Ask the people at a table for a seat no longer."""
    visit, match = Visit(request), match_of(request)
    form = await read_form(visit)
    table, parts = await table_of(visit, match), visit.parts.application
    issued = parts.identity.for_person(match, await visit.person(), secret_key_of(form))
    try:
        await parts.service.execute(asking_no_longer(issued_caller("page", issued), match))
    except Refused as refusal:
        game = "" if table.position.state.terms is None else table.position.state.terms.game
        notice, status = notice_of(refusal, visit.language, game)
        return await answer_with_table(visit, match, None, notice, status)
    return await answer_with_table(visit, match, None, None, 200)

"""Buttons that make and cancel plans."""

import msgspec
from litestar import post
from litestar.response.base import ASGIResponse

from api.pages.commands import answer_with_table
from api.pages.forms import Form, read_form
from api.pages.plan_offers import plan_fields
from api.pages.refusals import notice_of
from api.pages.visits import Visit
from api.parts import Http
from api.permissions.admission import acting
from api.permissions.rules import SEAT
from api.requests.commands import match_of, require_seat_held
from domain.errors import Refused
from domain.games.contract import AnyGame, Plan
from domain.match.evolve import game_of
from services.matches.plans import plan_decoder


@post("/m/{match:str}/plan")
async def choose_plan(request: Http) -> ASGIResponse:
    """Make a plan, or cancel it."""
    visit, match = Visit(request), match_of(request)
    form, application = await read_form(visit), visit.parts.application
    state = (await application.reader.head(match)).state
    player = acting(SEAT, await visit.held(match)).player
    require_seat_held(state, player)
    game = game_of(await application.reader.terms(match))
    try:
        if form.text("plan"):
            await application.plans.make(match, player, "page", _plan(form, game, visit.language))
        else:
            await application.plans.cancel(match, player)
    except Refused as refusal:
        notice, status = notice_of(refusal, visit.language, game.key)
        return await answer_with_table(visit, match, None, notice, status)
    return await answer_with_table(visit, match, None, None, 200)


def _plan(form: Form, game: AnyGame, language: str) -> Plan:
    kind, decoder = form.text("plan"), plan_decoder(game)
    said: dict[str, str | int] = {"type": kind}
    for one in game.plan_types:
        if one.__struct_config__.tag == kind:
            said |= {field.name: form.number(field.name, 0) for field in plan_fields(game, one, language)}
    try:
        plan = None if decoder is None else decoder.decode(msgspec.json.encode(said))
    except msgspec.ValidationError:
        plan = None
    if plan is None:
        raise Refused("plan.unknown", "plans", game=game.key)
    return plan

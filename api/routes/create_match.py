"""``POST /matches``: making a table."""

import secrets
from typing import Final

import msgspec
from litestar import post
from litestar.response.base import ASGIResponse

from api.answers import MatchCreated, answer, view_for
from api.bodies import CreateMatchBody, fingerprint, read
from api.commands import act_of, carry_out
from api.headers import secret_key
from api.parts import Http, parts_of
from domain.errors import Refused
from domain.match.commands import Context, CreateMatch, SeatPlan
from domain.match.decide import decide
from domain.match.state import EMPTY, ClockTerms
from services.bootstrap import present_instant
from services.matches.service import Order

_BODY: Final = msgspec.json.Decoder(CreateMatchBody)


@post("/matches")
async def create_match(request: Http) -> ASGIResponse:
    """Make a table and become its host."""
    parts, key = parts_of(request), secret_key(request)
    body = await read(request, _BODY)
    identity = parts.application.identity
    issued = identity.for_new_match(key)
    command = CreateMatch(
        game=body.game,
        options=dict(body.options),
        seats=tuple(SeatPlan(seat.bot) for seat in body.seats),
        host=issued.player,
        seed=secrets.token_hex(32),
        clock=ClockTerms(body.clock.per_turn),
        undo=body.undo,
        visibility=body.visibility,
        rematch_of=body.rematch_of or "",
    )
    order = Order(
        match=issued.match,
        command=command,
        act=act_of(issued.player, issued.command_id),
        fingerprint=fingerprint("create", "", body),
    )
    if _acceptable(command):
        # Before the event: a token without its match opens nothing, a match without its token never starts. A table
        # that will be refused leaves no trace.
        await identity.remember(issued, "host")
    outcome = await carry_out(parts, order)
    view = view_for(outcome.position, None)
    return answer(
        MatchCreated(issued.match, outcome.last, issued.token, view),
        201,
        {"Location": f"/api/v1/matches/{issued.match}"},
    )


def _acceptable(command: CreateMatch) -> bool:
    try:
        decide(EMPTY, command, Context(present_instant()))
    except Refused:
        return False
    return True

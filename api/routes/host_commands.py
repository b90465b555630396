"""What a table's host does: starting the match, and ending it without a result."""

from typing import Final

import msgspec
from litestar import post
from litestar.response.base import ASGIResponse

from api.bodies import AbandonBody, NoBody, read
from api.commands import table_command
from api.parts import Http
from domain.match.commands import AbandonMatch, StartMatch

_ABANDON: Final = msgspec.json.Decoder(AbandonBody)
_NOTHING: Final = msgspec.json.Decoder(NoBody)


@post("/matches/{match:str}/start")
async def start(request: Http) -> ASGIResponse:
    """Begin the game."""
    body = await read(request, _NOTHING)
    return await table_command(request, "host", "start", body, StartMatch())


@post("/matches/{match:str}/abandon")
async def abandon(request: Http) -> ASGIResponse:
    """End the match without a result."""
    body = await read(request, _ABANDON)
    return await table_command(request, "host", "abandon", body, AbandonMatch(body.reason))

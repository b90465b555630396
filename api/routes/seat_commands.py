"""What a seat's holder does besides moving: being ready, leaving, resigning, letting a bot play and coming back."""

from typing import Final

import msgspec
from litestar import post
from litestar.response.base import ASGIResponse

from api.bodies import HandToBotBody, NoBody, ReadyBody, read
from api.commands import NO_SEAT_YET, table_command
from api.parts import Http
from domain.match.commands import BeReady, HandSeatToBot, LeaveSeat, ReclaimSeat, ResignSeat

_READY: Final = msgspec.json.Decoder(ReadyBody)
_HAND_TO_BOT: Final = msgspec.json.Decoder(HandToBotBody)
_NOTHING: Final = msgspec.json.Decoder(NoBody)


@post("/matches/{match:str}/ready")
async def be_ready(request: Http) -> ASGIResponse:
    """Say that you are ready for the start."""
    body = await read(request, _READY)
    return await table_command(request, "seat", "ready", body, BeReady(NO_SEAT_YET, body.nonce or ""))


@post("/matches/{match:str}/leave")
async def leave(request: Http) -> ASGIResponse:
    """Stand up before the start."""
    body = await read(request, _NOTHING)
    return await table_command(request, "seat", "leave", body, LeaveSeat(NO_SEAT_YET))


@post("/matches/{match:str}/resign")
async def resign(request: Http) -> ASGIResponse:
    """Give up: a bot plays on for you, and you are ranked last."""
    body = await read(request, _NOTHING)
    return await table_command(request, "seat", "resign", body, ResignSeat(NO_SEAT_YET))


@post("/matches/{match:str}/hand-to-bot")
async def hand_to_bot(request: Http) -> ASGIResponse:
    """Let a bot play for you until you reclaim your seat."""
    body = await read(request, _HAND_TO_BOT)
    command = HandSeatToBot(NO_SEAT_YET, body.level)
    return await table_command(request, "seat", "hand-to-bot", body, command)


@post("/matches/{match:str}/reclaim")
async def reclaim(request: Http) -> ASGIResponse:
    """Play for yourself again."""
    body = await read(request, _NOTHING)
    return await table_command(request, "seat", "reclaim", body, ReclaimSeat(NO_SEAT_YET))

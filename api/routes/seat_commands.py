"""What a seat's holder does besides moving: being ready, leaving, resigning, letting a bot play and coming back."""

from typing import Final

import msgspec
from litestar import post
from litestar.response.base import ASGIResponse

from api.answering.answers import CommandDone
from api.document.operations import COMMAND_ID, Answer, Operation
from api.parts import Http
from api.requests.bodies import HandToBotBody, NoBody, ReadyBody, read
from api.requests.commands import NO_SEAT_YET, table_command
from domain.match.commands import BeReady, HandSeatToBot, LeaveSeat, ReclaimSeat, ResignSeat

_READY: Final = msgspec.json.Decoder(ReadyBody)
_HAND_TO_BOT: Final = msgspec.json.Decoder(HandToBotBody)
_NOTHING: Final = msgspec.json.Decoder(NoBody)


_BE_READY: Final = Operation(
    id="beReady",
    tag="tables",
    description="When everybody is ready the host can start. Who announced a nonce with his seat sends it now.",
    asker="seat",
    parameters=(COMMAND_ID,),
    body=ReadyBody,
    examples={"ready": {}},
    answers={200: Answer("Done.", CommandDone)},
    problems={
        409: (
            "seat.already_ready",
            "match.already_started",
        ),
        410: ("match.closed",),
        422: (
            "command.id_reused",
            "nonce.required",
            "nonce.mismatch",
            "nonce.not_announced",
        ),
    },
)

_LEAVE: Final = Operation(
    id="leaveSeat",
    tag="tables",
    description="Your seat is free again; your token no longer opens anything.",
    asker="seat",
    parameters=(COMMAND_ID,),
    body=NoBody,
    answers={200: Answer("Done.", CommandDone)},
    problems={
        409: ("match.already_started",),
        410: ("match.closed",),
        422: ("command.id_reused",),
    },
)

_RESIGN: Final = Operation(
    id="resignSeat",
    tag="tables",
    description="There is no way back. When the last person has resigned, the match ends as it stands.",
    asker="seat",
    parameters=(COMMAND_ID,),
    body=NoBody,
    answers={200: Answer("Done.", CommandDone)},
    problems={
        409: (
            "seat.resigned",
            "match.not_started",
        ),
        410: ("match.closed",),
        422: ("command.id_reused",),
    },
)

_HAND: Final = Operation(
    id="handSeatToBot",
    tag="tables",
    description="The bot sees no more than you do. You can still look on, and take over again at any time.",
    asker="seat",
    parameters=(COMMAND_ID,),
    body=HandToBotBody,
    answers={200: Answer("Done.", CommandDone)},
    problems={
        409: (
            "seat.bot_plays_already",
            "match.not_started",
        ),
        410: ("match.closed",),
        422: (
            "command.id_reused",
            "bot.unknown_level",
        ),
    },
)

_RECLAIM: Final = Operation(
    id="reclaimSeat",
    tag="tables",
    description="Takes your seat back from the bot that plays for you.",
    asker="seat",
    parameters=(COMMAND_ID,),
    body=NoBody,
    answers={200: Answer("Done.", CommandDone)},
    problems={
        409: (
            "seat.no_bot_plays",
            "seat.resigned",
            "match.not_started",
        ),
        410: ("match.closed",),
        422: ("command.id_reused",),
    },
)


@post("/matches/{match:str}/ready", operation=_BE_READY)
async def be_ready(request: Http) -> ASGIResponse:
    """Say that you are ready for the start."""
    body = await read(request, _READY)
    return await table_command(request, "seat", "ready", body, BeReady(NO_SEAT_YET, body.nonce or ""))


@post("/matches/{match:str}/leave", operation=_LEAVE)
async def leave(request: Http) -> ASGIResponse:
    """Stand up before the start."""
    body = await read(request, _NOTHING)
    return await table_command(request, "seat", "leave", body, LeaveSeat(NO_SEAT_YET))


@post("/matches/{match:str}/resign", operation=_RESIGN)
async def resign(request: Http) -> ASGIResponse:
    """Give up: a bot plays on for you, and you are ranked last."""
    body = await read(request, _NOTHING)
    return await table_command(request, "seat", "resign", body, ResignSeat(NO_SEAT_YET))


@post("/matches/{match:str}/hand-to-bot", operation=_HAND)
async def hand_to_bot(request: Http) -> ASGIResponse:
    """Let a bot play for you until you reclaim your seat."""
    body = await read(request, _HAND_TO_BOT)
    command = HandSeatToBot(NO_SEAT_YET, body.level)
    return await table_command(request, "seat", "hand-to-bot", body, command)


@post("/matches/{match:str}/reclaim", operation=_RECLAIM)
async def reclaim(request: Http) -> ASGIResponse:
    """Play for yourself again."""
    body = await read(request, _NOTHING)
    return await table_command(request, "seat", "reclaim", body, ReclaimSeat(NO_SEAT_YET))

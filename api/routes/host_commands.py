"""What a table's host does: starting the match, and ending it without a result."""

from typing import Final

import msgspec
from litestar import post
from litestar.response.base import ASGIResponse

from api.answering.answers import CommandDone
from api.document.operations import COMMAND_ID, Answer, Operation
from api.parts import Http
from api.requests.bodies import AbandonBody, NoBody, read
from api.requests.commands import table_command
from domain.match.commands import AbandonMatch, StartMatch

_ABANDON: Final = msgspec.json.Decoder(AbandonBody)
_NOTHING: Final = msgspec.json.Decoder(NoBody)


_START: Final = Operation(
    id="startMatch",
    tag="tables",
    description="Deals the first hands. Every seat must be taken and everybody ready.",
    asker="host",
    parameters=(COMMAND_ID,),
    body=NoBody,
    answers={200: Answer("Done.", CommandDone)},
    problems={
        409: (
            "match.seats_open",
            "match.not_ready",
            "match.already_started",
        ),
        410: ("match.closed",),
        422: ("command.id_reused",),
    },
)

_END: Final = Operation(
    id="abandonMatch",
    tag="tables",
    description="Nobody wins. Everything that was sealed is opened, so that the deals can be checked.",
    asker="host",
    parameters=(COMMAND_ID,),
    body=AbandonBody,
    examples={"it did not come about": {"reason": "nobody_came"}},
    answers={200: Answer("Done.", CommandDone)},
    problems={
        409: ("match.over",),
        410: ("match.closed",),
        422: ("command.id_reused",),
    },
)


@post("/matches/{match:str}/start", operation=_START)
async def start(request: Http) -> ASGIResponse:
    """Begin the game."""
    body = await read(request, _NOTHING)
    return await table_command(request, "host", "start", body, StartMatch())


@post("/matches/{match:str}/abandon", operation=_END)
async def abandon(request: Http) -> ASGIResponse:
    """End the match without a result."""
    body = await read(request, _ABANDON)
    return await table_command(request, "host", "abandon", body, AbandonMatch(body.reason))

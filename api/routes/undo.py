"""Taking back, stepping forward again, and what needs the others' agreement."""

from typing import Final

import msgspec
from litestar import post
from litestar.response.base import ASGIResponse

from api.answering.answers import CommandDone
from api.document.operations import COMMAND_ID, Answer, Operation
from api.parts import Http
from api.requests.bodies import AnswerBody, NoBody, UndoBody, read
from api.requests.commands import NO_SEAT_YET, table_command
from domain.match.commands import AnswerRequest, AskToEnd, RedoMove, UndoMove, WithdrawRequest

_UNDO_BODY: Final = msgspec.json.Decoder(UndoBody)
_ANSWER_BODY: Final = msgspec.json.Decoder(AnswerBody)
_NOTHING: Final = msgspec.json.Decoder(NoBody)
_DONE: Final = {200: Answer("Done.", CommandDone)}

_UNDO: Final = Operation(
    id="undoMove",
    tag="playing",
    description=(
        "Your last turn, or the one that `to` names (the view's `undo` tells what is possible). The table's policy "
        "decides: `free`: your own last move, while nobody has moved or learned a card since; `consent`: that, or "
        "what all other people agree to: then this makes a request that they answer; `practice`: anything. Nothing "
        "is deleted and no time is given back."
    ),
    asker="seat",
    parameters=(COMMAND_ID,),
    body=UndoBody,
    examples={"the last turn": {}, "further back": {"to": 12}},
    answers=_DONE,
    problems={
        409: ("match.not_started", "request.already_made", "seat.resigned"),
        410: ("match.closed",),
        422: (
            "command.id_reused",
            "undo.off",
            "undo.not_free",
            "undo.nothing",
            "undo.no_turn_there",
            "undo.not_your_turn_there",
        ),
    },
)

_REDO: Final = Operation(
    id="redoMove",
    tag="playing",
    description="Possible until somebody moves.",
    asker="seat",
    parameters=(COMMAND_ID,),
    body=NoBody,
    answers=_DONE,
    problems={
        409: ("match.not_started", "seat.resigned"),
        410: ("match.closed",),
        422: ("command.id_reused", "redo.nothing", "redo.not_yours"),
    },
)

_ASK: Final = Operation(
    id="askToEnd",
    tag="tables",
    description="When all other people agree, the match ends without a result.",
    asker="seat",
    parameters=(COMMAND_ID,),
    body=NoBody,
    answers=_DONE,
    problems={
        409: ("match.not_started", "request.already_made", "seat.resigned"),
        410: ("match.closed",),
        422: ("command.id_reused",),
    },
)

_ANSWER: Final = Operation(
    id="answerRequest",
    tag="tables",
    description="The last agreement carries the request out; one refusal ends it. The view lists open requests.",
    asker="seat",
    parameters=(COMMAND_ID,),
    body=AnswerBody,
    examples={"agreed": {"agree": True}},
    answers=_DONE,
    problems={
        409: ("match.not_started", "request.already_answered", "request.not_asked"),
        410: ("match.closed",),
        422: ("command.id_reused", "request.unknown"),
    },
)

_WITHDRAW: Final = Operation(
    id="withdrawRequest",
    tag="tables",
    description="Only who made a request can take it back.",
    asker="seat",
    parameters=(COMMAND_ID,),
    body=NoBody,
    answers=_DONE,
    problems={
        409: ("match.not_started", "request.not_yours"),
        410: ("match.closed",),
        422: ("command.id_reused", "request.unknown"),
    },
)


@post("/matches/{match:str}/undo", operation=_UNDO)
async def undo(request: Http) -> ASGIResponse:
    """Take your turn back, or ask the others whether you may."""
    body = await read(request, _UNDO_BODY)
    return await table_command(request, "seat", "undo", body, UndoMove(NO_SEAT_YET, "", body.to))


@post("/matches/{match:str}/redo", operation=_REDO)
async def redo(request: Http) -> ASGIResponse:
    """Step forward into what was taken back."""
    body = await read(request, _NOTHING)
    return await table_command(request, "seat", "redo", body, RedoMove(NO_SEAT_YET))


@post("/matches/{match:str}/ask-to-end", operation=_ASK)
async def ask_to_end(request: Http) -> ASGIResponse:
    """Ask the others to end the match without a result."""
    body = await read(request, _NOTHING)
    return await table_command(request, "seat", "ask-to-end", body, AskToEnd(NO_SEAT_YET, ""))


@post("/matches/{match:str}/requests/{request_id:str}/answer", operation=_ANSWER)
async def answer_request(request: Http) -> ASGIResponse:
    """Agree to a request, or refuse it."""
    body = await read(request, _ANSWER_BODY)
    named = request.path_params["request_id"]
    command = AnswerRequest(NO_SEAT_YET, named, body.agree)
    return await table_command(request, "seat", f"answer {named}", body, command)


@post("/matches/{match:str}/requests/{request_id:str}/withdraw", operation=_WITHDRAW)
async def withdraw_request(request: Http) -> ASGIResponse:
    """Take your request back."""
    body = await read(request, _NOTHING)
    named = request.path_params["request_id"]
    return await table_command(
        request, "seat", f"withdraw {named}", body, WithdrawRequest(NO_SEAT_YET, named)
    )

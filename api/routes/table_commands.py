"""``POST /matches/{match}/…``: a table's commands, each with its own address."""

from typing import Final

import msgspec
from litestar import post
from litestar.handlers import HTTPRouteHandler
from litestar.response.base import ASGIResponse

from api.answering.answers import CommandDone
from api.document.operations import COMMAND_ID, Answer, Operation
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from api.requests.bodies import read
from api.requests.commands import carry_out, done, match_of
from api.requests.headers import command_id, header
from api.requests.submissions import Caller
from api.requests.table_commands import TABLE_COMMANDS, TableCommand


def _route(command: TableCommand) -> HTTPRouteHandler:
    operation = Operation(
        id=command.operation,
        tag=command.tag,
        description=command.description,
        parameters=(COMMAND_ID,),
        body=command.body,
        examples=command.examples,
        answers={200: Answer("Done.", CommandDone)},
        problems={
            409: command.conflicts,
            410: ("match.closed",),
            422: ("command.id_reused", *command.refusals),
        },
    )
    decoder = msgspec.json.Decoder(command.body)

    async def carried_out(request: Http) -> ASGIResponse:
        match, asker = match_of(request), access_of(request)
        body = await read(request, decoder)
        key = command_id(request, required=False)
        request_id = request.path_params.get("request_id", "")
        submission = command.submission(Caller("api", asker.player, key), match, body, request_id)
        made_key = "" if header(request, b"idempotency-key") else key
        outcome = await carry_out(parts_of(request), submission, asker.person, made_key=made_key)
        return done(outcome, asker.player)

    carried_out.__doc__ = command.summary
    return post(
        f"/matches/{{match:str}}/{command.path}".replace("{request_id}", "{request_id:str}"),
        operation=operation,
    )(carried_out)


ROUTES: Final = tuple(_route(command) for command in TABLE_COMMANDS.values())

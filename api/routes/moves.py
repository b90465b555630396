"""``POST /matches/{match}/moves``: making a move."""

from functools import cache
from typing import Final

import msgspec
from litestar import post
from litestar.response.base import ASGIResponse

from api.answering.answers import CommandDone
from api.answering.problems import Explained
from api.document.example import example_moves
from api.document.operations import IF_MATCH, MOVE_ID, Answer, Operation
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from api.requests.bodies import decoded, read_body
from api.requests.commands import carry_out, done, match_of
from api.requests.headers import command_id, if_match
from api.requests.submissions import Caller, moving
from domain.errors import Malformed
from domain.games.contract import AnyGame, Move
from domain.games.registry import GAMES, move_type, move_types

_OPERATION: Final = Operation(
    id="makeMove",
    tag="playing",
    description=(
        "The body is a move of the match's game, told apart by its `type`; the view's `legal` says what is "
        "possible. The answer is what you see after the move; while bots play on, look again or follow the "
        "stream."
    ),
    parameters=(MOVE_ID, IF_MATCH),
    body="moves",
    examples=example_moves(),
    answers={200: Answer("The move counts.", CommandDone)},
    problems={
        400: ("idempotency_key.missing", "idempotency_key.malformed", "if_match.malformed", "move.malformed"),
        409: ("match.not_started", "seat.bot_plays", "seat.resigned"),
        410: ("match.closed",),
        412: ("version.stale",),
        422: ("not_your_turn", "command.id_reused", "match.full"),
        428: ("precondition.required",),
    },
)


@post("/matches/{match:str}/moves", operation=_OPERATION)
async def make_move(request: Http) -> ASGIResponse:
    """Make a move for your seat."""
    parts, match = parts_of(request), match_of(request)
    asker = access_of(request)
    key, version = command_id(request, required=True), if_match(request)
    terms = await parts.application.reader.terms(match)
    move = _move(GAMES[terms.game, terms.rules], await read_body(request))
    submission = moving(Caller("api", asker.player, key), match, move, version)
    return done(await carry_out(parts, submission, asker.person), asker.player)


def _move(game: AnyGame, content: bytes) -> Move:
    try:
        return decoded(content, _decoder(game), "move.malformed", game)
    except Malformed as error:
        raise Explained(error, move_types=tuple(move_types(game))) from None


@cache
def _decoder(game: AnyGame) -> "msgspec.json.Decoder[Move]":
    return msgspec.json.Decoder(move_type(game))

"""``POST /matches/{match}/moves``: making a move."""

from functools import cache
from typing import Union

import msgspec
from litestar import post
from litestar.response.base import ASGIResponse

from api.authentication import holder_of
from api.bodies import decoded, fingerprint, read_body
from api.commands import NO_SEAT_YET, act_of, carry_out, done, match_of
from api.headers import command_id, if_match
from api.parts import Http, Parts, parts_of
from api.problems import Explained
from domain.errors import Malformed
from domain.games.contract import AnyGame, Move
from domain.games.registry import GAMES
from domain.match.commands import PlayMove
from domain.match.state import Terms
from services.errors import NoSuchMatch
from services.matches.service import Order


@post("/matches/{match:str}/moves")
async def make_move(request: Http) -> ASGIResponse:
    """Make a move for your seat."""
    parts, match = parts_of(request), match_of(request)
    holder = await holder_of(request, match, "seat")
    key, version = command_id(request, required=True), if_match(request)
    terms = await _terms_of(parts, match)
    move = _move(terms, await read_body(request))
    order = Order(
        match=match,
        command=PlayMove(NO_SEAT_YET, move),
        act=act_of(holder.player, key),
        fingerprint=fingerprint("move", match, move),
        if_match=version,
        player=holder.player,
    )
    return done(await carry_out(parts, order), holder.player)


async def _terms_of(parts: Parts, match: str) -> Terms:
    reader = parts.application.reader
    # Terms never change: what is remembered of them is true however old it is.
    position = reader.remembered(match) or await reader.head(match)
    if position.state.terms is None:
        raise NoSuchMatch(match)
    return position.state.terms


def _move(terms: Terms, content: bytes) -> Move:
    try:
        return decoded(content, _decoder(terms.game, terms.rules))
    except Malformed as error:
        game = GAMES[terms.game, terms.rules]
        told = Malformed("move.malformed", error.detail)
        raise Explained(told, move_types=move_types(game)) from None


def move_types(game: AnyGame) -> tuple[str, ...]:
    """Return the types of a game's moves as they stand on the wire."""
    return tuple(str(kind.__struct_config__.tag) for kind in game.move_types)


@cache
def _decoder(game: str, rules: int) -> "msgspec.json.Decoder[Move]":
    return msgspec.json.Decoder(Union[GAMES[game, rules].move_types])  # noqa: UP007 - put together at run time

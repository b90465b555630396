"""``GET /games`` and ``GET /games/{key}``: which games there are, and all that a client must know of them."""

from litestar import get
from litestar.response.base import ASGIResponse

from api.answers import answer
from api.parts import Http
from domain.games.registry import CURRENT
from services.errors import NoSuchMatch
from services.matches.catalogue import catalogue, describe

_HEADERS = {"Cache-Control": "public, max-age=300"}


class NoSuchGame(NoSuchMatch):
    """There is no game with this key."""

    code = "game.unknown"


@get("/games")
async def list_games(request: Http) -> ASGIResponse:  # noqa: ARG001 - the framework hands it over
    """List the games."""
    return answer(catalogue(), headers=_HEADERS)


@get("/games/{key:str}")
async def show_game(request: Http) -> ASGIResponse:
    """Describe one game."""
    game = CURRENT.get(request.path_params["key"])
    if game is None:
        raise NoSuchGame
    return answer(describe(game), headers=_HEADERS)

"""``GET /games`` and ``GET /games/{key}``: the games, and all that a client must know about them."""

from typing import Final

from litestar import get
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.document.operations import Answer, Operation
from api.parts import Http
from domain.games.registry import CURRENT
from services.errors import NoSuchMatch
from services.matches.catalogue import Catalogue, GameDescription, catalogue, describe

_HEADERS = {"Cache-Control": "public, max-age=300"}


class NoSuchGame(NoSuchMatch):
    """There is no game with this key."""

    code = "game.unknown"


_LIST: Final = Operation(
    id="listGames",
    tag="games",
    description="With everything that a client needs to play them: cards, options, moves and views as JSON Schema.",
    answers={200: Answer("All games.", Catalogue, ("Cache-Control",))},
)

_SHOW: Final = Operation(
    id="showGame",
    tag="games",
    description="The same as in the list, for one game.",
    answers={200: Answer("The game.", GameDescription, ("Cache-Control",))},
    problems={404: ("game.unknown",)},
)


@get("/games", operation=_LIST)
async def list_games(request: Http) -> ASGIResponse:  # noqa: ARG001 - the framework hands it over
    """List the games."""
    return answer(catalogue(), headers=_HEADERS)


@get("/games/{key:str}", operation=_SHOW)
async def show_game(request: Http) -> ASGIResponse:
    """Describe one game."""
    game = CURRENT.get(request.path_params["key"])
    if game is None:
        raise NoSuchGame
    return answer(describe(game), headers=_HEADERS)

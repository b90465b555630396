"""``POST /guide``: what points at the parts of the table in somebody's first match of a game, until they skip it."""

from typing import Final

import msgspec
from litestar import post
from litestar.response.base import ASGIResponse

from api.pages.forms import read_form
from api.pages.games import page_of
from api.pages.rendering import own_address, see_other
from api.pages.scene import Scene
from api.pages.visits import Visit
from api.parts import Http
from domain.games.registry import CURRENT
from services.words.phrases import words_in

_COOKIE: Final = "tablee_guided"
"""The games whose guide this browser has been through."""


class Step(msgspec.Struct, frozen=True):
    """One step: the part of the table that it points at, and what it says."""

    part: str
    text: str


@post("/guide")
async def skip_guide(request: Http) -> ASGIResponse:
    """Take note that somebody needs a game's guide no more, or, with ``again``, that they want it once more."""
    visit = Visit(request)
    form = await read_form(visit)
    game, known = form.text("game"), guided(visit)
    if game in CURRENT:
        known = known - {game} if form.text("again") else known | {game}
    cookie = visit.cookie(_COOKIE, ".".join(sorted(known)))
    return see_other(own_address(form.text("back", "/")), [cookie])


def guide_of(visit: Visit, scene: Scene) -> list[Step]:
    """Return the steps for who sits at a match of a game that is new to them; none for everybody else."""
    is_played = scene.phase in {"gathering", "playing"}
    if scene.seat is None or not is_played or scene.game_key in guided(visit):
        return []
    words = words_in(visit.language)
    return [Step(part, words.say(text)) for part, text in page_of(scene.game_key).guide]


def guided(visit: Visit) -> set[str]:
    """Return the games whose guide a browser has been through."""
    return CURRENT.keys() & set(visit.request.cookies.get(_COOKIE, "").split("."))

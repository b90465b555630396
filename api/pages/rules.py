"""``/rules``: the rules of the games for people, from ``docs/rules``; ``/help/keys``."""

import re
from functools import cache
from typing import Final

from litestar import get
from litestar.exceptions import NotFoundException
from litestar.response.base import ASGIResponse
from markdown_it import MarkdownIt
from markupsafe import Markup

from api.pages.guiding import guided
from api.pages.packed_texts import text_for
from api.pages.rendering import page
from api.pages.visits import Visit
from api.parts import Http
from domain.games.registry import CURRENT
from services.words.names import game_name, rules_summary

_ANCHOR: Final = re.compile(r"&lt;a id=&quot;([a-z0-9._-]+)&quot;&gt;&lt;/a&gt;")


@get("/rules")
async def list_rules(request: Http) -> ASGIResponse:
    """List the games."""
    visit = Visit(request)
    games = [(key, game_name(key, visit.language)) for key in sorted(CURRENT)]
    return page(visit, "rules_list.html", games=games)


@get("/rules/{game:str}")
async def show_rules(request: Http) -> ASGIResponse:
    """Show a game's rules."""
    visit, game = Visit(request), request.path_params["game"]
    if game not in CURRENT:
        raise NotFoundException
    return page(
        visit,
        "rules.html",
        game=game,
        game_name=game_name(game, visit.language),
        summary=rules_summary(game, visit.language),
        text=rules_html(game, visit.language),
        guided=game in guided(visit),
    )


@get("/help/keys")
async def show_keys(request: Http) -> ASGIResponse:
    """Tell what the keys do."""
    return page(Visit(request), "keys.html")


@cache
def rules_html(game: str, language: str) -> Markup:
    """Return the rules of a game as HTML; in English where they are not translated, empty where there are none."""
    text = text_for("rules", game, language)
    if text is None:
        return Markup()
    # The texts are ours. All the same no HTML in them is passed on but anchors.
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return Markup(_ANCHOR.sub(r'<span id="\1"></span>', html))  # noqa: S704

"""``/m/{match}/coming``: which cards lay next on the draw pile, at a step of a match that is over."""

from typing import Final

from litestar import get
from litestar.response.base import ASGIResponse
from markupsafe import Markup

from api.pages.drawing import card_html
from api.pages.games import page_of
from api.pages.games.contract import Cards
from api.pages.rendering import html_answer, rendered
from api.pages.tables import Table, table_of
from api.pages.visits import Visit
from api.parts import Http
from api.requests.commands import match_of
from api.requests.queries import number
from domain.match.state import OVER
from domain.match.view import match_view
from domain.viewers import EVERYTHING

MOST_SHOWN: Final = 12
"""How many cards are shown: what comes after a dozen more turns says little about this one."""


@get("/m/{match:str}/coming")
async def show_coming(request: Http) -> ASGIResponse:
    """Show the cards that lay next on the draw pile, for the replay's module."""
    visit = Visit(request)
    table = await table_of(visit, match_of(request))
    coming = await coming_at(visit, table, number(request, "at", table.position.version))
    return html_answer(rendered("replay/coming.html", visit.language, coming=coming))


async def coming_at(visit: Visit, table: Table, at: int) -> list[Markup] | None:
    """Return drawings of the cards that lay next at a version; None where that is not told.

    It is told once a match is over, of games with a draw pile.
    """
    state = table.position.state
    if state.lifecycle.phase not in OVER or state.terms is None:
        return None
    game = state.terms.game
    next_cards = page_of(game).coming
    if next_cards is None:
        return None
    position = await visit.parts.application.reader.at(table.position.match, at)
    view = match_view(position, EVERYTHING).game
    cards = Cards() if view is None else next_cards(view)
    return [card_html(game, card, visit.language) for card in cards[:MOST_SHOWN]]

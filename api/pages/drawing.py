"""Drawing cards and places of the table."""

from collections.abc import Callable
from functools import cache, lru_cache

from markupsafe import Markup

from api.pages.games import page_of
from api.pages.games.contract import Place
from api.pages.rendering import rendered
from domain.games.recorded_chance import CardName


@cache
def card_html(game: str, card: CardName, language: str, *, silent: bool = False) -> Markup:
    """Return the drawing of a card, or of a back; a silent one stands beside words that tell of it."""
    return rendered("card.html", language, face=page_of(game).face(card, language), silent=silent)


def card_drawer(game: str, language: str) -> Callable[[CardName], Markup]:
    """Return what draws the cards of a game."""
    return lambda card: card_html(game, card, language)


@lru_cache(8192)
def place_html(
    game: str, language: str, name: str, content: Place, *, changed: bool = False, silent: bool = False
) -> Markup:
    """Return a place of the table with what lies in it; a replay finds it again by its name."""
    mark = " changed" if changed else ""
    if isinstance(content, str):
        return Markup('<span class="said{}" data-place="{}">{}</span>').format(mark, name, content)
    drawn = Markup().join(card_html(game, card, language, silent=silent) for card in content)
    return Markup('<span class="cards{}" data-place="{}">{}</span>').format(mark, name, drawn)

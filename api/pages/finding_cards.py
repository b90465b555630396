"""``/m/{match}/cards``: the steps of a replay at which a card was played, taken, drawn, turned up or discarded."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping
from typing import Final, NamedTuple
from urllib.parse import urlencode

from litestar import get
from litestar.response.base import ASGIResponse
from markupsafe import Markup

from api.pages.drawing import card_html
from api.pages.rendering import page
from api.pages.replay import Asked, asked_of, entries_of, former_of, told_of
from api.pages.stops import Stops, counting
from api.pages.table_pages import styles_of
from api.pages.tables import Table, table_of
from api.pages.visits import Visit
from api.parts import Http, address_of
from api.requests.commands import match_of
from api.requests.queries import number, query
from domain.games.recorded_chance import CardName
from domain.games.registry import CURRENT
from services.matches.cards_moved import cards_moved
from services.matches.history import lines_of
from services.matches.moments import left_in
from services.words.names import card_name, game_name

ON_A_PAGE: Final = 200

Step = tuple[int, str]
"""Where a replay stops, and what is told there of the card."""

Steps = Mapping[CardName, tuple[Step, ...]]


class Choice(NamedTuple):
    """A card to choose."""

    name: str
    label: str
    drawing: Markup
    steps: int


@get("/m/{match:str}/cards")
async def find_card(request: Http) -> ASGIResponse:
    """Show the cards of the game, and the steps at which the chosen one moved, as links to the replay."""
    visit, match = Visit(request), match_of(request)
    table = await table_of(visit, match)
    asked, at = asked_of(request, table), number(request, "at", 0)
    told, language = await told_of(visit, table), visit.language
    terms = table.position.state.terms
    game = "" if terms is None else terms.game
    cards = dict.fromkeys(CURRENT[game].cards) if game in CURRENT else {}
    # In front of a card that lies hidden a replay may say so: what was pressed is the card all the same.
    given = (query(request, "card") or "").rpartition(" ")[2]
    chosen = next((card for card in cards if str(card) == given), None)
    moved = await _moved(visit, table, asked, asked.stops(told), game)
    steps = moved.get(chosen, ()) if chosen is not None else ()
    first = number(request, "first", _page_at(steps, at))
    return page(
        visit,
        "cards.html",
        styles=styles_of(game),
        match=match,
        game_key=game,
        game_name=game_name(game, language),
        choices=[
            Choice(
                str(card),
                card_name(game, card, language),
                card_html(game, card, language),
                len(moved.get(card, ())),
            )
            for card in cards
        ],
        chosen="" if chosen is None else str(chosen),
        label="" if chosen is None else card_name(game, chosen, language),
        steps=steps[first : first + ON_A_PAGE],
        earlier=max(0, first - ON_A_PAGE) if first else None,
        later=first + ON_A_PAGE if first + ON_A_PAGE < len(steps) else None,
        at=at,
        asked=asked,
        of_card=lambda card, first=None: _address(match, asked, at, card, first),
        here=_address(match, asked, at, "" if chosen is None else str(chosen)),
    )


def _page_at(steps: tuple[Step, ...], at: int) -> int:
    """Return where the page begins on which a card moves next after a version."""
    before = sum(version < at for version, _ in steps)
    return before // ON_A_PAGE * ON_A_PAGE


def _address(match: str, asked: Asked, at: int, card: str, first: int | None = None) -> str:
    said = {
        "card": card,
        "at": str(at or ""),
        "as": asked.eyes.name,
        "undone": "1" if asked.with_undone else "",
        "first": "" if first is None else str(first),
    }
    return f"/m/{match}/cards?{urlencode({name: value for name, value in said.items() if value})}"


async def _moved(visit: Visit, table: Table, asked: Asked, stops: Stops, game: str) -> Steps:
    async def make() -> Steps:
        entries, viewer = await entries_of(visit, table), asked.eyes.viewer
        former = await former_of(entries, visit, table)

        def found() -> Steps:
            by_card: defaultdict[CardName, list[Step]] = defaultdict(list)
            lines = lines_of(entries, viewer, game, table.names, visit.language, former)
            for line in lines if asked.with_undone else counting(lines, left_in(entries)):
                for card in cards_moved(line, game):
                    by_card[card].append((stops.nearest(line.version), line.text))
            return {card: tuple(steps) for card, steps in by_card.items()}

        return await asyncio.to_thread(found)

    position = table.position
    key = (
        "cards",
        position.match,
        position.version,
        position.head,
        visit.language,
        asked.eyes.viewer,
        table.names,
    )
    return await visit.parts.whole_matches.made(
        (*key, asked.with_undone), address_of(visit.request), make, _size
    )


def _size(steps: Steps) -> int:
    return sum(len(text) + 100 for some in steps.values() for _, text in some)

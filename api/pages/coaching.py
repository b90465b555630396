"""``/m/{match}/coach``: what an expert would do at a position, what it expects, and what the move made has cost."""

import asyncio
from typing import Any, Final

import msgspec
from litestar import get
from litestar.response.base import ASGIResponse

from api.pages.rendering import page
from api.pages.tables import table_of
from api.pages.visits import Visit
from api.parts import Http
from api.requests.commands import match_of
from api.requests.queries import number
from domain.match.state import OVER
from services.bootstrap.clients import SENDING, blocking_client
from services.jobs.errors import JobStoreUnavailable
from services.jobs.servers import JobServers, job_servers
from services.matches.advice import Advice, seat_asked
from services.words.names import game_name, move_text

_ASK_AGAIN: Final = {"Refresh": "1"}
"""The page looks again by itself, without a script."""

_MOST_SHOWN: Final = 6


@get("/m/{match:str}/coach")
async def show_advice(request: Http) -> ASGIResponse:
    """Show an expert's advice on the turn at a version, or that it is being thought about."""
    visit, match = Visit(request), match_of(request)
    table = await table_of(visit, match)
    at = number(request, "at", table.position.version)
    position = await visit.parts.application.reader.at(match, at)
    seat = seat_asked(position)
    # While it is played even one who plays alone may not look through the bots' eyes.
    is_others = table.position.state.lifecycle.phase not in OVER and seat not in {None, table.seat}
    if is_others:
        seat = None
    terms = table.position.state.terms
    game = "" if terms is None else terms.game
    advice, is_asked = None, False
    if seat is not None:
        advice, is_asked = await _advice(job_servers(visit.parts.settings), match, at, seat)
    language = visit.language
    return page(
        visit,
        "coach.html",
        headers=_ASK_AGAIN if advice is None and is_asked else {},
        match=match,
        at=at,
        game_name=game_name(game, language),
        name="" if seat is None else table.names[seat],
        is_others=is_others,
        is_asked=is_asked,
        advice=advice,
        moves=[] if advice is None else _told(advice, game, language),
        made="" if advice is None or advice.made is None else move_text(game, advice.made, language),
        cost=None if advice is None or advice.cost is None else round(100 * advice.cost),
        here=f"/m/{match}/coach?at={at}",
    )


async def _advice(servers: JobServers | None, match: str, at: int, seat: int) -> tuple[Advice | None, bool]:
    """Return the advice if it is there, and whether it was asked for."""
    if servers is None:
        return None, False
    # Loaded only for those who ask: RQ takes memory that everybody else can do without.
    from services.jobs.advice import AdviceDesk

    def fetched(url: str) -> bytes | None:
        with blocking_client(url, SENDING) as client:
            return AdviceDesk(client).fetch(match, at, seat)

    try:
        kept = await asyncio.to_thread(fetched, servers.url_of(match))
    except JobStoreUnavailable:
        return None, False
    return (None if kept is None else msgspec.json.decode(kept, type=Advice)), True


def _told(advice: Advice, game: str, language: str) -> list[dict[str, Any]]:
    return [
        {
            "text": move_text(game, each.move, language),
            "percent": round(100 * each.chance),
        }
        for each in advice.moves[:_MOST_SHOWN]
    ]

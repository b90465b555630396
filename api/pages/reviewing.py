"""``/m/{match}/review``: which moves of people cost something, as a chart and a list; the same for other pages."""

import asyncio
from collections.abc import Sequence
from typing import Final

from litestar import get
from litestar.response.base import ASGIResponse

from api.answering.review import review_of
from api.pages.cost_charts import CostChart, cost_chart
from api.pages.rendering import page
from api.pages.tables import Table, table_of
from api.pages.visits import Visit
from api.parts import Http
from api.requests.commands import match_of
from services.jobs.servers import job_servers
from services.matches.review import Costly, Review
from services.words.names import game_name, move_text
from services.words.phrases import phrase, words_in

_ASK_AGAIN: Final = {"Refresh": "2"}

_PATIENCE_SECONDS: Final = 0.3
"""How long another page waits for the costs."""


def chart_of(review: Review, game: str, names: Sequence[str], language: str) -> CostChart:
    """Return the chart of a match's costly moves."""
    told = [_told(each, game, names[each.seat], language) for each in review.costly]
    return cost_chart(review.costly, told, review.head)


def _told(costly: Costly, game: str, name: str, language: str) -> str:
    return words_in(language).say(
        phrase("{name}: {made} cost {percent} %; better: {better}"),
        name=name,
        made=move_text(game, costly.made, language),
        percent=round(100 * costly.cost),
        better=move_text(game, costly.better, language),
    )


async def kept_costs(visit: Visit, table: Table) -> CostChart:
    """Return the costs that are known already; whoever only steps through a match keeps no worker busy."""
    try:
        # To step through a match nobody needs the jobs' server: one that is silent holds nobody up.
        async with asyncio.timeout(_PATIENCE_SECONDS):
            found = await review_of(job_servers(visit.parts.settings), table.position, ask=False)
    except TimeoutError:
        return CostChart()
    terms = table.position.state.terms
    return chart_of(found.review, "" if terms is None else terms.game, table.names, visit.language)


@get("/m/{match:str}/review")
async def show_review(request: Http) -> ASGIResponse:
    """Show which moves of a match cost something, as far as an expert has come."""
    visit, match = Visit(request), match_of(request)
    table = await table_of(visit, match)
    found = await review_of(job_servers(visit.parts.settings), table.position)
    terms = table.position.state.terms
    game = "" if terms is None else terms.game
    return page(
        visit,
        "coach/review.html",
        headers=_ASK_AGAIN if found.progress == "thinking" else {},
        match=match,
        game_name=game_name(game, visit.language),
        progress=found.progress,
        looked_at=found.review.looked_at,
        turns=found.review.turns,
        costs=chart_of(found.review, game, table.names, visit.language),
        here=f"/m/{match}/review",
    )

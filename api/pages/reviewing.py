"""``/m/{match}/review``: which moves of people cost something, as a chart and a list; marks for other pages."""

import asyncio
from collections.abc import Sequence
from typing import Final, NamedTuple

from litestar import get
from litestar.response.base import ASGIResponse

from api.answering.review import review_of
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
"""How long another page waits for marks."""

_WIDTH, _HEIGHT = 992, 100


class Mark(NamedTuple):
    """A costly move on a chart of 1000 by 100.

    Attributes:
        version: Where it was made.
        x: How far into the match.
        height: What it cost, in percent of the chance to win.
        grade: ``slip`` or ``blunder``.
        text: All of it, in words.
    """

    version: int
    x: int
    height: int
    grade: str
    text: str


def marks_of(review: Review, game: str, names: Sequence[str], language: str) -> list[Mark]:
    """Return the marks of a match's costly moves."""
    return [
        Mark(
            each.version,
            round(_WIDTH * each.version / max(1, review.head)),
            min(_HEIGHT, max(1, round(100 * each.cost))),
            each.grade,
            _told(each, game, names[each.seat], language),
        )
        for each in review.costly
    ]


def _told(costly: Costly, game: str, name: str, language: str) -> str:
    return words_in(language).say(
        phrase("{name}: {made} cost {percent} %; better: {better}"),
        name=name,
        made=move_text(game, costly.made, language),
        percent=round(100 * costly.cost),
        better=move_text(game, costly.better, language),
    )


async def kept_marks(visit: Visit, table: Table) -> list[Mark]:
    """Return the marks that are known already; whoever only steps through a match keeps no worker busy."""
    try:
        # To step through a match nobody needs the jobs' server: one that is silent holds nobody up.
        async with asyncio.timeout(_PATIENCE_SECONDS):
            found = await review_of(job_servers(visit.parts.settings), table.position, ask=False)
    except TimeoutError:
        return []
    terms = table.position.state.terms
    return marks_of(found.review, "" if terms is None else terms.game, table.names, visit.language)


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
        marks=marks_of(found.review, game, table.names, visit.language),
        here=f"/m/{match}/review",
    )

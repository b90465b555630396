"""``GET /matches/{match}/review``: which moves of people cost something, as an expert sees it."""

from typing import Final

import msgspec
from litestar import get
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.answering.review import Progress, review_of
from api.document.operations import Answer, Operation
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from services.jobs.servers import job_servers
from services.matches.review import Costly


class MatchReview(msgspec.Struct, frozen=True):
    """What an expert has found.

    Attributes:
        match: The match's id.
        progress: ``not_over`` as long as it is played, ``thinking`` while a worker looks at it, ``done``, or
            ``unavailable`` when nobody can be asked.
        looked_at: How many turns of people have been looked at.
        turns: How many there are; 0 while that is not known.
        costly: The moves that cost at least a twentieth of the chance to win, in their order.
    """

    match: str
    progress: Progress
    looked_at: int
    turns: int
    costly: tuple[Costly, ...]


_OPERATION: Final = Operation(
    id="reviewMatch",
    tag="replay",
    description=(
        "Once a match is over, an expert looks at the turns of people, from what each seat saw, and tells which moves "
        "cost something: `blunder` from a tenth of the chance to win the match, `slip` below. A worker does it in "
        "the background: ask again while `progress` is `thinking`; `costly` grows meanwhile."
    ),
    answers={200: Answer("What was found so far.", MatchReview, ("Cache-Control", "Vary"))},
    problems={410: ("match.closed",), 503: ("store.unavailable",)},
)


@get("/matches/{match:str}/review", operation=_OPERATION)
async def review_match(request: Http) -> ASGIResponse:
    """Tell which moves of a match cost something."""
    found = await review_of(job_servers(parts_of(request).settings), access_of(request).at)
    review = found.review
    body = MatchReview(review.match, found.progress, review.looked_at, review.turns, review.costly)
    return answer(body, headers={"Cache-Control": "private, no-cache", "Vary": "Authorization"})

"""``GET /matches/{match}/moments``: what people ask about a match, answered."""

from typing import Final

import msgspec
from litestar import get
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.answering.moments import AnsweredQuestion, answered, moments_at
from api.document.operations import Answer, Operation
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from api.requests.headers import wanted_language
from services.matches.seat_names import seat_names


class Moments(msgspec.Struct, frozen=True):
    """The moments of a match.

    Attributes:
        match: Its id.
        version: Up to which version they are told.
        questions: The game's questions that have an answer, in the game's order.
    """

    match: str
    version: int
    questions: tuple[AnsweredQuestion, ...]


_OPERATION: Final = Operation(
    id="listMoments",
    tag="replay",
    description=(
        "Each game has questions of its own. The answers are made of what you may know: until the match is over, some "
        "may be missing. What was taken back is no moment."
    ),
    answers={200: Answer("The moments.", Moments, ("Cache-Control", "Vary"))},
    problems={410: ("match.closed",), 503: ("store.unavailable",)},
)


@get("/matches/{match:str}/moments", operation=_OPERATION)
async def list_moments(request: Http) -> ASGIResponse:
    """List the moments of a match."""
    asker, language = access_of(request), wanted_language(request)
    position, terms = asker.at, asker.at.state.terms
    game = "" if terms is None else terms.game
    found = await moments_at(request, position, asker.seat)
    names = await seat_names(parts_of(request).application.names, position.state, language)
    body = Moments(position.match, position.version, answered(found, game, names, language, asker.seat))
    return answer(
        body, headers={"Cache-Control": "private, no-cache", "Vary": "Authorization, Accept-Language"}
    )

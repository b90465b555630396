"""``POST /matches/{match}/seats/{seat}/links``: the host lets somebody back on a seat that they have lost."""

import re
from typing import Final

from litestar import post
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.document.operations import SECRET_KEY, Answer, Operation
from api.parts import Http, parts_of
from api.requests.commands import match_of
from api.requests.headers import secret_key
from api.routes.me import HEADERS
from api.routes.ways_back import LinkMade, link_made
from domain.errors import Refused
from services.bootstrap import present_instant

_NUMBER: Final = re.compile(r"[0-9]{1,3}").fullmatch

_OPERATION: Final = Operation(
    id="reissueSeat",
    tag="tables",
    description=(
        "Until the cards are dealt. The link opens that seat, once, within seven days; whoever held the seat before "
        "does not see it any longer, and their tokens open nothing. Later only operators can do it."
    ),
    parameters=(SECRET_KEY,),
    answers={201: Answer("The link.", LinkMade)},
    problems={409: ("seat.empty",), 422: ("seat.unknown", "seat.reissued_by_operator")},
)


@post("/matches/{match:str}/seats/{seat:str}/links", operation=_OPERATION)
async def reissue_seat(request: Http) -> ASGIResponse:
    """Make a link to a seat for who has lost it."""
    application, match, key = parts_of(request).application, match_of(request), secret_key(request)
    given = request.path_params["seat"]
    if not _NUMBER(given):
        raise Refused("seat.unknown", "seats", seat=-1, seats=0)
    token = application.identity.for_link(f"{match} {int(given)}", key)
    link = await application.reissuing.by_host(match, int(given), token, present_instant())
    return answer(link_made(request, token, link.until), 201, HEADERS)

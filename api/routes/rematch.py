"""``POST /matches/{match}/rematch``: the same table again."""

from typing import Final

from litestar import post
from litestar.response.base import ASGIResponse

from api.answering.answers import MatchCreated, answer, view_for
from api.document.operations import Answer, Operation
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from api.requests.bodies import NoBody
from api.requests.commands import match_of
from api.requests.rematches import made_rematch, rematch_of
from services.errors import NoSuchMatch, SeatNotHeld
from services.matches.service import seat_of

_OPERATION: Final = Operation(
    id="makeRematch",
    tag="tables",
    description=(
        "Makes a table with the same game, options, clock and bots as a match that is over, and keeps a seat for each "
        "of its people whom the service knows, beside their tokens. Whoever asks first becomes its host; everybody "
        "else gets the same table. Sit down there with `POST /matches/{match}/seats` and your person's token; a seat "
        "that is kept for nobody, or that the host has opened, is for everybody."
    ),
    body=NoBody,
    answers={201: Answer("The table is there.", MatchCreated, ("Location",))},
    problems={409: ("rematch.not_over",), 422: ("options.invalid", "rematch.too_many")},
)


@post("/matches/{match:str}/rematch", operation=_OPERATION)
async def make_rematch(request: Http) -> ASGIResponse:
    """Make the same table again, with seats kept for the same people."""
    parts, asker, match = parts_of(request), access_of(request), match_of(request)
    position = await parts.application.reader.head(match)
    if seat_of(position.state, asker.player) is None:
        raise SeatNotHeld(asker.player)
    before = await rematch_of(parts, match)
    club = await parts.application.clubs.tables.club_of(match)
    made = await made_rematch(parts, "api", position, asker.person, club)
    if made.position is None:
        raise NoSuchMatch(made.issued.match)
    token = made.issued.token if before.position is None and not asker.person else ""
    view = view_for(made.position, None)
    return answer(
        MatchCreated(made.issued.match, made.position.version, token, view),
        201,
        {"Location": f"/api/v1/matches/{made.issued.match}"},
    )

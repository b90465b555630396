"""``/matches/{match}/ask-for-seat``: taking over a seat in play, if the table agrees; asking no longer."""

from typing import Final

import msgspec
from litestar import delete, post
from litestar.response.base import ASGIResponse

from api.answering.answers import SeatAsked, answer, view_for
from api.document.operations import SECRET_KEY, Answer, Operation
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from api.requests.bodies import AskForSeatBody, read
from api.requests.commands import carry_out, match_of
from api.requests.headers import secret_key
from api.requests.submissions import asking_for_seat, asking_no_longer, check, issued_caller
from api.routes.sit import remember_seat
from domain.errors import Refused
from services.matches.service import seat_of

_WITHDRAW: Final = Operation(
    id="withdrawAskingForSeat",
    tag="tables",
    description=(
        "Send the same `Idempotency-Key` as when you asked, and your token if you are a person. The people at the "
        "table are asked no longer."
    ),
    parameters=(SECRET_KEY,),
    answers={204: Answer("They are asked no longer.")},
    problems={
        400: ("idempotency_key.missing", "idempotency_key.malformed"),
        409: ("match.not_started", "seat.not_asked"),
        410: ("match.closed",),
    },
)

_BODY: Final = msgspec.json.Decoder(AskForSeatBody)

_OPERATION: Final = Operation(
    id="askForSeat",
    tag="tables",
    description=(
        "Ask to take over the seat of a person in a match that is played: one who has resigned, one whose bot stands "
        "in, or one who agrees. All people who have not resigned must agree, the seat's holder among them; silence of "
        "those who are away agrees after a while, as with all requests. Then the seat is yours (`SeatGiven`): you see "
        "what it has seen, and play on with its cards and points; a resignation no longer counts. Its former holder "
        "sees no card of it any more while the match is played. Views and results name former holders (`former`)."
    ),
    parameters=(SECRET_KEY,),
    body=AskForSeatBody,
    examples={"the second seat": {"seat": 1}},
    answers={201: Answer("They are asked.", SeatAsked, ("Location",))},
    problems={
        400: ("idempotency_key.missing", "idempotency_key.malformed"),
        409: (
            "match.not_started",
            "player.already_seated",
            "request.already_made",
            "seat.asked_too_often",
            "seat.empty",
            "seat.nobody_to_ask",
        ),
        410: ("match.closed",),
        422: ("seat.unknown", "command.id_reused"),
    },
)


@post("/matches/{match:str}/ask-for-seat", operation=_OPERATION)
async def ask_for_seat(request: Http) -> ASGIResponse:
    """Ask the people at a table whether you may take over a seat."""
    parts, match, key = parts_of(request), match_of(request), secret_key(request)
    body, access = await read(request, _BODY), access_of(request)
    if access.seat is not None:
        raise Refused("player.already_seated", "one seat for each player", seat=access.seat)
    identity, person = parts.application.identity, access.person
    issued = identity.for_person(match, person, key) if person else identity.for_seat(match, key)
    submission = asking_for_seat(issued_caller("api", issued), match, body)
    head = await parts.application.reader.head(match)
    if all(one.player != issued.player for one in head.state.requests):
        # What will be refused leaves no trace.
        check(submission, head)
    await remember_seat(parts, issued, access)
    outcome = await carry_out(parts, submission)
    state = outcome.position.state
    token = "" if person else issued.token
    view = view_for(outcome.position, seat_of(state, issued.player))
    return answer(
        SeatAsked(f"replace-{issued.command_id}", token, outcome.last, view),
        201,
        {"Location": f"/api/v1/matches/{match}"},
    )


@delete("/matches/{match:str}/ask-for-seat", operation=_WITHDRAW, status_code=200)
async def ask_no_longer(request: Http) -> ASGIResponse:
    """Take back that you asked for a seat."""
    parts, match, key = parts_of(request), match_of(request), secret_key(request)
    identity, person = parts.application.identity, access_of(request).person
    issued = identity.for_person(match, person, key) if person else identity.for_seat(match, key)
    await carry_out(parts, asking_no_longer(issued_caller("api", issued), match))
    return ASGIResponse(status_code=204)

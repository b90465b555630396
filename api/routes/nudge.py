"""``POST /matches/{match}/nudge``: reminding somebody whom the table waits for."""

from typing import Final

import msgspec
from litestar import post
from litestar.response.base import ASGIResponse

from api.document.operations import Answer, Operation
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from api.permissions.refusals import KeyOfOtherScope
from api.requests.bodies import Body, read
from api.requests.commands import match_of, require_seat_held
from services.bootstrap.notices import nudging


class NudgeBody(Body, frozen=True, forbid_unknown_fields=True):
    """Whom to remind.

    Attributes:
        seat: Their seat; the first is 0.
    """

    seat: int


_BODY: Final = msgspec.json.Decoder(NudgeBody)

_OPERATION: Final = Operation(
    id="nudge",
    tag="playing",
    description=(
        "Reminds a person, through the channels that they chose, that the table waits for them: for their move, their "
        "answer, or until they are ready. Once a day for each person at a match, whoever asks, and not before the "
        "table has waited for an hour. The log does not tell it."
    ),
    body=NudgeBody,
    examples={"the second seat": {"seat": 1}},
    answers={204: Answer("They are told, outside of their quiet hours.")},
    problems={
        403: ("key.other_scope",),
        409: (
            "nudge.already",
            "nudge.bot",
            "nudge.nobody",
            "nudge.not_awaited",
            "nudge.too_early",
            "nudge.unwanted",
            "nudge.yourself",
        ),
        503: ("store.unavailable",),
    },
)


@post("/matches/{match:str}/nudge", operation=_OPERATION, status_code=200)
async def nudge(request: Http) -> ASGIResponse:
    """Remind somebody whom the table waits for."""
    body, access, application = await read(request, _BODY), access_of(request), parts_of(request).application
    if access.held is not None and access.held.is_program:
        raise KeyOfOtherScope
    position = await application.reader.head(match_of(request))
    own = require_seat_held(position.state, access.player)
    await nudging(application).nudge(position, own, body.seat)
    return ASGIResponse(status_code=204, headers={"Cache-Control": "no-store"})

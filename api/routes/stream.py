"""``GET /matches/{match}/stream``: the events of a match, as they happen."""

import re
from typing import Final

from litestar import get
from litestar.response.base import ASGIResponse

from api.document.operations import Answer, Operation, Parameter
from api.parts import Http, address_of, parts_of
from api.permissions.admission import access_of, admits
from api.permissions.clubs import with_club
from api.permissions.rules import LOOK
from api.requests.authentication import asker_of
from api.requests.headers import header
from api.requests.queries import number
from api.streams.answer import EVENT_STREAM, HEADERS, EventStream
from api.streams.messages import Eyes
from api.streams.open_streams import Looker
from domain.errors import Malformed
from domain.match.state import OVER
from services.errors import StaleVersion, Unauthenticated
from services.people.memberships import Held

_EVENT_ID: Final = re.compile(r"[0-9]{1,15}").fullmatch

_OPERATION: Final = Operation(
    id="followMatch",
    tag="playing",
    description=(
        "Server-sent events: the `id` of each is its version, its `data` an EventLine in JSON, redacted for "
        "you. After a break, send the last id in `Last-Event-ID` (browsers do so by themselves) and nothing "
        "is missed or told twice. An event named `keep-alive` comes when nothing else does, one named `over` "
        "when nothing will follow; asking again is then answered with 204. A reader who is too slow is cut "
        "off and may continue after the last id. A browser should close the stream of a hidden tab: over HTTP/1.1 it "
        "opens six connections to a host, no more."
    ),
    parameters=(
        Parameter(
            "Last-Event-ID",
            "header",
            "The version that you have seen last; wins over `after`.",
            {"type": "string", "pattern": "^[0-9]{1,15}$"},
            "41",
            required=False,
        ),
        Parameter(
            "after",
            "query",
            "Begin after this version; left out, with what happens from now on.",
            {"type": "integer", "minimum": 0, "maximum": 999_999_999},
            "41",
            required=False,
        ),
    ),
    answers={
        200: Answer(
            "The stream.",
            headers=("Cache-Control", "Vary"),
            media={EVENT_STREAM: {"type": "string", "description": "Server-sent events."}},
        ),
        204: Answer("The match is over, and you have seen everything."),
    },
    problems={
        400: ("query.malformed", "query.repeated", "last_event_id.malformed"),
        410: ("match.closed",),
        412: ("version.stale",),
        429: ("streams.too_many",),
        503: ("streams.full",),
    },
)


@get("/matches/{match:str}/stream", operation=_OPERATION)
async def follow(request: Http) -> ASGIResponse:
    """Follow a match as it goes on."""
    asker = access_of(request)
    position, held = asker.at, asker.held
    after = _seen(request, position.version)
    if after > position.version:
        # They have seen more than there is: the log went back in time. Say so.
        raise StaleVersion(after, position.version)
    if after == position.version and position.state.lifecycle.phase in OVER:
        return ASGIResponse(status_code=204, headers={"Cache-Control": "no-store"})
    if request.scope["head_only"]:  # type: ignore[typeddict-item]
        return ASGIResponse(headers=HEADERS, media_type=EVENT_STREAM)
    person = "" if held is None else held.person or held.seat or held.host
    looker = Looker(address_of(request), person)

    async def still() -> bool:
        try:
            present = await asker_of(request, position.match)
            return await with_club(parts_of(request), position.match, position.state, present) == held
        except Unauthenticated:
            return False

    eyes = Eyes(asker.seat, guest=not admits(LOOK, position.state, held or Held(), "playing"))
    return EventStream(parts_of(request).streams, position.match, eyes, after, looker, still)


def _seen(request: Http, present: int) -> int:
    last = header(request, b"last-event-id")
    if not last:
        return number(request, "after", present)
    if not _EVENT_ID(last):
        raise Malformed(
            "last_event_id.malformed", "Last-Event-ID is the id of the last event that you have seen."
        )
    return int(last)

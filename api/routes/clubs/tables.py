"""``/clubs/{club}/tables``: the tables of a club, and making one."""

import asyncio
from typing import Final

import msgspec
from litestar import get, post
from litestar.response.base import ASGIResponse

from api.answering.answers import MatchCreated, answer, view_for
from api.answering.clubs import ClubTables, shown_table
from api.document.operations import SECRET_KEY, Answer, Operation, query_parameter
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from api.requests.bodies import read
from api.requests.clubs import ClubMatchBody, club_of, kept_for
from api.requests.commands import carry_out
from api.requests.headers import secret_key, wanted_language
from api.requests.queries import number, query
from api.requests.submissions import check, creation, issued_caller
from api.routes.clubs.club import HEADERS
from api.routes.create_match import REFUSED_TERMS
from domain.errors import Malformed
from domain.games.registry import EXAMPLE
from services.bootstrap import present_instant
from services.matches.tables_of_clubs import RESULTS_ON_A_PAGE
from services.people.clubs.changes import require
from services.people.identity import Holder

_BODY: Final = msgspec.json.Decoder(ClubMatchBody)

_LIST: Final = Operation(
    id="listClubTables",
    tag="clubs",
    description=(
        f"The tables that are open; with `state=over` those that have ended, {RESULTS_ON_A_PAGE} at a time. A table "
        "that nobody began is left out when it is over."
    ),
    parameters=(
        query_parameter(
            "state", "Which tables.", {"type": "string", "enum": ["open", "over"], "default": "open"}, "over"
        ),
        query_parameter(
            "first", "The `next` of the previous page.", {"type": "integer", "minimum": 0, "default": 0}, "20"
        ),
    ),
    answers={200: Answer("The tables.", ClubTables)},
    problems={503: ("store.unavailable",)},
)
_MAKE: Final = Operation(
    id="makeClubTable",
    tag="clubs",
    description=(
        "As with `POST /matches`; what is left out is as the club's defaults have it. No log names the club. A private "
        "table shows itself to the club, and only its members sit down there."
    ),
    parameters=(SECRET_KEY,),
    body=ClubMatchBody,
    examples={
        "a table for four": {"game": EXAMPLE, "seats": [{}, {}, {}, {}]},
        "a table that everybody may watch": {"game": EXAMPLE, "seats": [{}, {}], "visibility": "public"},
    },
    answers={201: Answer("The table is made.", MatchCreated, ("Location",))},
    problems={
        404: ("member.unknown",),
        409: ("club.too_many_tables", "match.exists"),
        410: ("match.closed",),
        422: (*REFUSED_TERMS, "command.id_reused"),
        503: ("outcome.unknown", "store.unavailable", "match.contended"),
    },
)


@get("/clubs/{club:str}/tables", operation=_LIST)
async def list_tables(request: Http) -> ASGIResponse:
    """List the tables of a club."""
    person, parts, language = access_of(request).person, parts_of(request), wanted_language(request)
    club, state, first = await club_of(request, person), query(request, "state"), number(request, "first", 0)
    if state not in {None, "open", "over"}:
        raise Malformed("query.malformed", "`state` is one of: open, over.")
    # Tables that have ended meanwhile become results by it.
    positions = await parts.application.tables_of_clubs.open(club.id, present_instant())
    following = None
    if state == "over":
        positions, has_more = await parts.application.tables_of_clubs.results(club.id, first)
        following = first + RESULTS_ON_A_PAGE if has_more else None
    shown = await asyncio.gather(*(shown_table(parts, one, person, language) for one in positions))
    return answer(ClubTables(tuple(shown), following), headers=HEADERS)


@post("/clubs/{club:str}/tables", operation=_MAKE)
async def make_table(request: Http) -> ASGIResponse:
    """Make a table of a club, and become its host."""
    person, parts, key = access_of(request).person, parts_of(request), secret_key(request)
    club = await club_of(request, person)
    asked = await read(request, _BODY)
    body = asked.completed(club.defaults)
    require(club, person, "make_tables")
    application = parts.application
    issued = application.identity.for_new_match(key)
    kept = await kept_for(parts, club, asked, issued.match)
    submission = creation(issued_caller("api", issued), issued.match, body, kept=kept)
    check(submission)
    await application.clubs.tables.require_room(club.id)
    now = present_instant()
    # Before the event: a table that the club does not know would be lost to it.
    await application.memberships.collect(person, Holder(issued.match, issued.player, "host"), now)
    await application.clubs.tables.record(club.id, issued.match, now)
    outcome = await carry_out(parts, submission)
    view = view_for(outcome.position, None)
    return answer(
        MatchCreated(issued.match, outcome.last, "", view),
        201,
        {"Location": f"/api/v1/matches/{issued.match}"},
    )

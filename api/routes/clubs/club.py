"""``/clubs``: making a club, and the club itself."""

from typing import Final

import msgspec
from litestar import delete, get, patch, post
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.answering.clubs import ClubList, ClubShown, row_of, shown_club
from api.document.operations import COMMAND_ID, Answer, Operation
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from api.requests.bodies import read
from api.requests.clubs import ClubBody, ClubChangeBody, club_id, club_of, defaults_of
from api.requests.headers import command_id, wanted_language
from services.bootstrap import present_instant
from services.people.clubs.changes import begun, closed, require, with_terms
from services.people.clubs.club import Club, Member
from services.people.opaque_ids import new_id

HEADERS: Final = {"Cache-Control": "no-store"}

_BODY: Final = msgspec.json.Decoder(ClubBody)
_CHANGE_BODY: Final = msgspec.json.Decoder(ClubChangeBody)

_TERMS: Final = (
    "club.name_missing",
    "clock.out_of_range",
    "undo.unknown_policy",
    "visibility.unknown",
    "game.unknown",
    "options.invalid",
)

_MAKE: Final = Operation(
    id="makeClub",
    tag="clubs",
    description=(
        "You become its first host. A club that nobody joins and that has no table closes by itself after 60 days."
    ),
    parameters=(COMMAND_ID,),
    body=ClubBody,
    examples={
        "a club": {"name": "Thursday players"},
        "a club whose tables take their time": {
            "name": "Thursday players",
            "defaults": {"clock": {"per_turn": 86_400}, "undo": "consent"},
        },
    },
    answers={201: Answer("The club is made.", ClubShown)},
    problems={409: ("club.too_many",), 422: _TERMS, 503: ("store.unavailable", "match.contended")},
)
_LIST: Final = Operation(
    id="listClubs",
    tag="clubs",
    description="Nobody else sees in which clubs you are.",
    answers={200: Answer("Your clubs.", ClubList)},
    problems={503: ("store.unavailable",)},
)
_SHOW: Final = Operation(
    id="showClub",
    tag="clubs",
    description="Only its members see a club; to everybody else it does not exist.",
    answers={200: Answer("The club.", ClubShown)},
    problems={503: ("store.unavailable",)},
)
_CHANGE: Final = Operation(
    id="changeClub",
    tag="clubs",
    description="For hosts. Tables that were made before keep their terms.",
    body=ClubChangeBody,
    examples={
        "another name": {"name": "Friday players"},
        "other defaults": {"defaults": {"visibility": "public", "undo": "off"}},
    },
    answers={200: Answer("The club, as it is now.", ClubShown)},
    problems={422: _TERMS, 503: ("store.unavailable", "match.contended")},
)
_CLOSE: Final = Operation(
    id="closeClub",
    tag="clubs",
    description=(
        "For hosts. It cannot be undone. The club's tables go on, and from then on only those who sit at a private one "
        "see it."
    ),
    answers={204: Answer("The club is closed.")},
    problems={503: ("store.unavailable", "match.contended")},
)


@post("/clubs", operation=_MAKE)
async def make_club(request: Http) -> ASGIResponse:
    """Make a club and become its host."""
    person, parts = access_of(request).person, parts_of(request)
    key, body, now = command_id(request, required=False), await read(request, _BODY), present_instant()
    founder = Member(new_id("n"), person, "host", now)
    club = begun(parts.application.identity.for_new_club(person, key), body.name, now, founder)
    club = msgspec.structs.replace(club, defaults=defaults_of(body.defaults))
    made = await parts.application.clubs.create(club, now)
    return await _answer(request, made, person, 201)


@get("/clubs", operation=_LIST)
async def list_clubs(request: Http) -> ASGIResponse:
    """List the clubs that you are in."""
    person = access_of(request).person
    clubs = await parts_of(request).application.clubs.of_person(person)
    return answer(ClubList(tuple(row_of(club, person) for club in clubs)), headers=HEADERS)


@get("/clubs/{club:str}", operation=_SHOW)
async def show_club(request: Http) -> ASGIResponse:
    """Show a club that you are in."""
    person = access_of(request).person
    return await _answer(request, await club_of(request, person), person)


@patch("/clubs/{club:str}", operation=_CHANGE)
async def change_club(request: Http) -> ASGIResponse:
    """Change a club's name, or the defaults of its new tables."""
    person, club = access_of(request).person, club_id(request)
    body = await read(request, _CHANGE_BODY)
    require(await club_of(request, person), person, "set_terms")
    defaults = None if body.defaults is None else defaults_of(body.defaults)
    changed = await parts_of(request).application.clubs.change(
        club, lambda present: with_terms(present, person, body.name, defaults)
    )
    return await _answer(request, changed, person)


@delete("/clubs/{club:str}", operation=_CLOSE, status_code=200)
async def close_club(request: Http) -> ASGIResponse:
    """Close a club."""
    person = access_of(request).person
    clubs = parts_of(request).application.clubs
    await clubs.change(club_id(request), lambda present: closed(present, person))
    return ASGIResponse(status_code=204, headers=HEADERS)


async def _answer(request: Http, club: Club | None, person: str, status: int = 200) -> ASGIResponse:
    if club is None:
        return ASGIResponse(status_code=204, headers=HEADERS)
    shown = await shown_club(parts_of(request), club, person, wanted_language(request))
    return answer(shown, status, HEADERS)

"""``/clubs/{club}/members``: roles, passing the club on, leaving, removing."""

from typing import Final

import msgspec
from litestar import delete, patch
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.answering.clubs import ClubShown, shown_club
from api.document.operations import Answer, Operation
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from api.requests.bodies import read
from api.requests.clubs import MemberBody, club_id, member_id
from api.requests.headers import wanted_language
from api.routes.clubs.club import HEADERS
from services.bootstrap import present_instant
from services.people.clubs.changes import left, member_of, passed_on, removed, with_role
from services.people.clubs.club import Club

_BODY: Final = msgspec.json.Decoder(MemberBody)

_UNKNOWN: Final = ("member.unknown",)

_CHANGE: Final = Operation(
    id="changeMember",
    tag="clubs",
    description="For hosts. A club always has a host.",
    body=MemberBody,
    examples={
        "a guest becomes a member": {"role": "member"},
        "hand the club to somebody": {"role": "host", "pass_on": True},
    },
    answers={200: Answer("The club, as it is now.", ClubShown)},
    problems={404: _UNKNOWN, 409: ("club.last_host",), 503: ("store.unavailable", "match.contended")},
)
_REMOVE: Final = Operation(
    id="removeMember",
    tag="clubs",
    description=(
        "Yourself, to leave; others as a host. Whoever goes no longer sees the club, nor those of its private tables "
        "at which they do not sit. They keep their seats. When the last member leaves, the club closes."
    ),
    answers={204: Answer("They are no longer in the club.")},
    problems={404: _UNKNOWN, 409: ("club.last_host",), 503: ("store.unavailable", "match.contended")},
)


@patch("/clubs/{club:str}/members/{member:str}", operation=_CHANGE)
async def change_member(request: Http) -> ASGIResponse:
    """Give a member another role, or hand the club to them."""
    person, parts = access_of(request).person, parts_of(request)
    club, member = club_id(request), member_id(request)
    body = await read(request, _BODY)

    def step(present: Club) -> Club:
        if body.pass_on:
            return passed_on(present, person, member)
        return with_role(present, person, member, body.role)

    changed = await parts.application.clubs.change(club, step)
    assert changed is not None  # noqa: S101 - no change of a role closes a club
    return answer(await shown_club(parts, changed, person, wanted_language(request)), headers=HEADERS)


@delete("/clubs/{club:str}/members/{member:str}", operation=_REMOVE, status_code=200)
async def remove_member(request: Http) -> ASGIResponse:
    """Leave a club, or remove somebody from it."""
    person = access_of(request).person
    club, member = club_id(request), member_id(request)

    def step(present: Club) -> Club | None:
        is_own = present.role(person) is not None and member_of(present, member).person == person
        return left(present, person) if is_own else removed(present, person, member, present_instant())

    await parts_of(request).application.clubs.change(club, step)
    return ASGIResponse(status_code=204, headers=HEADERS)

"""``/clubs/{club}/invitations`` for hosts, and ``/invitations/{code}`` for who got one."""

from typing import Final

import msgspec
from litestar import delete, get, post
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.answering.clubs import (
    ClubShown,
    InvitationList,
    InvitationMade,
    InvitationSeen,
    seen_invitation,
    shown_club,
    shown_invitation,
)
from api.document.operations import COMMAND_ID, Answer, Operation
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from api.requests.addresses import public_address
from api.requests.bodies import read
from api.requests.clubs import InvitationBody, JoinBody, club_id, club_of, code_of, invitation_id
from api.requests.headers import command_id, wanted_language
from api.routes.clubs.club import HEADERS
from services.bootstrap import present_instant
from services.errors import NoSuchInvitation
from services.people.clubs.changes import invited, require, revoked
from services.people.clubs.club import Member
from services.people.clubs.invitations import invitation_for
from services.people.hashed_secrets import hash_of
from services.people.opaque_ids import new_id

_BODY: Final = msgspec.json.Decoder(InvitationBody)
_JOIN_BODY: Final = msgspec.json.Decoder(JoinBody)

_STORE: Final = ("store.unavailable", "match.contended")

_INVITE: Final = Operation(
    id="invite",
    tag="clubs",
    description=(
        "For hosts. Whoever has the code may join, so send it to people whom you know. Only its hash is kept: this "
        "answer is the only one that holds it."
    ),
    parameters=(COMMAND_ID,),
    body=InvitationBody,
    examples={"ten members": {}, "one guest, for a week": {"role": "guest", "uses": 1, "days": 7}},
    answers={201: Answer("The invitation is made.", InvitationMade)},
    problems={409: ("invitation.too_many",), 503: _STORE},
)
_LIST: Final = Operation(
    id="listInvitations",
    tag="clubs",
    description="For hosts.",
    answers={200: Answer("The invitations.", InvitationList)},
    problems={503: _STORE},
)
_REVOKE: Final = Operation(
    id="revokeInvitation",
    tag="clubs",
    description="For hosts. Those who have joined by it stay.",
    answers={204: Answer("Nobody joins by it any longer.")},
    problems={404: ("invitation.unknown",), 503: _STORE},
)
_SEE: Final = Operation(
    id="seeInvitation",
    tag="clubs",
    description="Looking uses nothing up. With your token you also learn whether you are in the club already.",
    answers={200: Answer("Where the invitation leads.", InvitationSeen)},
    problems={404: ("invitation.unknown",), 503: _STORE},
)
_JOIN: Final = Operation(
    id="joinClub",
    tag="clubs",
    description=(
        "The other members see your name, when you joined and your role. Who is in the club already stays as they are, "
        "and uses nothing up."
    ),
    body=JoinBody,
    examples={"join": {}},
    answers={200: Answer("You are in the club.", ClubShown)},
    problems={
        404: ("invitation.unknown", "club.unknown"),
        409: (
            "invitation.used_up",
            "invitation.expired",
            "invitation.revoked",
            "club.full",
            "club.too_many",
        ),
        503: _STORE,
    },
)


@post("/clubs/{club:str}/invitations", operation=_INVITE)
async def invite(request: Http) -> ASGIResponse:
    """Make an invitation, and get its code."""
    person, application = access_of(request).person, parts_of(request).application
    club, key = club_id(request), command_id(request, required=False)
    body, now = await read(request, _BODY), present_instant()
    code = application.identity.for_invitation(club, person, key)
    made = invitation_for(code, body.role, body.uses, body.days, now)
    changed = await application.clubs.change(club, lambda present: invited(present, person, made, now))
    # The same request sent again finds the first one.
    kept = (changed.invitation(hash_of(code)) if changed is not None else None) or made
    address = public_address(request, f"/i/{code}")
    return answer(InvitationMade(code, address, shown_invitation(kept, now)), 201, HEADERS)


@get("/clubs/{club:str}/invitations", operation=_LIST)
async def list_invitations(request: Http) -> ASGIResponse:
    """List the invitations of a club."""
    person, now = access_of(request).person, present_instant()
    club = await club_of(request, person)
    require(club, person, "invite")
    return answer(
        InvitationList(tuple(shown_invitation(one, now) for one in club.invitations)), headers=HEADERS
    )


@delete("/clubs/{club:str}/invitations/{invitation:str}", operation=_REVOKE, status_code=200)
async def revoke(request: Http) -> ASGIResponse:
    """Take an invitation back."""
    person, invitation = access_of(request).person, invitation_id(request)
    clubs = parts_of(request).application.clubs
    await clubs.change(club_id(request), lambda present: revoked(present, person, invitation))
    return ASGIResponse(status_code=204, headers=HEADERS)


@get("/invitations/{code:str}", operation=_SEE)
async def see_invitation(request: Http) -> ASGIResponse:
    """Look where an invitation leads."""
    person, code = access_of(request).person, code_of(request)
    club = await parts_of(request).application.clubs.invited_to(code)
    invitation = club.invitation(hash_of(code))
    if invitation is None:
        raise NoSuchInvitation
    return answer(seen_invitation(club, invitation, person, present_instant()), headers=HEADERS)


@post("/invitations/{code:str}", operation=_JOIN, status_code=200)
async def join_club(request: Http) -> ASGIResponse:
    """Join the club that an invitation leads to."""
    person, parts, now = access_of(request).person, parts_of(request), present_instant()
    await read(request, _JOIN_BODY)
    code = code_of(request)
    club = await parts.application.clubs.join(code, Member(new_id("n"), person, "guest", now), now)
    return answer(await shown_club(parts, club, person, wanted_language(request)), headers=HEADERS)

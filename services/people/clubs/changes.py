"""What a club becomes, or why not. Pure. A change that closes the club makes it None.

Whoever acts is a person by their id, or :data:`OPERATOR`. Each change may raise:

- ``NoSuchClub``: They are not in the club, which then does not exist for them.
- ``ClubRoleNeeded``: Their role does not allow it.
- ``NoSuchMember``: Nobody in the club has this id.
- ``Refused``: The club does not allow it now.
"""

from typing import Final

from msgspec.structs import replace

from domain.errors import Refused
from domain.instants import EARLIEST, Instant, after
from services.errors import ClubRoleNeeded, NoSuchClub, NoSuchInvitation, NoSuchMember
from services.people.clubs.club import (
    LONGEST_NAME,
    MOST_INVITATIONS,
    MOST_MEMBERS,
    TOLD_DAYS,
    Club,
    Invitation,
    Member,
    TableDefaults,
)
from services.people.clubs.roles import ROLES, Action, Role, Standing, may
from services.people.player_names import readable

OPERATOR: Final = "operator"
"""Whoever runs the installation, as an actor. No person has this id."""


def standing_of(club: Club, actor: str) -> Standing | None:
    """Return what somebody is to a club; None for somebody outside."""
    return "operator" if actor == OPERATOR else club.role(actor)


def require(club: Club, actor: str, action: Action) -> None:
    """Refuse an action of somebody who may not do it."""
    standing = standing_of(club, actor)
    if standing is None:
        raise NoSuchClub
    if not may(standing, action):
        raise ClubRoleNeeded(standing, action)


def begun(club: str, name: str, now: Instant, founder: Member | None = None) -> Club:
    """Return a new club, of a person or, made by the operator, of nobody yet."""
    return Club(club, _readable(name), now, () if founder is None else (founder,))


def invited(club: Club, actor: str, invitation: Invitation, now: Instant) -> Club:
    """Make an invitation. One with the same code is made once."""
    require(club, actor, "invite")
    if club.invitation(invitation.code) is not None:
        return club
    if invitation.role == "host" and actor != OPERATOR:
        raise Refused("invitation.for_hosts", "hosts are named")
    told = [one for one in club.invitations if now < after(one.expires, TOLD_DAYS * 24 * 3600)]
    open_ones = [one for one in told if one.state(now) == "valid"]
    if len(open_ones) >= MOST_INVITATIONS:
        raise Refused("invitation.too_many", "invitations", most=MOST_INVITATIONS)
    over = [one for one in told if one.state(now) != "valid"]
    # Those that are over only say why, so the oldest make room.
    kept = sorted([*over[-MOST_INVITATIONS:], *open_ones], key=lambda one: one.since)
    return replace(club, invitations=(*kept, invitation))


def revoked(club: Club, actor: str, invitation_id: str) -> Club:
    """Take an invitation back."""
    require(club, actor, "invite")
    if all(one.id != invitation_id for one in club.invitations):
        raise NoSuchInvitation
    return replace(
        club,
        invitations=tuple(
            replace(one, is_revoked=True) if one.id == invitation_id else one for one in club.invitations
        ),
    )


def joined(club: Club, code: str, member: Member, now: Instant) -> Club:
    """Let somebody in by an invitation, named by its code's hash. It gives them its role, and takes no role away."""
    invitation = club.invitation(code)
    if invitation is None:
        raise NoSuchInvitation
    before = club.member(member.person)
    if before is not None and ROLES.index(before.role) >= ROLES.index(invitation.role):
        return club
    _require_valid(invitation, now)
    if invitation.since <= club.barred.get(member.person, EARLIEST):
        raise Refused("invitation.not_for_you", "invitations")
    if before is None and len(club.members) >= MOST_MEMBERS:
        raise Refused("club.full", "members", most=MOST_MEMBERS)
    used = replace(invitation, used=invitation.used + 1)
    club = replace(club, invitations=tuple(used if one is invitation else one for one in club.invitations))
    if before is not None:
        return _with_member(club, replace(before, role=invitation.role))
    return replace(club, members=(*club.members, replace(member, role=invitation.role)))


def left(club: Club, actor: str) -> Club | None:
    """Let a member go. The last one closes the club."""
    require(club, actor, "leave")
    others = tuple(member for member in club.members if member.person != actor)
    return _with_a_host(replace(club, members=others)) if others else None


def removed(club: Club, actor: str, member_id: str, now: Instant) -> Club | None:
    """Remove a member. Invitations that were made before let them in no more."""
    require(club, actor, "remove")
    member = member_of(club, member_id)
    if member.person == actor:
        return left(club, actor)
    members = tuple(one for one in club.members if one.id != member_id)
    return replace(club, members=members, barred={**club.barred, member.person: now})


def with_role(club: Club, actor: str, member_id: str, role: Role) -> Club:
    """Give a member another role."""
    require(club, actor, "give_roles")
    return _with_a_host(_with_member(club, replace(member_of(club, member_id), role=role)))


def passed_on(club: Club, actor: str, member_id: str) -> Club:
    """Make another member host, and oneself a member."""
    require(club, actor, "pass_on")
    heir, before = member_of(club, member_id), club.member(actor)
    if before is None or heir.person == actor:
        return club
    return _with_member(_with_member(club, replace(heir, role="host")), replace(before, role="member"))


def with_terms(club: Club, actor: str, name: str | None, defaults: TableDefaults | None) -> Club:
    """Change the name and the defaults of new tables; None leaves a thing as it is."""
    require(club, actor, "set_terms")
    return replace(
        club,
        name=club.name if name is None else _readable(name),
        defaults=club.defaults if defaults is None else defaults,
    )


def closed(club: Club, actor: str) -> Club | None:
    """Close the club."""
    require(club, actor, "close")
    return None


def without(club: Club, person: str) -> Club | None:
    """Take out a member who was erased. If no host is left, whoever has been a member for longest becomes one."""
    others = tuple(member for member in club.members if member.person != person)
    if not others and club.members:
        return None
    barred = {one: since for one, since in club.barred.items() if one != person}
    club = replace(club, members=others, barred=barred)
    if club.hosts or not others:
        return club
    heir = next((one for one in others if one.role == "member"), others[0])
    return _with_member(club, replace(heir, role="host"))


def taken_over(club: Club, person: str, to: str) -> Club:
    """Let a person's place be another's. Who has one already keeps it, with the greater of the two roles."""
    mine, theirs = club.member(person), club.member(to)
    if mine is None:
        return club
    if theirs is None:
        members = tuple(replace(one, person=to) if one is mine else one for one in club.members)
        return replace(club, members=members)
    greater = max(mine.role, theirs.role, key=ROLES.index)
    club = replace(club, members=tuple(one for one in club.members if one is not mine))
    return _with_member(club, replace(theirs, role=greater))


def member_of(club: Club, member_id: str) -> Member:
    """Return a member by their id."""
    found = next((member for member in club.members if member.id == member_id), None)
    if found is None:
        raise NoSuchMember
    return found


def _require_valid(invitation: Invitation, now: Instant) -> None:
    match invitation.state(now):
        case "used_up":
            raise Refused("invitation.used_up", "invitations")
        case "expired":
            raise Refused("invitation.expired", "invitations")
        case "revoked":
            raise Refused("invitation.revoked", "invitations")


def _with_member(club: Club, changed: Member) -> Club:
    members = tuple(changed if one.person == changed.person else one for one in club.members)
    return replace(club, members=members)


def _with_a_host(club: Club) -> Club:
    if not club.hosts:
        raise Refused("club.last_host", "hosts")
    return club


def _readable(name: str) -> str:
    shown = readable(name, LONGEST_NAME)
    if not shown:
        raise Refused("club.name_missing", "names", longest=LONGEST_NAME)
    return shown

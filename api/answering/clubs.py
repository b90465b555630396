"""What the API tells of clubs."""

import msgspec

from api.parts import Parts
from domain.instants import Instant
from domain.match.fold import Position
from domain.match.view import match_view, viewer_of
from services.errors import NoSuchClub
from services.matches.seat_names import seat_names
from services.matches.service import seat_of
from services.people.clubs.club import Club, Invitation, TableDefaults
from services.people.clubs.member_names import member_names
from services.people.clubs.roles import Action, Role, rights_of


class MemberShown(msgspec.Struct, frozen=True):
    """A member of a club, as the others see them.

    Attributes:
        id: Names them in this club, and nowhere else.
        you: Whether it is you.
    """

    id: str
    name: str
    role: Role
    since: Instant
    you: bool


class ClubShown(msgspec.Struct, frozen=True):
    """A club, as one of its members sees it.

    Attributes:
        id: Its id.
        name: Its name.
        role: Your role.
        may: What you may do.
        members: Its members, in the order in which they joined.
        defaults: What new tables take where their maker says nothing.
        closes_at: When the club closes by itself unless somebody joins or a table is made; null if it does not.
    """

    id: str
    name: str
    role: Role
    may: tuple[Action, ...]
    members: tuple[MemberShown, ...]
    defaults: TableDefaults
    closes_at: Instant | None


class ClubRow(msgspec.Struct, frozen=True):
    """One of your clubs.

    Attributes:
        role: Your role.
        members: How many members it has.
    """

    id: str
    name: str
    role: Role
    members: int


class ClubList(msgspec.Struct, frozen=True):
    """Your clubs, by name."""

    clubs: tuple[ClubRow, ...]


class InvitationShown(msgspec.Struct, frozen=True):
    """An invitation, as hosts see it. Nobody can read its code again.

    Attributes:
        id: Names it, and opens nothing.
        role: What those who join become.
        state: ``valid``, ``used_up``, ``expired`` or ``revoked``.
        uses: How many may join.
        used: How many have joined.
        since: When it was made.
        expires: When it ends.
    """

    id: str
    role: Role
    state: str
    uses: int
    used: int
    since: Instant
    expires: Instant


class InvitationList(msgspec.Struct, frozen=True):
    """The invitations of a club, oldest first. Those that ended long ago are left out."""

    invitations: tuple[InvitationShown, ...]


class InvitationMade(msgspec.Struct, frozen=True):
    """An invitation was made.

    Attributes:
        code: The secret that lets people in. It is told only here; the same request sent again gets the same.
        address: The page to send to people.
        invitation: The invitation.
    """

    code: str
    address: str
    invitation: InvitationShown


class InvitationSeen(msgspec.Struct, frozen=True):
    """Where an invitation leads.

    Attributes:
        name: The club's name.
        role: What you become by joining.
        state: ``valid``, ``used_up``, ``expired`` or ``revoked``; ``member`` if you are in the club already.
        members: How many members the club has.
        expires: When the invitation ends.
        club: The club's id, for its members; empty for others.
    """

    name: str
    role: Role
    state: str
    members: int
    expires: Instant
    club: str


class ClubSeat(msgspec.Struct, frozen=True):
    """A seat at a table of a club.

    Attributes:
        seat: Its number, from 0.
        kind: ``open``, ``person`` or ``bot``.
        name: How it is called.
    """

    seat: int
    kind: str
    name: str


class ClubTableShown(msgspec.Struct, frozen=True):
    """A table of a club.

    Attributes:
        match: Its id.
        game: The game's key.
        phase: ``gathering``, ``playing``, ``finished`` or ``abandoned``.
        version: The number of its events.
        at: When the last of them was accepted.
        private: Whether it shows itself to the club only.
        seats: The seats in their order around the table.
        mine: Your seat; null if you have none.
        to_act: The seats that owe a move.
        ranking: Seats from first place to last, those that share a place in one group; once finished.
        totals: Points by seat; once finished.
    """

    match: str
    game: str
    phase: str
    version: int
    at: Instant
    private: bool
    seats: tuple[ClubSeat, ...]
    mine: int | None
    to_act: tuple[int, ...]
    ranking: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]


class ClubTables(msgspec.Struct, frozen=True):
    """Tables of a club.

    Attributes:
        tables: Open tables, newest first; or those that are over, the one that ended last first.
        next: The value of `first` for the next page; null if there is none.
    """

    tables: tuple[ClubTableShown, ...]
    next: int | None = None


async def shown_club(parts: Parts, club: Club, person: str, language: str) -> ClubShown:
    """Return a club as one of its members sees it.

    Raises:
        NoSuchClub: They are not in it.
    """
    role = club.role(person)
    if role is None:
        raise NoSuchClub
    names = await member_names(parts.application.persons, club, language)
    return ClubShown(
        club.id,
        club.name,
        role,
        rights_of(role),
        tuple(
            MemberShown(one.id, names[one.id], one.role, one.since, one.person == person)
            for one in club.members
        ),
        club.defaults,
        await parts.application.clubs.closes_at(club.id),
    )


def row_of(club: Club, person: str) -> ClubRow:
    """Return a club in the list of somebody who is in it.

    Raises:
        NoSuchClub: They are not.
    """
    role = club.role(person)
    if role is None:
        raise NoSuchClub
    return ClubRow(club.id, club.name, role, len(club.members))


def shown_invitation(invitation: Invitation, now: Instant) -> InvitationShown:
    """Return an invitation as hosts see it."""
    return InvitationShown(
        invitation.id,
        invitation.role,
        invitation.state(now),
        invitation.uses,
        invitation.used,
        invitation.since,
        invitation.expires,
    )


def seen_invitation(club: Club, invitation: Invitation, person: str, now: Instant) -> InvitationSeen:
    """Return where an invitation leads, for somebody who has its code."""
    is_member = club.role(person) is not None
    state = "member" if is_member else invitation.state(now)
    return InvitationSeen(
        club.name,
        invitation.role,
        state,
        len(club.members),
        invitation.expires,
        club.id if is_member else "",
    )


async def shown_table(parts: Parts, position: Position, person: str, language: str) -> ClubTableShown:
    """Return a table as one of the club's members sees it: nothing of it that not everybody at the table sees."""
    state = position.state
    held = await parts.application.memberships.held(person, position.match)
    view = match_view(position, viewer_of(state, None))
    names = await seat_names(parts.application.names, state, language)
    return ClubTableShown(
        position.match,
        view.terms.game,
        view.lifecycle.phase,
        position.version,
        position.at,
        view.terms.visibility == "private",
        tuple(ClubSeat(seat.seat, seat.kind, names[seat.seat]) for seat in view.seats),
        seat_of(state, held.seat) if held.seat else None,
        view.to_act,
        view.lifecycle.ranking,
        view.lifecycle.totals,
    )

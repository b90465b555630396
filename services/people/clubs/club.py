"""A club, its members and its invitations, as they are kept."""

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from domain.instants import Instant
from services.people.clubs.roles import Role

LONGEST_NAME: Final = 40
"""Characters of a club's name."""

MOST_MEMBERS: Final = 100
MOST_CLUBS: Final = 20
"""How many clubs one person may be in."""

MOST_INVITATIONS: Final = 20
"""How many invitations of a club may be open at once."""

MOST_USES: Final = MOST_MEMBERS
LONGEST_DAYS: Final = 90
"""Of an invitation."""

TOLD_DAYS: Final = 30
"""How long an invitation that is over can still say why."""

UNUSED_DAYS: Final = 60
"""A club that nobody joined and that had no table closes after so long."""

InvitationState = Literal["valid", "used_up", "expired", "revoked"]


class Member(msgspec.Struct, frozen=True):
    """Somebody in a club.

    Attributes:
        id: Opaque; names them to the others of this club, and nowhere else.
        person: The person, whom nobody else sees.
        since: When they joined.
    """

    id: str
    person: str
    role: Role
    since: Instant


class Invitation(msgspec.Struct, frozen=True, omit_defaults=True):
    """What lets people into a club. Who has its code may join; only the code's hash is kept.

    Attributes:
        id: Names it, and opens nothing.
        code: The hash of its code.
        role: What those who join become.
        uses: How many may join.
        since: When it was made.
        expires: When it ends.
        used: How many have joined.
        is_revoked: Whether a host has taken it back.
    """

    id: str
    code: str
    role: Role
    uses: int
    since: Instant
    expires: Instant
    used: int = 0
    is_revoked: bool = False

    def state(self, now: Instant) -> InvitationState:
        """Return whether it can still be used, or why not."""
        if self.is_revoked:
            return "revoked"
        if self.used >= self.uses:
            return "used_up"
        return "valid" if now < self.expires else "expired"


class TableDefaults(msgspec.Struct, frozen=True, omit_defaults=True):
    """What new tables of a club take where their maker says nothing.

    Attributes:
        clock: Seconds for each turn; 0 for no clock.
        undo: What may be taken back; empty for what is usual at a table of that size.
        visibility: ``private`` shows a table to the club only, ``public`` to everybody.
        options: By game, its options by name.
    """

    clock: int = 0
    undo: str = ""
    visibility: str = "private"
    options: Mapping[str, Mapping[str, str | int]] = {}


class Club(msgspec.Struct, frozen=True, omit_defaults=True):
    """People who play together.

    Attributes:
        id: Opaque.
        since: When it was made.
        members: In the order in which they joined.
        barred: Who was removed, by person, and when: invitations made before let them in no more.
    """

    id: str
    name: str
    since: Instant
    members: tuple[Member, ...] = ()
    invitations: tuple[Invitation, ...] = ()
    defaults: TableDefaults = TableDefaults()
    barred: Mapping[str, Instant] = {}

    def member(self, person: str) -> Member | None:
        """Return a person's membership; None for somebody outside."""
        return next((member for member in self.members if member.person == person), None)

    def role(self, person: str) -> Role | None:
        """Return a person's role; None for somebody outside."""
        member = self.member(person)
        return None if member is None else member.role

    def invitation(self, code: str) -> Invitation | None:
        """Return the invitation with a code, by its hash."""
        return next((one for one in self.invitations if one.code == code), None)

    @property
    def hosts(self) -> tuple[Member, ...]:
        """The members who are hosts."""
        return tuple(member for member in self.members if member.role == "host")

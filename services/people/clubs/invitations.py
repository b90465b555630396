"""Making invitations."""

from domain.instants import Instant, after
from services.people.clubs.club import Invitation
from services.people.clubs.roles import Role
from services.people.hashed_secrets import hash_of
from services.people.opaque_ids import new_id


def invitation_for(code: str, role: Role, uses: int, days: int, now: Instant) -> Invitation:
    """Return an invitation with a code, which is not kept in it."""
    return Invitation(new_id("i"), hash_of(code), role, uses, now, after(now, days * 24 * 3600))

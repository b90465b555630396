"""Whether a match is a table of a club, for those who ask."""

from msgspec.structs import replace

from api.parts import Parts
from domain.match.state import Match
from services.people.memberships import Held


async def with_club(parts: Parts, match: str, state: Match, held: Held | None) -> Held:
    """Return who somebody is at a match, and what they are to the club whose private table it is."""
    found = held or Held()
    # What everybody sees, no club changes: most matches cost nothing here.
    if state.terms is None or state.terms.visibility != "private":
        return found
    return replace(found, club=await parts.application.clubs.has_at(match, found.person))

"""Whether somebody is in a club, and whether a match is a table of theirs."""

from msgspec.structs import replace

from api.parts import Http, Parts, parts_of
from api.requests.clubs import club_id
from domain.match.state import Match
from services.errors import NoSuchClub
from services.people.memberships import Held


async def with_club(parts: Parts, match: str, state: Match, held: Held | None) -> Held:
    """Return who somebody is at a match, and what they are to the club whose private table it is."""
    found = held or Held()
    # What everybody sees, no club changes: most matches cost nothing here.
    if state.terms is None or state.terms.visibility != "private":
        return found
    return replace(found, club=await parts.application.clubs.has_at(match, found.person))


async def require_in_club(request: Http, person: str) -> None:
    """Make sure that a person is in the club that a request is about. What they may do there, the club decides.

    Raises:
        NoSuchClub: They are not, and need not know whether there is one.
    """
    club = await parts_of(request).application.clubs.of(club_id(request))
    if club is None or club.member(person) is None:
        raise NoSuchClub

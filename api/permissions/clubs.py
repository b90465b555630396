"""Whether somebody is in a club, whether a match is a table of theirs, and whether they brought it from elsewhere."""

from msgspec.structs import replace

from api.parts import Http, Parts, parts_of
from api.requests.clubs import club_id
from domain.match.state import OVER, Match
from services.errors import NoSuchClub
from services.people.memberships import Held


async def with_club(parts: Parts, match: str, state: Match, held: Held | None) -> Held:
    """Return who somebody is at a match: to the club whose private table it is, and whether they brought it here."""
    found = held or Held()
    # What everybody sees, no club changes: most matches cost nothing here.
    if state.terms is None or state.terms.visibility != "private":
        return found
    application = parts.application
    club = await application.clubs.has_at(match, found.person)
    # Only matches that are over are brought from elsewhere.
    may_have = bool(found.person) and not found.is_program and state.lifecycle.phase in OVER
    has_imported = may_have and await application.imported.has_brought(found.person, match)
    return replace(found, club=club, has_imported=has_imported)


async def require_in_club(request: Http, person: str) -> None:
    """Make sure that a person is in the club that a request is about. What they may do there, the club decides.

    Raises:
        NoSuchClub: They are not, and need not know whether there is one.
    """
    club = await parts_of(request).application.clubs.of(club_id(request))
    if club is None or club.member(person) is None:
        raise NoSuchClub

"""Choosing a club for a new table: what `/new` needs to know of it."""

from collections.abc import Mapping, Sequence
from typing import Any

from api.pages.clubs.rows import member_rows
from api.pages.visits import Visit
from api.requests.clubs import club_for, is_club_id
from api.requests.kept_seats import invitations_for
from services.errors import NoSuchClub
from services.people.clubs.changes import member_of, require
from services.people.clubs.club import Club
from services.people.clubs.roles import may


async def clubs_to_choose(visit: Visit) -> list[Club]:
    """Return the clubs for which the reader may make tables."""
    person = await visit.person()
    clubs = await visit.parts.application.clubs.of_person(person)
    return [club for club in clubs if may(club.role(person), "make_tables")]


async def with_club(visit: Visit, chosen: Mapping[str, Any], club: str) -> dict[str, Any]:
    """Return what a form is filled with, and the clubs to choose among; of a chosen one, what its tables take."""
    clubs = await clubs_to_choose(visit)
    found = next((one for one in clubs if one.id == club), None)
    known = {**chosen, "clubs": [(one.id, one.name) for one in clubs], "club": "", "others": []}
    if found is None:
        return known
    known["others"] = [(one.id, one.name) for one in await member_rows(visit, found) if not one.is_reader]
    defaults = found.defaults
    taken = {
        "clock": str(defaults.clock),
        "undo": defaults.undo,
        "visibility": defaults.visibility,
        "options": {
            name: str(value) for name, value in defaults.options.get(str(chosen["game"]), {}).items()
        },
    }
    return {**taken, **known, "club": found.id}


async def kept_seats(
    visit: Visit, club: str, members: Sequence[str], match: str, first: int
) -> dict[int, str]:
    """Return by seat the invitations of members for whom seats are kept, from one seat on.

    Raises:
        NoSuchClub: The reader is not in the club, or somebody named is not.
    """
    if not club or not members:
        return {}
    found = await club_for(visit.parts, club, await visit.person())
    persons = [member_of(found, one).person for one in dict.fromkeys(members)]
    return dict(enumerate(await invitations_for(visit.parts, match, persons), first))


async def club_of_match(visit: Visit, match: str) -> str:
    """Return the club whose table a match is; empty if it is no club's."""
    return await visit.parts.application.clubs.tables.club_of(match)


async def require_club(visit: Visit, club: str) -> None:
    """Refuse a table to somebody who may not make it for a club.

    Raises:
        NoSuchClub: They are not in the club.
        ClubRoleNeeded: Their role does not allow it.
        Refused: The club has too many tables.
    """
    if not is_club_id(club):
        raise NoSuchClub
    person = await visit.person()
    require(await club_for(visit.parts, club, person), person, "make_tables")
    await visit.parts.application.clubs.tables.require_room(club)

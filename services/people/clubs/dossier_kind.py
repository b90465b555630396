"""The clubs in a person's dossier."""

from typing import Any, Final

from services.people.clubs.clubs import Clubs
from services.people.dossiers import Whom


class PlacesInClubs:
    """In which clubs they are."""

    name: Final = "clubs"

    def __init__(self, clubs: Clubs) -> None:
        self._clubs = clubs

    async def shown(self, whom: Whom) -> Any:
        """Return the clubs with their role there."""
        found = [(club, club.member(whom.person)) for club in await self._clubs.of_person(whom.person)]
        return [
            {"club": club.id, "name": club.name, "role": member.role, "since": member.since}
            for club, member in found
            if member is not None
        ]

    async def move(self, whom: Whom, to: str) -> None:
        """Let their places be the other person's."""
        await self._clubs.move(whom.person, to)

    async def erase(self, whom: Whom) -> None:
        """Take them out of their clubs; one that they leave empty is closed."""
        await self._clubs.erase(whom.person)

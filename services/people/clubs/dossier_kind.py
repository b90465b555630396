"""The clubs and leagues in a person's dossier."""

from typing import Any, Final

from services.people.clubs.clubs import Clubs
from services.people.clubs.leagues import Leagues
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


class PlacesInLeagues:
    """In which leagues they take part, or were asked to."""

    name: Final = "leagues"

    def __init__(self, leagues: Leagues) -> None:
        self._leagues = leagues

    async def shown(self, whom: Whom) -> Any:
        """Return the leagues, and since when they take part."""
        found = [
            (league, league.number_of(whom.person)) for league in await self._leagues.of_person(whom.person)
        ]
        return [
            {
                "league": league.id,
                "club": league.club,
                "name": league.name,
                "since": None if number is None else league.entrants[number].since,
                "left": None if number is None else league.entrants[number].left or None,
                "asked": whom.person in league.invited,
                "made": league.maker == whom.person,
            }
            for league, number in found
        ]

    async def move(self, whom: Whom, to: str) -> None:
        """Let their places be the other person's."""
        await self._leagues.replace_person(whom.person, to)

    async def erase(self, whom: Whom) -> None:
        """Let their places be nobody's: what they played counts on for the others, without a name."""
        await self._leagues.replace_person(whom.person, "")

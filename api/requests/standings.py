"""Which standings are asked for, and who is in them."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from api.answering.standings import Called
from api.parts import Http, Parts
from api.requests.queries import query
from domain.errors import Malformed
from domain.games.registry import CURRENT
from services.bootstrap import present_instant
from services.people.clubs.club import Club
from services.people.clubs.member_names import member_names
from services.standings.results import Result
from services.standings.seasons import EVER, LENGTHS, Length, in_season, season_at, seasons_of
from services.standings.table import Standing, standings
from services.words.phrases import phrase, words_in

_FORMER: Final = phrase("Former member {number}")


class StandingsAsked(msgspec.Struct, frozen=True):
    """Standings of a club.

    Attributes:
        game: The game.
        length: How long seasons are.
        season: The season.
        seasons: Those that have results, the newest first.
        results: The results of the game in the season.
    """

    game: str
    length: Length
    season: str
    seasons: tuple[str, ...]
    results: tuple[Result, ...]

    @property
    def file_name(self) -> str:
        """What a file of these standings is called; of the season only what a file's name may have."""
        return f"{self.game}-{''.join(letter for letter in self.season if letter.isalnum() or letter == '-')[:20]}"


async def standings_asked(request: Http, parts: Parts, club: Club) -> StandingsAsked:
    """Return the standings that a request asks for: of the game that was played last, of this year, if it says nothing.

    Raises:
        Malformed: There is no such game or length.
        StoreUnavailable: The store did not answer.
    """
    # Tables that have ended meanwhile become results by it.
    await parts.application.tables_of_clubs.open(club.id, present_instant())
    results = await parts.application.club_results.of(club.id)
    game = query(request, "game") or (results[-1].game if results else min(CURRENT))
    if game not in CURRENT:
        raise Malformed("query.malformed", f"`game` is one of: {', '.join(sorted(CURRENT))}.")
    given = query(request, "length") or "year"
    length = next((one for one in LENGTHS if one == given), None)
    if length is None:
        raise Malformed("query.malformed", f"`length` is one of: {', '.join(LENGTHS)}.")
    mine = [result for result in results if result.game == game]
    seasons = seasons_of(mine, length)
    season = query(request, "season") or (season_at(mine[-1].at, length) if mine else EVER)
    chosen = in_season(mine, season, length)
    return StandingsAsked(game, length, season, tuple(seasons), tuple(chosen))


async def standings_of(asked: StandingsAsked) -> list[Standing]:
    """Return the standings of some results; a thread counts them, so that nobody's move waits."""
    return await asyncio.to_thread(standings, asked.results)


async def called_in(parts: Parts, club: Club, persons: Iterable[str], language: str) -> dict[str, Called]:
    """Return how people are called in a club's standings, by person. Who has left is told by a number."""
    names = await member_names(parts.application.persons, club, language)
    found = {member.person: Called(member.id, names[member.id]) for member in club.members}
    former: Sequence[str] = sorted({person for person in persons if person not in found})
    words = words_in(language)
    return found | {
        person: Called("", words.say(_FORMER, number=number)) for number, person in enumerate(former, 1)
    }

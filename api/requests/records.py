"""Which records of a club are asked for."""

import asyncio
from collections.abc import Sequence
from itertools import groupby

import msgspec

from api.answering.records import RecordShown
from api.parts import Http, Parts
from api.requests.queries import query
from api.requests.standings import called_in
from domain.errors import Malformed
from domain.games.registry import CURRENT
from domain.instants import instant_from_milliseconds
from services.bootstrap import present_instant
from services.people.clubs.club import Club
from services.standings.records import Record, records
from services.words.records import record_name, record_value


class RecordsAsked(msgspec.Struct, frozen=True):
    """The records of a club in one game.

    Attributes:
        games: The games of which the club has results.
    """

    game: str
    games: tuple[str, ...]
    records: tuple[RecordShown, ...]

    @property
    def podiums(self) -> list[tuple[str, list[RecordShown]]]:
        """The records by what they are of, with its title."""
        groups = groupby(self.records, key=lambda one: one.title)
        return [(title, list(some)) for title, some in groups]


async def records_asked(request: Http, parts: Parts, club: Club, language: str) -> RecordsAsked:
    """Return the records that a request asks for; of the game with the newest result if it says nothing.

    Raises:
        Malformed: There is no such game.
        StoreUnavailable: The store did not answer.
    """
    application = parts.application
    # Tables that have ended meanwhile become results by it.
    await application.tables_of_clubs.open(club.id, present_instant())
    rows = await application.club_results.rows(club.id)
    newest = max(rows.values(), key=lambda row: row.changed_at, default=None)
    game = query(request, "game") or (newest.game if newest else min(CURRENT))
    if game not in CURRENT:
        raise Malformed("query.malformed", f"`game` is one of: {', '.join(sorted(CURRENT))}.")
    mine = {match: row for match, row in rows.items() if row.game == game}
    persons = await application.club_results.persons(mine)
    found = await asyncio.to_thread(records, mine, persons, CURRENT[game].questions)
    shown = await _shown(parts, club, game, found, language)
    return RecordsAsked(game, tuple(sorted({row.game for row in rows.values()})), shown)


async def _shown(
    parts: Parts, club: Club, game: str, found: Sequence[Record], language: str
) -> tuple[RecordShown, ...]:
    called = await called_in(parts, club, [one.person for one in found if one.person], language)
    return tuple(
        RecordShown(
            one.name,
            record_name(game, one.name, language),
            one.rank,
            one.value,
            record_value(one.name, one.value, language),
            called[one.person].member if one.person else "",
            called[one.person].name if one.person else "",
            one.match,
            one.version or None,
            instant_from_milliseconds(one.at),
        )
        for one in found
    )

"""The tables of leagues at the log: they are made with seats kept, looked at, and ended.

Everything here may break off anywhere and be done again, by any number of processes at once: a table's match has the
same id whoever makes it, and what is done at one is done at the version at which it was seen.
"""

import secrets
from collections.abc import Callable
from typing import Final

import structlog
from msgspec.structs import replace

from domain.canonical import digest
from domain.errors import BrokenLog, Refused
from domain.instants import Instant
from domain.match.clock import NOT_ASKED
from domain.match.command_handler import CommandMetadata
from domain.match.commands import AbandonMatch, Command, KeepTable
from domain.match.fold import Position
from domain.match.state import OVER
from services.errors import MatchClosed, NoSuchMatch, StaleVersion
from services.matches.reader import MatchReader
from services.matches.service import CLOCK, MatchService, Submission
from services.people.clubs.clubs import Clubs
from services.people.clubs.league import League, LeagueTable
from services.people.identity import Identity, Issued
from services.people.memberships import Memberships
from services.standings.leagues import changes
from services.standings.leagues.terms import table_command

NOBODY_CAME: Final = "nobody_came"
"""The reason for which a table of a league ends when its round does."""

LEFT: Final = "left_league"
"""The reason for which one ends when somebody has left the league before it began."""

ENDED: Final = "league_settled"
"""The reason for which one ends because somebody who runs the league wants so."""

_ATTEMPTS: Final = 5

_log = structlog.get_logger(__name__)


class LeagueTables:
    """Makes tables, and says what became of them. Methods may raise ``StoreUnavailable`` and ``OutcomeUnknown``."""

    def __init__(
        self,
        clubs: Clubs,
        identity: Identity,
        memberships: Memberships,
        reader: MatchReader,
        service: MatchService,
        now: Callable[[], Instant],
    ) -> None:
        self._clubs = clubs
        self._identity = identity
        self._memberships = memberships
        self._reader = reader
        self._service = service
        self._now = now

    async def end(self, table: LeagueTable) -> LeagueTable:
        """End a table without a result; return what it is from then on."""
        position = await self.position(table.match)
        for attempt in range(_ATTEMPTS):
            if position is None or position.state.lifecycle.phase in OVER:
                break
            try:
                await self._do(position, AbandonMatch(ENDED), "end")
            except StaleVersion:
                # People play on meanwhile: whoever runs the league has seen enough.
                if attempt == _ATTEMPTS - 1:
                    raise
            position = await self.position(table.match)
        return replace(table, is_over=True, came=None if _has_begun(position) else ())

    async def looked_at(self, league: League, number: int, which: int, table: LeagueTable) -> LeagueTable:
        """Return what becomes of a table that was not over."""
        try:
            position = await self.position(table.match)
        except (BrokenLog, MatchClosed) as error:
            # One log that cannot be read must not stop the other tables.
            _log.warning("league_table_unreadable", league=league.id, match=table.match)
            # Events leave the store long after a match is over.
            return replace(table, is_over=isinstance(error, MatchClosed))
        if position is None:
            await self.make(league, table)
            return table
        if _has_begun(position):
            return replace(table, is_over=True) if position.state.lifecycle.phase in OVER else table
        is_late = self._now() >= max(league.rounds[number].ends, table.until)
        if not await self._closed(league, table, position, is_late=is_late):
            return table
        if is_late:
            return replace(table, is_over=True, came=_came(table, position))
        return changes.made_anew(league, number, which, table, self.naming(league))

    async def _closed(self, league: League, table: LeagueTable, position: Position, *, is_late: bool) -> bool:
        """End a table that cannot begin any more, or not as it is; tell whether it is over."""
        if position.state.lifecycle.phase in OVER:
            return True
        if not is_late and self._fits(league, table, position):
            await self._keep(position)
            return False
        try:
            await self._do(position, AbandonMatch(NOBODY_CAME if is_late else LEFT), "end")
        except (Refused, StaleVersion, MatchClosed):
            # Somebody came at this very moment: look again later.
            return False
        return True

    async def _keep(self, position: Position) -> None:
        """Let a table wait on: a round has days, and tables that nobody visits close after one."""
        if position.state.expires != NOT_ASKED:
            try:
                await self._do(position, KeepTable(), f"keep-{position.version}")
            except (Refused, StaleVersion, MatchClosed):
                return

    async def make(self, league: League, table: LeagueTable) -> None:
        """Make a table with its seats kept; the same one once."""
        match, persons = table.match, [league.entrants[one].person for one in table.seats]
        kept = [self._identity.kept_for(match, person) for person in persons]
        issued = self._issued(league, match)
        for person, invitation in zip(persons, kept, strict=True):
            # The log has the invitation alone, which leads to nobody without this.
            await self._memberships.offer(person, match, invitation)
        await self._clubs.tables.record(league.club, match, self._now())
        command = table_command(league.terms, issued.player, kept, secrets.token_hex(32))
        said = digest({"kind": "league table", "match": match, "seats": kept})
        metadata = CommandMetadata(issued.player, CLOCK, issued.command_id)
        try:
            await self._service.execute(Submission(match, command, metadata, said))
        except (Refused, MatchClosed) as refusal:
            # Such as a game that was taken out: the others' tables are made nevertheless.
            _log.warning("league_table_refused", league=league.id, match=match, code=refusal.code)

    async def end_unbegun(self, table: LeagueTable, reason: str) -> None:
        """End a table unless it has begun or is over."""
        position = await self.position(table.match)
        if position is None or _has_begun(position) or position.state.lifecycle.phase in OVER:
            return
        try:
            await self._do(position, AbandonMatch(reason), "end")
        except (Refused, StaleVersion, MatchClosed):
            return

    async def _do(self, position: Position, command: Command, name: str) -> None:
        """Act as a table's host, if the table is still as it was seen."""
        terms = position.state.terms
        host = terms.host if terms is not None else ""
        said = digest({"kind": type(command).__name__, "match": position.match})
        metadata = CommandMetadata(host, CLOCK, f"league-{name}")
        await self._service.execute(
            Submission(position.match, command, metadata, said, if_match=position.version)
        )

    async def position(self, match: str) -> Position | None:
        """Return a match at its head; None if it was not made yet."""
        try:
            return await self._reader.head(match)
        except NoSuchMatch:
            return None

    def _fits(self, league: League, table: LeagueTable, position: Position) -> bool:
        """Tell whether everybody whose seat is kept still takes part, and is who they were."""
        return all(
            league.entrants[one].plays
            and (
                seat.player or seat.kept == self._identity.kept_for(table.match, league.entrants[one].person)
            )
            # Bots come after the people.
            for one, seat in zip(table.seats, position.state.seats, strict=False)
        )

    def _issued(self, league: League, match: str) -> Issued:
        number, which, table = changes.place_of(league, match)
        return self._identity.for_league_table(league.id, number, which, table.attempt)

    def naming(self, league: League) -> changes.Naming:
        """Return what names the matches of a league."""
        return lambda number, which, attempt: (
            self._identity.for_league_table(league.id, number, which, attempt).match
        )


def _has_begun(position: Position | None) -> bool:
    return position is not None and position.state.game is not None


def _came(table: LeagueTable, position: Position) -> tuple[int, ...]:
    """Return who sat there and was ready when it was closed."""
    seats = zip(table.seats, position.state.seats, strict=False)
    return tuple(one for one, seat in seats if seat.player and seat.ready)

"""Running leagues: rounds open, their tables are made with seats kept, watched, and settled.

Everything here may break off anywhere and be done again, by any number of processes at once: the league's record says
first what there shall be, and a table's match has the same id whoever makes it.
"""

import asyncio
import secrets
from collections.abc import Callable
from typing import Final

import structlog
from msgspec.structs import replace

from domain.canonical import digest
from domain.errors import BrokenLog, Refused
from domain.instants import EARLIEST, Instant, after
from domain.match.clock import NOT_ASKED
from domain.match.command_handler import CommandMetadata
from domain.match.commands import AbandonMatch, Command, KeepTable
from domain.match.fold import Position
from domain.match.state import OVER
from services.errors import (
    MatchClosed,
    NoSuchLeague,
    NoSuchMatch,
    OutcomeUnknown,
    StaleVersion,
    StoreUnavailable,
)
from services.matches.reader import MatchReader
from services.matches.service import CLOCK, MatchService, Submission
from services.people.clubs.clubs import Clubs
from services.people.clubs.league import League, LeagueTable
from services.people.identity import Identity, Issued
from services.people.memberships import Memberships
from services.standings.leagues import changes
from services.standings.leagues.terms import smallest_table, table_command

LOOK_SECONDS: Final = 30
"""How often somebody looks at a league whose tables wait or are played."""

SELDOM_SECONDS: Final = 24 * 3600
"""How often somebody looks at any other league: its club may have closed."""

NOBODY_CAME: Final = "nobody_came"
"""The reason for which a table of a league ends when its round does."""

LEFT: Final = "left_league"
"""The reason for which one ends when somebody has left the league before it began."""

ENDED: Final = "league_settled"
"""The reason for which one ends because somebody who runs the league wants so."""

_log = structlog.get_logger(__name__)


class LeagueRunner:
    """Runs leagues. Methods may raise ``StoreUnavailable`` and ``OutcomeUnknown``."""

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
        self._leagues = clubs.leagues
        self._identity = identity
        self._memberships = memberships
        self._reader = reader
        self._service = service
        self._now = now

    async def step(self, most: int) -> int:
        """Look at some leagues whose time has come; return how many there were."""
        due = await self._leagues.due(self._now(), most)
        for league in due:
            try:
                await self.look(league)
            except (StoreUnavailable, OutcomeUnknown):
                raise
            except Exception:  # noqa: BLE001
                # One league that cannot be read must not keep the others from going on.
                _log.exception("league_failed", league=league)
                await self._leagues.look_again(league, after(self._now(), LOOK_SECONDS))
        return len(due)

    async def look(self, league_id: str) -> League | None:
        """Do all that is to be done in a league now; return it, or None if there is none any more."""
        found = await self._leagues.of(league_id)
        club = None if found is None else await self._clubs.of(found.club)
        if found is None or club is None:
            await self._leagues.look_again(league_id, None)
            return None
        members = {one.person for one in club.members}
        try:
            league = await self._changed(found, lambda one: changes.reconciled(one, members, self._now()))
            if league.state == "gathering":
                league = await self._gathering(league)
            if league.state == "running":
                league = await self._running(league)
        except NoSuchLeague:
            return None
        await self._leagues.look_again(league_id, self._next(league))
        return league

    async def begin(self, league: League) -> League:
        """Begin a league, and open its first round.

        Raises:
            Refused: It has begun, or too few take part.
        """
        # Large schedules take a second: a thread makes them, so that nobody's move waits.
        begun = await asyncio.to_thread(changes.begun, league, self._now())

        def step(present: League) -> League:
            return begun if present == league else changes.begun(present, self._now())

        await self._leagues.change(league.id, step)
        return await self.look(league.id) or begun

    async def call_off(self, league: League) -> League:
        """End a league early; its tables that have not begun are ended, those in play are played on.

        Raises:
            Refused: It is over.
        """
        ended = await self._leagues.change(league.id, lambda one: changes.called_off(one, self._now()))
        for table in ended.tables().values():
            if not table.is_over:
                await self._end_unbegun(table, ENDED)
        await self._leagues.look_again(league.id, None)
        return ended

    async def end_table(self, league: League, match: str) -> League:
        """End a table without a result.

        Raises:
            Refused: The league has no such table, or it is over.
        """
        _, __, table = changes.place_of(league, match)
        if table.is_over or league.is_over:
            raise Refused("league.table_over", "tables")
        position = await self._position(match)
        if position is not None and position.state.lifecycle.phase not in OVER:
            await self._do(position, AbandonMatch(ENDED), "end")
        over = replace(table, is_over=True, came=None if _has_begun(position) else ())
        return await self._settled(league, {match: over})

    async def again(self, league: League, match: str) -> League:
        """Have a table played again that ended without a result.

        Raises:
            Refused: The league has no such table, it goes on, or it has a result.
        """
        _, __, table = changes.place_of(league, match)
        position = await self._position(match)
        if position is not None and position.state.lifecycle.phase == "finished":
            raise Refused("league.table_has_result", "tables")
        if table.came:
            raise Refused("league.table_has_result", "tables")
        name = self._naming(league)
        await self._leagues.change(league.id, lambda one: changes.again(one, match, name, self._now()))
        return await self.look(league.id) or league

    async def _gathering(self, league: League) -> League:
        starts = league.terms.starts
        if starts == EARLIEST or self._now() < starts:
            return league
        if len(league.playing) < smallest_table(league.terms.game):
            return league
        begun = await asyncio.to_thread(changes.begun, league, self._now())

        def step(present: League) -> League:
            # Somebody may have begun it, or signed up, at this moment.
            return begun if present == league else present

        return await self._leagues.change(league.id, step)

    async def _running(self, league: League) -> League:
        number = 0
        while number < len(league.rounds):
            if not league.rounds[number].is_open:
                if not self._opens(league, number):
                    break
                league = await self._opened(league, number)
            league = await self._watch(league, number)
            number += 1
        return await self._changed(league, lambda one: changes.finished(one, self._now()))

    async def _opened(self, league: League, number: int) -> League:
        name = self._naming(league)
        return await self._changed(league, lambda one: changes.opened(one, number, name, self._now()))

    def _opens(self, league: League, number: int) -> bool:
        before = league.rounds[:number]
        if not all(one.is_open for one in before):
            return False
        if league.rounds[number].opens <= self._now():
            return True
        return not league.terms.waits and all(one.is_over for one in before)

    async def _watch(self, league: League, number: int) -> League:
        """Make the tables of a round that are missing, and settle those that are over."""
        if number >= len(league.rounds) or not league.rounds[number].is_open:
            return league
        played, found = league.rounds[number], dict[str, LeagueTable]()
        for which, table in enumerate(played.tables):
            if not table.is_over:
                found[table.match] = await self._looked_at(league, number, which, table)
        changed = {match: table for match, table in found.items() if table.match != match or table.is_over}
        league = await self._settled(league, changed) if changed else league
        for table in league.rounds[number].tables:
            if table.match and table.match not in found and not table.is_over:
                await self._make(league, table)
        return league

    async def _looked_at(self, league: League, number: int, which: int, table: LeagueTable) -> LeagueTable:
        """Return what becomes of a table that was not over."""
        try:
            position = await self._position(table.match)
        except (BrokenLog, MatchClosed):
            # One log that cannot be read must not stop the other tables.
            _log.warning("league_table_unreadable", league=league.id, match=table.match)
            return table
        if position is None:
            await self._make(league, table)
            return table
        phase = position.state.lifecycle.phase
        if _has_begun(position):
            return replace(table, is_over=True) if phase in OVER else table
        until = max(league.rounds[number].ends, table.until)
        is_late, fits = self._now() >= until, self._fits(league, table, position)
        if phase not in OVER:
            if fits and not is_late:
                await self._keep(position)
                return table
            try:
                await self._do(position, AbandonMatch(NOBODY_CAME if is_late else LEFT), "end")
            except (Refused, StaleVersion, MatchClosed):
                # Somebody came at this very moment: look again later.
                return table
        if is_late:
            came = tuple(
                one
                for one, seat in zip(table.seats, position.state.seats, strict=True)
                if seat.player and seat.ready
            )
            return replace(table, is_over=True, came=came)
        return changes.made_anew(league, number, which, table, self._naming(league))

    def _fits(self, league: League, table: LeagueTable, position: Position) -> bool:
        """Tell whether everybody whose seat is kept still takes part, and is who they were."""
        return all(
            league.entrants[one].plays
            and (
                seat.player or seat.kept == self._identity.kept_for(table.match, league.entrants[one].person)
            )
            for one, seat in zip(table.seats, position.state.seats, strict=True)
        )

    async def _keep(self, position: Position) -> None:
        """Let a table wait on: a round has days, and tables that nobody visits close after one."""
        if position.state.expires != NOT_ASKED:
            try:
                await self._do(position, KeepTable(), f"keep-{position.version}")
            except (Refused, StaleVersion, MatchClosed):
                return

    async def _make(self, league: League, table: LeagueTable) -> None:
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

    async def _end_unbegun(self, table: LeagueTable, reason: str) -> None:
        position = await self._position(table.match)
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

    async def _position(self, match: str) -> Position | None:
        try:
            return await self._reader.head(match)
        except NoSuchMatch:
            return None

    async def _settled(self, league: League, tables: dict[str, LeagueTable]) -> League:
        return await self._changed(league, lambda one: changes.settled(one, tables))

    async def _changed(self, league: League, step: Callable[[League], League]) -> League:
        return league if step(league) == league else await self._leagues.change(league.id, step)

    def _naming(self, league: League) -> changes.Naming:
        return lambda number, which, attempt: (
            self._identity.for_league_table(league.id, number, which, attempt).match
        )

    def _issued(self, league: League, match: str) -> Issued:
        number, which, table = changes.place_of(league, match)
        return self._identity.for_league_table(league.id, number, which, table.attempt)

    def _next(self, league: League) -> Instant | None:
        """Return when somebody should look at a league next."""
        if league.is_over:
            return None
        soon = after(self._now(), LOOK_SECONDS)
        if league.state == "running" and any(one.is_open and not one.is_over for one in league.rounds):
            return soon
        planned = [one.opens for one in league.rounds if not one.is_open]
        if league.state == "gathering" and league.terms.starts != EARLIEST:
            planned.append(league.terms.starts)
        return max(soon, min([*planned, after(self._now(), SELDOM_SECONDS)]))


def _has_begun(position: Position | None) -> bool:
    return position is not None and position.state.game is not None

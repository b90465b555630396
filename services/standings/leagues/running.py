"""Running leagues: rounds open, their tables are made with seats kept, watched, and settled.

Everything here may break off anywhere and be done again, by any number of processes at once: the league's record says
first what there shall be, and a table's match has the same id whoever makes it.
"""

import asyncio
from collections.abc import Callable
from typing import Final

import structlog

from domain.errors import Refused
from domain.instants import EARLIEST, Instant, after
from services.errors import NoSuchLeague, OutcomeUnknown, StoreUnavailable
from services.people.clubs.clubs import Clubs
from services.people.clubs.league import League, LeagueTable
from services.standings.leagues import changes
from services.standings.leagues.tables import ENDED, LeagueTables
from services.standings.leagues.terms import smallest_table

LOOK_SECONDS: Final = 30
"""How often somebody looks at a league whose tables wait or are played."""

SELDOM_SECONDS: Final = 24 * 3600
"""How often somebody looks at any other league: its club may have closed."""

_log = structlog.get_logger(__name__)


class LeagueRunner:
    """Runs leagues. Methods may raise ``StoreUnavailable`` and ``OutcomeUnknown``."""

    def __init__(self, clubs: Clubs, tables: LeagueTables, now: Callable[[], Instant]) -> None:
        self._clubs = clubs
        self._leagues = clubs.leagues
        self._tables = tables
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
            league = await self._scheduled(found, lambda one: changes.reconciled(one, members, self._now()))
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
        begun = await self._scheduled(league, lambda one: changes.begun(one, self._now()))
        return await self.look(league.id) or begun

    async def withdraw(self, league: League, person: str) -> League:
        """Take somebody out; tables at which they were to sit are made anew without them.

        Raises:
            Refused: The league is over.
            NoSuchMember: They do not take part.
        """
        without = await self._scheduled(league, lambda one: changes.withdrawn(one, person, self._now()))
        return await self.look(league.id) or without

    async def call_off(self, league: League) -> League:
        """End a league early; its tables that have not begun are ended, those in play are played on.

        Raises:
            Refused: It is over.
        """
        ended = await self._leagues.change(league.id, lambda one: changes.called_off(one, self._now()))
        for table in ended.tables().values():
            if not table.is_over:
                await self._tables.end_unbegun(table, ENDED)
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
        return await self._settled(league, {match: await self._tables.end(table)})

    async def again(self, league: League, match: str) -> League:
        """Have a table played again that ended without a result.

        Raises:
            Refused: The league has no such table, it goes on, or it has a result.
        """
        _, __, table = changes.place_of(league, match)
        position = await self._tables.position(match)
        is_finished = position is not None and position.state.lifecycle.phase == "finished"
        if is_finished or table.came:
            raise Refused("league.table_has_result", "tables")
        name = self._tables.naming(league)
        await self._leagues.change(league.id, lambda one: changes.again(one, match, name, self._now()))
        return await self.look(league.id) or league

    async def _gathering(self, league: League) -> League:
        starts = league.terms.starts
        if starts == EARLIEST or self._now() < starts:
            return league
        if len(league.playing) < smallest_table(league.terms):
            return league
        try:
            return await self._scheduled(league, lambda one: changes.begun(one, self._now()))
        except Refused:
            # Somebody has begun it, or left, at this moment: look again later.
            return league

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
        name = self._tables.naming(league)
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
                found[table.match] = await self._tables.looked_at(league, number, which, table)
        changed = {match: table for match, table in found.items() if table.match != match or table.is_over}
        league = await self._settled(league, changed) if changed else league
        for table in league.rounds[number].tables:
            if table.match and table.match not in found and not table.is_over:
                await self._tables.make(league, table)
        return league

    async def _settled(self, league: League, tables: dict[str, LeagueTable]) -> League:
        return await self._changed(league, lambda one: changes.settled(one, tables))

    async def _scheduled(self, league: League, step: Callable[[League], League]) -> League:
        """Change a league in a way that may make its schedule anew."""
        # Large schedules take seconds: a thread makes them, so that nobody's move waits.
        changed = await asyncio.to_thread(step, league)
        if changed == league:
            return league
        return await self._leagues.change(league.id, lambda one: changed if one == league else step(one))

    async def _changed(self, league: League, step: Callable[[League], League]) -> League:
        return league if step(league) == league else await self._leagues.change(league.id, step)

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

"""A club with a league over a service in memory, with a clock that moves only when told to."""

from collections.abc import Iterable
from random import Random
from typing import Final

from fakeredis import FakeAsyncRedis
from msgspec.structs import replace

from domain.canonical import digest
from domain.match.command_handler import CommandMetadata
from domain.match.commands import Command, PlayMove, ResignSeat, TakeSeat
from domain.match.evolve import game_of, seats_to_act
from domain.match.fold import Position
from services.matches.reader import MatchReader
from services.matches.service import MatchService, Submission
from services.people.clubs.changes import begun
from services.people.clubs.club import Member
from services.people.clubs.clubs import Clubs
from services.people.clubs.league import League, LeagueTable, LeagueTerms
from services.people.identity import Identity
from services.people.memberships import Memberships
from services.projections.matches import KeptRow, read_row, row_of
from services.standings.leagues import changes
from services.standings.leagues.running import LeagueRunner
from services.standings.leagues.tables import LeagueTables
from tests.kit.instants import NOON, FakeClock
from tests.kit.memory_store import MemoryEventStore

A_DAY: Final = 24 * 3600


class LeagueHouse:
    """A club whose members are called ``p0``, ``p1`` and so on, with a league of theirs. Their host is ``p0``."""

    def __init__(self, client: FakeAsyncRedis, people: int) -> None:
        self.people = [f"p{number}" for number in range(people)]
        self.clock, self.store = FakeClock(), MemoryEventStore()
        self.clubs, self.memberships = Clubs(client), Memberships(client)
        self.identity = Identity(b"s" * 32, client)
        self.runner = self.another()
        self.league = ""

    def another(self) -> LeagueRunner:
        """Return a runner as another process has it, with a memory of its own."""
        self.reader = MatchReader(self.store)
        self.service = MatchService(self.store, self.reader, self.clock)
        tables = LeagueTables(
            self.clubs, self.identity, self.memberships, self.reader, self.service, self.clock
        )
        return LeagueRunner(self.clubs, tables, self.clock)

    async def gather(self, terms: LeagueTerms) -> League:
        """Make the club and a league for which everybody has signed up."""
        members = tuple(
            Member(f"n-{one}", one, "member" if number else "host", NOON)
            for number, one in enumerate(self.people)
        )
        founded = begun("c1", "Thursday", NOON, members[0])
        club = await self.clubs.create(replace(founded, members=members), NOON)
        made = changes.made("l1", club, "p0", "Winter", terms, self.clock())
        self.league = (await self.clubs.leagues.create(made)).id
        for one in self.people:
            await self._sign_up(one)
        return await self.present()

    async def _sign_up(self, person: str) -> None:
        await self.clubs.leagues.change(
            self.league, lambda present: changes.signed_up(present, person, self.clock())
        )

    async def present(self) -> League:
        """Return the league as it is kept."""
        found = await self.clubs.leagues.of(self.league)
        assert found is not None
        return found

    async def look(self) -> League:
        """Look at the league once."""
        found = await self.runner.look(self.league)
        assert found is not None
        return found

    async def open_tables(self) -> list[LeagueTable]:
        """Return the tables that are to be played now."""
        league = await self.present()
        return [table for table in league.tables().values() if not table.is_over]

    async def sit(self, table: LeagueTable, who: Iterable[int] | None = None) -> None:
        """Let those whose seats are kept sit down, ready; when the last one does, the match begins."""
        for number in table.seats if who is None else who:
            person = (await self.present()).entrants[number].person
            invitation = self.identity.kept_for(table.match, person)
            player = f"{person}-at-{table.match}"
            await self.do(table.match, TakeSeat(player, ready=True, invitation=invitation), player)

    async def play(self, table: LeagueTable, random: Random, resigning: int | None = None) -> Position:
        """Play a match to its end with random moves; somebody may give up at once."""
        position = await self.reader.head(table.match)
        if resigning is not None:
            await self.do(table.match, ResignSeat(resigning), position.state.seats[resigning].player)
        while (position := await self.reader.head(table.match)).state.lifecycle.phase == "playing":
            state = position.state
            seat = random.choice(seats_to_act(state))
            assert state.terms is not None
            assert state.game is not None
            game = game_of(state.terms)
            legal = game.legal_moves(state.game, seat)
            assert legal is not None
            move = random.choice(list(game.expand(legal)))
            await self.do(table.match, PlayMove(seat, move), state.seats[seat].player)
        return position

    async def do(self, match: str, command: Command, actor: str) -> None:
        """Send a command."""
        said = digest([repr(command)])
        version = (await self.reader.head(match)).version
        await self.service.execute(
            Submission(match, command, CommandMetadata(actor, "api", f"k{version}"), said)
        )

    async def rows(self) -> dict[str, KeptRow]:
        """Return the rows of all matches, made anew from their logs."""
        fresh = MatchReader(self.store)
        found = {}
        async for match in self.store.matches():
            found[match] = read_row(row_of(await fresh.head(match), NOON))
        return found

"""A whole service in memory: store, reader, match service, bots, and a clock that moves only when told to."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from itertools import count
from typing import Self

import msgspec
from fakeredis import FakeAsyncRedis

from domain.canonical import digest
from domain.entries import StoredEntry
from domain.games.contract import AnyGame, GameState, Move
from domain.match.clock import ClockTerms
from domain.match.command_handler import CommandMetadata
from domain.match.commands import BeReady, Command, CreateMatch, PlayMove, SeatPlan, StartMatch, TakeSeat
from domain.match.evolve import game_of, seats_to_act
from domain.match.fold import Position
from services.errors import OutcomeUnknown, StoreUnavailable
from services.log.event_store.contract import Answer, Append, Conflict, Pointer
from services.matches.bots import BotPlayer
from services.matches.reader import MatchReader
from services.matches.service import MatchService, Outcome, Submission
from services.people.identity import Identity
from tests.kit.instants import FakeClock
from tests.kit.memory_store import MemoryEventStore
from tests.kit.table import SEED

_COMMANDS = count(1)


class TroubledStore(MemoryEventStore):
    """A store with which things go wrong when a test says so.

    Attributes:
        conflicts: How many appends still meet a conflict that nobody caused.
        lost_replies: How many appends are still carried out without an answer.
        away: Whether the store answers nothing at all.
    """

    conflicts = 0
    lost_replies = 0
    away = False

    async def append(self, append: Append) -> Answer:
        """Append, unless there is trouble."""
        self._check()
        if self.conflicts:
            self.conflicts -= 1
            return Conflict(append.expected_version, append.expected_head)
        answer = await super().append(append)
        if self.lost_replies:
            self.lost_replies -= 1
            raise OutcomeUnknown("the connection broke")
        return answer

    async def read(self, match: str, after: int = 0, last: int | None = None) -> list[StoredEntry]:
        """Read, unless the store is away."""
        self._check()
        return await super().read(match, after, last)

    async def feed(self, after: Mapping[int, int], count: int, block: float) -> list[Pointer]:
        """Follow the feed, unless the store is away."""
        self._check()
        return await super().feed(after, count, block)

    async def positions(self) -> dict[int, int]:
        """Return the feed's heads, unless the store is away."""
        self._check()
        return await super().positions()

    async def due(
        self, until: int, count: int, shards: Collection[int] | None = None
    ) -> list[tuple[str, int]]:
        """Return what is due, unless the store is away."""
        self._check()
        return await super().due(until, count, shards)

    async def scheduled(self, match: str) -> int | None:
        """Return a match's instant in the due index, unless the store is away."""
        self._check()
        return await super().scheduled(match)

    async def matches(self) -> AsyncIterator[str]:
        """Yield all matches, unless the store is away."""
        self._check()
        async for match in super().matches():
            yield match

    def _check(self) -> None:
        if self.away:
            raise StoreUnavailable("gone fishing")

    def go_back(self, match: str, version: int) -> None:
        """Lose the last events of a match, as after a restore from an old copy."""
        known = self._matches[match]
        del known.entries[version:]
        known.meta = msgspec.structs.replace(known.meta, version=version, head=known.entries[-1].h)
        known.commands.clear()


class House:
    """One process of the service, with its own memory; several may share a store."""

    def __init__(self, store: TroubledStore | None = None, clock: FakeClock | None = None) -> None:
        self.store = store or TroubledStore()
        self.clock = clock or FakeClock()
        self.reader = MatchReader(self.store)
        self.service = MatchService(self.store, self.reader, self.clock)
        self.bots = BotPlayer(self.service, self.reader, Identity(b"s" * 32, FakeAsyncRedis()))

    def beside(self) -> "House":
        """Return another process on the same store."""
        return House(self.store, self.clock)

    async def do(
        self,
        command: Command,
        *,
        match: str = "m1",
        actor: str = "",
        door: str = "api",
        id: str = "",  # noqa: A002 - that is what it is called
        if_match: int | None = None,
        fingerprint: str = "",
    ) -> Outcome:
        """Send a command, under a new id unless one is given."""
        seat = None if isinstance(command, TakeSeat) else getattr(command, "seat", None)
        who = actor or ("host" if seat is None else f"player-{seat}")
        metadata = CommandMetadata(who, door, id or f"k{next(_COMMANDS)}", trace="t1")
        return await self.service.execute(
            Submission(match, command, metadata, fingerprint or digest([repr(command)]), if_match)
        )

    async def begin(
        self,
        game: str = "lama",
        seats: int = 2,
        *,
        match: str = "m1",
        bots: int = 0,
        per_turn: int = 0,
        options: Mapping[str, str | int] | None = None,
        level: str = "steady",
    ) -> Self:
        """Make a table, seat everybody (bots on the last seats), and start."""
        plans = (SeatPlan(),) * (seats - bots) + (SeatPlan(level),) * bots
        terms = CreateMatch(game, dict(options or {}), plans, "host", SEED, ClockTerms(per_turn))
        await self.do(terms, match=match)
        for seat in range(seats - bots):
            await self.do(TakeSeat(f"player-{seat}", seat), match=match)
            await self.do(BeReady(seat), match=match)
        await self.do(StartMatch(), match=match)
        return self

    async def head(self, match: str = "m1") -> Position:
        """Return the match at its head."""
        return await self.reader.head(match)

    async def game(self, match: str = "m1") -> tuple[AnyGame, GameState]:
        """Return the rules and the present state of a match's game."""
        state = (await self.head(match)).state
        assert state.terms is not None
        assert state.game is not None
        return game_of(state.terms), state.game

    async def to_act(self, match: str = "m1") -> tuple[int, ...]:
        """Return the seats that owe a move."""
        return seats_to_act((await self.head(match)).state)

    async def legal(self, seat: int, match: str = "m1") -> Sequence[Move]:
        """Return the legal moves of a seat."""
        game, present = await self.game(match)
        legal = game.legal_moves(present, seat)
        assert legal is not None
        return tuple(game.expand(legal))

    async def move(
        self, seat: int | None = None, *, match: str = "m1", if_match: int | None = None
    ) -> Outcome:
        """Make the first legal move of a seat, or of the first one that owes a move."""
        mover = (await self.to_act(match))[0] if seat is None else seat
        return await self.do(
            PlayMove(mover, (await self.legal(mover, match))[0]), match=match, if_match=if_match
        )

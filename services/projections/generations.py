"""Which rows of a projection are read: the generation, whether it was halted, and the rebuild that is under way."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
import redis.asyncio

from domain.instants import Instant
from services.log.event_store.connections import Command
from services.log.event_store.keys import Keyspace
from services.log.redis_errors import available
from services.projections.contract import Projection
from services.projections.errors import AlreadyRebuilding, SetReplaced
from services.projections.keys import building_key, state_key
from services.projections.ledger import Ledger

LEASE_SECONDS: Final = 20
"""How long a rebuild may say nothing before another one may begin."""

_SWAP: Final = """
local building = redis.call('GET', KEYS[2])
if not building or cjson.decode(building).generation ~= tonumber(ARGV[1]) then
    return 0
end
redis.call('HSET', KEYS[1], 'current', ARGV[1])
redis.call('HDEL', KEYS[1], 'halted', 'wanted')
redis.call('DEL', KEYS[2])
return 1
"""


class Halt(msgspec.Struct, frozen=True):
    """Why a projection goes no further.

    Attributes:
        reason: What was found, for operators.
        since: When.
    """

    reason: str
    since: Instant


class Building(msgspec.Struct, frozen=True):
    """A rebuild that is under way.

    Attributes:
        generation: The number of the new set of rows.
        since: When it began.
        read: How many matches were read.
        of: How many there are; 0 while they are being counted.
    """

    generation: int
    since: Instant
    read: int = 0
    of: int = 0


class Standing(msgspec.Struct, frozen=True):
    """How a projection stands.

    Attributes:
        current: The generation that is read; None before the first was built.
        halted: Why it goes no further, if so.
        wanted: Whether somebody asked the running service to rebuild it.
        building: The rebuild that is under way.
    """

    current: int | None = None
    halted: Halt | None = None
    wanted: bool = False
    building: Building | None = None

    @property
    def readable(self) -> int | None:
        """The generation to read: before the first is complete, what there is of it."""
        if self.current is None and self.building is not None:
            return self.building.generation
        return self.current


def standing_commands(keyspace: Keyspace, projection: Projection) -> list[Command]:
    """Return what is to be asked to learn how a projection stands."""
    return [
        ("HMGET", state_key(keyspace, projection), "current", "halted", "wanted"),
        ("GET", building_key(keyspace, projection)),
    ]


def standing_of(answers: Sequence[Any]) -> Standing:
    """Read the answers to these."""
    (current, halted, wanted), building = answers
    return Standing(
        int(current) if current else None,
        msgspec.json.decode(halted, type=Halt) if halted else None,
        bool(wanted),
        msgspec.json.decode(building, type=Building) if building else None,
    )


class Generations:
    """Keeps how a projection stands. Every method may raise ``StoreUnavailable``."""

    def __init__(self, client: "redis.asyncio.Redis", ledger: Ledger) -> None:
        """Take a client of the log's server and the projection's rows."""
        self._client: Final = client
        self._state: Final = state_key(ledger.keyspace, ledger.projection)
        self._building: Final = building_key(ledger.keyspace, ledger.projection)
        self._standing: Final = standing_commands(ledger.keyspace, ledger.projection)

    async def standing(self) -> Standing:
        """Return how the projection stands."""
        with available():
            pipe = self._client.pipeline(transaction=False)
            for command in self._standing:
                pipe.execute_command(*command)
            return standing_of(await pipe.execute())

    async def begin(self, now: Instant) -> Building:
        """Begin a rebuild: give the next number to a new set of rows.

        Raises:
            AlreadyRebuilding: One is under way.
        """
        with available():
            number = await self._client.hincrby(self._state, "last", 1)
            building = Building(number, now)
            content = msgspec.json.encode(building)
            if not await self._client.set(self._building, content, nx=True, ex=LEASE_SECONDS):
                standing = await self.standing()
                other = standing.building
                told = f", {other.read} of {other.of} matches" if other is not None else ""
                raise AlreadyRebuilding(f"It is being rebuilt already{told}.")
        return building

    async def tell(self, building: Building) -> None:
        """Say how far a rebuild is; who is silent for too long is taken for dead.

        Raises:
            SetReplaced: He was.
        """
        other = (await self.standing()).building
        if other is not None and other.generation != building.generation:
            raise SetReplaced("Another rebuild has begun meanwhile.")
        # Late, but nobody else has begun: if the rows are still there, this one goes on.
        with available():
            content = msgspec.json.encode(building)
            if not await self._client.set(self._building, content, nx=other is None, ex=LEASE_SECONDS):
                raise SetReplaced("Another rebuild has begun meanwhile.")

    async def swap(self, building: Building) -> None:
        """Let the new rows be read.

        Raises:
            SetReplaced: Another rebuild has begun meanwhile.
        """
        with available():
            swapped = await self._client.eval(_SWAP, 2, self._state, self._building, str(building.generation))
        if not swapped:
            raise SetReplaced("Another rebuild has begun meanwhile.")

    async def give_up(self, building: Building) -> None:
        """End a rebuild that came to nothing, so that the next need not wait."""
        standing = await self.standing()
        if standing.building is not None and standing.building.generation == building.generation:
            with available():
                await self._client.delete(self._building)

    async def halt(self, halt: Halt) -> None:
        """Let a projection go no further until it is rebuilt."""
        with available():
            await self._client.hset(self._state, "halted", msgspec.json.encode(halt))

    async def want(self) -> None:
        """Ask the running service to rebuild the projection."""
        with available():
            await self._client.hset(self._state, "wanted", b"1")

    async def take_wish(self) -> bool:
        """Take up the wish for a rebuild; tell whether there was one. Only one gets it."""
        with available():
            return bool(await self._client.hdel(self._state, "wanted"))

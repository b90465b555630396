"""Which generation of rows is read, whether the projection is halted, and any rebuild under way."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
import redis.asyncio

from domain.instants import Instant
from services.log.event_store.connections import Command
from services.log.event_store.keys import Keyspace
from services.log.redis_errors import available
from services.projections.errors import AlreadyRebuilding, SetReplaced
from services.projections.matches import LAYOUT, NAME

LEASE_SECONDS: Final = 20
"""How long a rebuild may be silent before another may begin."""

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
    """Why the projection is halted.

    Attributes:
        reason: What was found, in words for operators.
        since: Since when.
    """

    reason: str
    since: Instant


class Building(msgspec.Struct, frozen=True):
    """A rebuild that is under way.

    Attributes:
        generation: The number of the new set of rows.
        since: When it began.
        read: How many matches have been read.
        of: How many there are; 0 while they are being counted.
    """

    generation: int
    since: Instant
    read: int = 0
    of: int = 0


class Standing(msgspec.Struct, frozen=True):
    """The state of the projection as a whole.

    Attributes:
        current: The generation that is read; None before the first is complete.
        halted: Why it is halted; None if it is not.
        wanted: Whether somebody has asked the running service to rebuild it.
        building: The rebuild under way, if any.
    """

    current: int | None = None
    halted: Halt | None = None
    wanted: bool = False
    building: Building | None = None

    @property
    def readable(self) -> int | None:
        """The generation to read: the current one, or the first while it is being built."""
        if self.current is None and self.building is not None:
            return self.building.generation
        return self.current


def _state_key(shards: int) -> str:
    return Keyspace(shards).of_projection(0, NAME, str(LAYOUT))


def _building_key(shards: int) -> str:
    return Keyspace(shards).of_projection(0, NAME, str(LAYOUT), "building")


def standing_commands(shards: int) -> list[Command]:
    """Return the Redis commands that read the projection's state."""
    return [("HMGET", _state_key(shards), "current", "halted", "wanted"), ("GET", _building_key(shards))]


def standing_of(answers: Sequence[Any]) -> Standing:
    """Read the answers to :func:`standing_commands`."""
    (current, halted, wanted), building = answers
    return Standing(
        int(current) if current else None,
        msgspec.json.decode(halted, type=Halt) if halted else None,
        bool(wanted),
        msgspec.json.decode(building, type=Building) if building else None,
    )


class Generations:
    """Reads and changes the projection's state. Every method may raise ``StoreUnavailable``."""

    def __init__(self, client: "redis.asyncio.Redis", shards: int) -> None:
        self._client: Final = client
        self._shards: Final = shards
        self._state: Final = _state_key(shards)
        self._building: Final = _building_key(shards)

    async def standing(self) -> Standing:
        """Return the projection's state."""
        with available():
            pipe = self._client.pipeline(transaction=False)
            for command in standing_commands(self._shards):
                pipe.execute_command(*command)
            return standing_of(await pipe.execute())

    async def begin(self, now: Instant) -> Building:
        """Begin a rebuild under the next generation number.

        Raises:
            AlreadyRebuilding: One is under way.
        """
        with available():
            number = await self._client.hincrby(self._state, "last", 1)
            building = Building(number, now)
            content = msgspec.json.encode(building)
            if not await self._client.set(self._building, content, nx=True, ex=LEASE_SECONDS):
                other = (await self.standing()).building
                told = f", {other.read} of {other.of} matches" if other is not None else ""
                raise AlreadyRebuilding(f"It is being rebuilt already{told}.")
        return building

    async def tell(self, building: Building) -> None:
        """Report how far a rebuild is. One that is silent for too long counts as dead.

        Raises:
            SetReplaced: This one did, and another has begun.
        """
        other = (await self.standing()).building
        if other is not None and other.generation != building.generation:
            raise SetReplaced("Another rebuild has begun meanwhile.")
        # Late, but nobody else has begun: continue if the rows are still there.
        with available():
            content = msgspec.json.encode(building)
            if not await self._client.set(self._building, content, nx=other is None, ex=LEASE_SECONDS):
                raise SetReplaced("Another rebuild has begun meanwhile.")

    async def swap(self, building: Building) -> None:
        """Make the new rows the ones that are read.

        Raises:
            SetReplaced: Another rebuild has begun meanwhile.
        """
        with available():
            swapped = await self._client.eval(_SWAP, 2, self._state, self._building, str(building.generation))
        if not swapped:
            raise SetReplaced("Another rebuild has begun meanwhile.")

    async def give_up(self, building: Building) -> None:
        """End a failed rebuild, so that the next need not wait."""
        other = (await self.standing()).building
        if other is not None and other.generation == building.generation:
            with available():
                await self._client.delete(self._building)

    async def halt(self, halt: Halt) -> None:
        """Halt the projection until it is rebuilt."""
        with available():
            await self._client.hset(self._state, "halted", msgspec.json.encode(halt))

    async def want(self) -> None:
        """Ask the running service to rebuild the projection."""
        with available():
            await self._client.hset(self._state, "wanted", b"1")

    async def take_request(self) -> bool:
        """Take the request for a rebuild, if any; tell whether there was one. Only one process gets it."""
        with available():
            return bool(await self._client.hdel(self._state, "wanted"))

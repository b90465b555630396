"""What people are told is on as many replicas as must have it, also where it is kept beside the log.

Tokens, sessions, clubs and all else without a shard's tag are written by redis-py's commands. Behind each write goes,
on the same connection and where possible in the same trip, what waits for the replicas; below their number nobody knows
whether it lasts. Rows of lists follow from the log, and wait for nobody. Where no replica is asked for there is no
:class:`Securing`.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from redis.asyncio.client import Pipeline
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError

from services.errors import OutcomeUnknown
from services.log.event_store.connections import Command
from services.log.event_store.patience import Patience
from services.log.event_store.slots import HOUSE_SLOT, placed_command, slot_of

# Outside of what belongs to the log, so that a backup leaves it alone; in the slot of all that belongs to no shard.
_TOUCHED: Final = "tablee:{house}:waited"

_READS: Final = frozenset(
    (
        *("EXISTS", "GET", "GETRANGE", "HEXISTS", "HGET", "HGETALL", "HKEYS", "HLEN", "HMGET", "HSCAN"),
        *("HSTRLEN", "HVALS", "LINDEX", "LLEN", "LRANGE", "MEMORY", "MGET", "OBJECT", "PTTL", "SCARD"),
        *("SISMEMBER", "SMEMBERS", "SMISMEMBER", "SRANDMEMBER", "SSCAN", "STRLEN", "TTL", "TYPE"),
        *("UNWATCH", "WATCH", "XLEN", "XRANGE", "XREAD", "XREVRANGE", "ZCARD", "ZCOUNT", "ZMSCORE"),
        *("ZRANGE", "ZRANGEBYSCORE", "ZRANK", "ZREVRANGE", "ZREVRANGEBYSCORE", "ZREVRANK", "ZSCAN"),
        *("ZSCORE", "EVAL_RO", "EVALSHA_RO", "SETRANGE"),
    )
)
"""Commands that tell, and the one that writes nothing to see whether it could. Any other is taken for a write."""


_IS_PASSING: Final = ContextVar("IS_PASSING", default=False)


@contextmanager
def passing() -> Iterator[None]:
    """Let what is written within wait for no replica: nobody is told of it, and who looks must not have to wait."""
    token = _IS_PASSING.set(True)
    try:
        yield
    finally:
        _IS_PASSING.reset(token)


class Securing:
    """Waits for replicas behind writes of what belongs to no shard."""

    def __init__(self, patience: Patience) -> None:
        """Prepare.

        Args:
            patience: How many replicas must have what was written, at least one, and for how long to wait for them.
        """
        self._replicas: Final = patience.replicas
        self.seconds: Final = patience.replicated
        # WAIT waits for what its own connection wrote. What changes nothing may have been written on another before.
        self._wait: Final[tuple[Command, ...]] = (
            ("SET", _TOUCHED, patience.replicas),
            patience.wait,
        )

    def behind(self, commands: Sequence[Sequence[Any]]) -> tuple[Command, ...]:
        """Return what goes behind commands; nothing if they write nothing, or only what is passing or in a shard."""
        return self._wait if not _IS_PASSING.get() and any(map(_is_secured, commands)) else ()

    def require(self, replies: Sequence[Any]) -> None:
        """Make sure that enough replicas have what was written, by the replies to what went behind it.

        Raises:
            OutcomeUnknown: They do not, so far.
        """
        have = replies[-1]
        if not isinstance(have, int) or have < self._replicas:
            raise OutcomeUnknown(f"the log's server has it, and so far {have} of {self._replicas} replicas")


class SecuringPipeline(Pipeline):
    """The library's pipeline, which waits for replicas before it gives its connection back."""

    securing: Securing | None = None
    _behind: tuple[Command, ...] = ()

    async def execute(self, raise_on_error: bool = True) -> list[Any]:  # noqa: FBT001, FBT002 - the library's
        """Send the commands, and return their answers once replicas have what they wrote."""
        if self.securing is not None:
            self._behind = self.securing.behind([args for args, _ in self.command_stack])
        return await super().execute(raise_on_error)

    async def reset(self) -> None:  # type: ignore[override]
        """Give the connection back, after what must be waited for."""
        behind, self._behind = self._behind, ()
        connection, replies = self.connection, list[Any]()
        try:
            if behind and connection is not None and connection.is_connected:
                replies = await _replies(connection, behind)
        finally:
            await super().reset()  # type: ignore[no-untyped-call]
        if replies and self.securing is not None:
            self.securing.require(replies)


async def _replies(connection: AbstractConnection, commands: Sequence[Command]) -> list[Any]:
    """Return the replies to commands, or why there are none."""
    try:
        await connection.send_packed_command(connection.pack_commands(commands))
        return [await connection.read_response() for _ in commands]
    except (RedisError, OSError) as error:
        await connection.disconnect()
        return [error]
    except BaseException:
        # A reply that is still to come must not be handed to whoever borrows the connection next.
        await connection.disconnect(nowait=True)
        raise


def _is_secured(command: Sequence[Any]) -> bool:
    name = str(command[0]).upper().partition(" ")[0]
    return name not in _READS and slot_of(placed_command(command)) == HOUSE_SLOT

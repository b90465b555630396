"""What the clock's loop says while it holds people's time back, kept where the doctor finds it."""

from typing import Final, NamedTuple

import redis.asyncio

from services.log.redis_errors import available

# Outside of what belongs to the log: a backup leaves it alone.
_KEY: Final = "tablee:clock:held"

_KEPT_SECONDS: Final = 60
"""It goes by itself when nobody says it any more."""

SAY_EVERY_SECONDS: Final = 20.0


class Held(NamedTuple):
    """What the loop says.

    Attributes:
        ahead: By how many milliseconds the clock is ahead.
        right: What a right clock says, less the time that has passed since the machine was started, in milliseconds: by
            this the next process on the machine goes on where one was killed.
    """

    ahead: int
    right: int


async def say_held(client: "redis.asyncio.Redis", held: Held | None) -> None:
    """Say that people's time is held back; None says that the clock is right.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    with available():
        if held is None:
            await client.delete(_KEY)
        else:
            await client.set(_KEY, f"{held.ahead} {held.right}", ex=_KEPT_SECONDS)


async def clock_held(client: "redis.asyncio.Redis") -> Held | None:
    """Return what a loop says that holds people's time back; None if none does.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    with available():
        said = await client.get(_KEY)
    return None if said is None else Held(*map(int, said.split()))

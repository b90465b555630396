"""Which releases can read a log: the floor below which a process is too old for what stands there.

Releases have levels. A level rises by one whenever the log may hold something that older code cannot read. The floor is
in ``tb:installation``. It rises before the first thing of a higher level is written, not when a newer process starts:
during an upgrade the old processes go on until then, and the new ones can still be taken back.
"""

from collections.abc import Iterable, Mapping
from typing import Final

import redis.asyncio

from services.errors import ReleaseTooOld
from services.log.event_store.keys import INSTALLATION
from services.log.redis_errors import available

LEVEL: Final = 1
"""The level of this release."""

SINCE: Mapping[str, int] = {}
"""From which level on there is a kind of event (``MoveUndone``) or a game with its rules number (as ``key/2``).

What is not named here was there at level 1. Whoever adds one raises :data:`LEVEL` by one, once for each release, and
names it here."""

_FIELD: Final = "floor"
_LOWEST: Final = 1

_RAISE: Final = """
local floor = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '1')
if floor < tonumber(ARGV[2]) then
    redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
end
return 1
"""


class ReleaseFloor:
    """The floor of a log, for a process of some level."""

    def __init__(
        self, client: "redis.asyncio.Redis", level: int = LEVEL, since: Mapping[str, int] = SINCE
    ) -> None:
        self._client: Final = client
        self._level: Final = level
        self._since: Final = since
        self._raised_to = _LOWEST

    async def look(self) -> int:
        """Return the floor.

        Raises:
            StoreUnavailable: The log's server did not answer.
        """
        with available():
            found = await self._client.hget(INSTALLATION, _FIELD)
        return _LOWEST if found is None else int(found)

    async def require_release(self) -> None:
        """Make sure that this process can read all that the log may hold.

        Raises:
            ReleaseTooOld: It cannot.
            StoreUnavailable: The log's server did not answer.
        """
        floor = await self.look()
        if floor > self._level:
            raise ReleaseTooOld(
                f"the log holds what releases of level {floor} write, and this one reads up to level {self._level}"
            )

    async def raise_for(self, game: str, rules: int, types: Iterable[str]) -> None:
        """Raise the floor, if need be, to the level of what is about to be written.

        Raises:
            StoreUnavailable: The log's server did not take it.
        """
        needed = max(self._since.get(kind, _LOWEST) for kind in (f"{game}/{rules}", *types))
        if needed > self._raised_to:
            with available():
                await self._client.eval(_RAISE, 1, INSTALLATION, _FIELD, needed)
            self._raised_to = needed

    async def lower(self) -> None:
        """Set the floor to this process's level: an operator wants to go on with an older release.

        Raises:
            StoreUnavailable: The log's server did not take it.
        """
        with available():
            await self._client.hset(INSTALLATION, _FIELD, str(self._level))

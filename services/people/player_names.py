"""Players' names, under ``tb:people:name:<player>``: beside the log, so that they can be erased."""

from collections import OrderedDict
from collections.abc import Sequence

import redis.asyncio

from services.log.redis_errors import available

LONGEST_NAME = 24
"""Characters."""

_KEPT = 4096
_AT_ONCE = 1000


class PlayerNames:
    """Names by opaque player id. A name is given once, before its player sits down.

    Methods that ask the store may raise ``StoreUnavailable``.
    """

    def __init__(self, client: "redis.asyncio.Redis") -> None:
        self._client = client
        self._known: OrderedDict[str, str] = OrderedDict()

    async def give(self, player: str, name: str) -> None:
        """Keep a player's name, unless it is empty."""
        wanted = readable(name)
        if wanted:
            with available():
                await self._client.set(_key(player), wanted.encode())
            self._remember(player, wanted)

    async def of(self, players: Sequence[str]) -> list[str]:
        """Return the players' names in the same order; empty for a player without one."""
        unknown = [player for player in players if player and player not in self._known]
        if unknown:
            with available():
                found = await self._client.mget([_key(player) for player in unknown])
            for player, name in zip(unknown, found, strict=True):
                self._remember(player, _text(name))
        return [self._known.get(player, "") for player in players]

    async def called(self, name: str) -> set[str]:
        """Return the ids of all players with a name, whatever its case.

        It reads every name in the store: for operators, not for pages.
        """
        wanted, found = readable(name).casefold(), set()
        with available():
            keys = [key async for key in self._client.scan_iter(match=_key("*"), count=_AT_ONCE)]
            for start in range(0, len(keys), _AT_ONCE):
                some = keys[start : start + _AT_ONCE]
                names = await self._client.mget(some)
                found |= {
                    key.decode().rpartition(":")[2]
                    for key, name in zip(some, names, strict=True)
                    if _text(name).casefold() == wanted
                }
        return found

    def _remember(self, player: str, name: str) -> None:
        self._known[player] = name
        self._known.move_to_end(player)
        while len(self._known) > _KEPT:
            self._known.popitem(last=False)


def readable(name: str) -> str:
    """Return a name on one line, without invisible characters, cut to its greatest length."""
    shown = "".join(letter if letter.isprintable() else " " for letter in name)
    return " ".join(shown.split())[:LONGEST_NAME].rstrip()


def _text(stored: bytes | str | None) -> str:
    return stored.decode() if isinstance(stored, bytes) else stored or ""


def _key(player: str) -> str:
    return f"tb:people:name:{player}"

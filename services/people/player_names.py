"""Players' names, under ``tb:people:name:<player>``: beside the log, so that they can be erased."""

from collections.abc import Sequence

import redis.asyncio

from services.log.redis_errors import available
from services.people.stored_text import text_of

LONGEST_NAME = 24
"""Characters."""

_AT_ONCE = 1000


class PlayerNames:
    """Names by opaque player id. A name is given before its player sits down, and may change or be erased.

    Methods that ask the store may raise ``StoreUnavailable``.
    """

    def __init__(self, client: "redis.asyncio.Redis") -> None:
        self._client = client

    async def give(self, player: str, name: str) -> None:
        """Keep a player's name, unless it is empty."""
        wanted = readable(name)
        if wanted:
            with available():
                await self._client.set(_key(player), wanted.encode())

    async def give_bot(self, player: str, name: str, owner: str) -> None:
        """Keep the name of a bot that somebody brought. It says so in both languages: nobody takes it for a person."""
        whose = f" ({readable(owner)})" if readable(owner) else ""
        with available():
            await self._client.set(_key(player), f"Bot {readable(name)}{whose}".encode())

    async def erase(self, players: Sequence[str]) -> None:
        """Forget players' names."""
        if players:
            with available():
                await self._client.delete(*map(_key, players))

    async def of(self, players: Sequence[str]) -> list[str]:
        """Return the players' names in the same order; empty for a player without one."""
        asked = [player for player in players if player]
        if not asked:
            return ["" for _ in players]
        with available():
            found = await self._client.mget([_key(player) for player in asked])
        known = dict(zip(asked, map(text_of, found), strict=True))
        return [known.get(player, "") for player in players]

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
                    if text_of(name).casefold() == wanted
                }
        return found


def readable(name: str, longest: int = LONGEST_NAME) -> str:
    """Return a name on one line, without invisible characters, cut to its greatest length."""
    shown = "".join(letter if letter.isprintable() else " " for letter in name)
    return " ".join(shown.split())[:longest].rstrip()


def _key(player: str) -> str:
    return f"tb:people:name:{player}"

"""Who a person is at each of their tables: the mapping beside the log.

The log's server keeps ``tb:people:person:<person>:tables``, a Redis hash with one field for each role in a match,
``seat:<match>`` or ``host:<match>``, and the way back, ``tb:people:player:<player>``. The same leads from the
invitation to a kept seat to the person; ``tb:people:person:<person>:offers`` names those. This is stored data with
backups, not a projection: without it nobody could tell whose a seat is.
"""

from collections.abc import Sequence
from typing import Final, Literal

import msgspec
import redis.asyncio

from domain.instants import Instant
from services.log.redis_errors import available
from services.people.identity import Holder, Role
from services.people.played_tables import ended_key, unended_key
from services.people.stored_text import text_of


class Membership(msgspec.Struct, frozen=True):
    """Somebody's part in a match."""

    holder: Holder
    since: Instant


class Held(msgspec.Struct, frozen=True):
    """Who somebody is at one match; empty for a role that they do not have.

    Attributes:
        seat: The player who sits, or sat, there.
        host: The host.
        person: The person; empty for whoever proves themselves by a token of the match.
        club: Of a private table of a club, whether it is ``theirs`` or one that they are not in; empty for all others.
        is_program: Whether a bot of the person's acts: the seat is the bot's.
        has_imported: Whether they brought the match from elsewhere, which is looked up for private ones.
    """

    seat: str = ""
    host: str = ""
    person: str = ""
    club: Literal["", "theirs", "others"] = ""
    is_program: bool = False
    has_imported: bool = False

    def player(self, role: Role) -> str:
        """Return the player in a role; empty for none."""
        return self.seat if role == "seat" else self.host


OFFERED_SECONDS: Final = 60 * 24 * 3600
"""How long it is known for whom a seat is kept: tables that do not begin close before."""

_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Membership)


class Memberships:
    """Persons' parts in matches. Methods may raise ``StoreUnavailable``."""

    def __init__(self, client: "redis.asyncio.Redis") -> None:
        self._client = client

    async def collect(self, person: str, holder: Holder, now: Instant) -> None:
        """Let a person act as a holder from now on, instead of whoever did, and of any earlier one in the same role."""
        before = (await self.persons_of([holder.player]))[0]
        with available():
            async with self._client.pipeline(transaction=True) as pipeline:
                if before and before != person:
                    pipeline.hdel(_tables(before), _field(holder))
                pipeline.hset(_tables(person), _field(holder), _ENCODER.encode(Membership(holder, now)))
                pipeline.set(_player(holder.player), person)
                pipeline.sadd(unended_key(person), holder.match)
                await pipeline.execute()

    async def drop(self, person: str, holder: Holder) -> None:
        """Take a part in a match from a person. Whoever holds it now keeps it."""
        with available():
            stored = await self._client.hget(_tables(person), _field(holder))
            if stored and _DECODER.decode(stored).holder == holder:
                await self._client.hdel(_tables(person), _field(holder))
            if (await self.persons_of([holder.player]))[0] == person:
                await self._client.delete(_player(holder.player))

    async def offer(self, person: str, match: str, invitation: str) -> None:
        """Note whose a seat is that a table keeps, by its invitation, so that they can be told."""
        with available():
            async with self._client.pipeline(transaction=True) as pipeline:
                pipeline.set(_player(invitation), person, ex=OFFERED_SECONDS)
                pipeline.sadd(_offers(person), f"{match} {invitation}")
                pipeline.expire(_offers(person), OFFERED_SECONDS)
                await pipeline.execute()

    async def offers(self, person: str) -> list[tuple[str, str]]:
        """Return at which matches a seat was kept for a person lately, each with the invitation to it."""
        with available():
            stored = [text_of(one) for one in await self._client.smembers(_offers(person))]
        return [
            (match, invitation) for match, _, invitation in (one.partition(" ") for one in sorted(stored))
        ]

    async def held(self, person: str, match: str) -> Held:
        """Return who a person is at a match."""
        with available():
            rows = await self._client.hmget(_tables(person), [f"seat:{match}", f"host:{match}"])
        seat, host = (_DECODER.decode(row).holder.player if row else "" for row in rows)
        return Held(seat, host, person)

    async def held_at(self, person: str, matches: Sequence[str]) -> list[Held]:
        """Return who a person is at each of some matches, in the same order."""
        if not matches:
            return []
        fields = [f"{role}:{match}" for match in matches for role in ("seat", "host")]
        with available():
            rows = await self._client.hmget(_tables(person), fields)
        players = [_DECODER.decode(row).holder.player if row else "" for row in rows]
        return [Held(seat, host, person) for seat, host in zip(players[::2], players[1::2], strict=True)]

    async def of(self, person: str) -> list[Membership]:
        """Return a person's parts in all matches, newest first."""
        with available():
            rows = await self._client.hvals(_tables(person))
        return sorted(map(_DECODER.decode, rows), key=lambda membership: membership.since, reverse=True)

    async def persons_of(self, players: Sequence[str]) -> list[str]:
        """Return whose players these are, in the same order; empty where nobody is known."""
        if not players:
            return []
        with available():
            found = await self._client.mget([_player(player) for player in players])
        return [text_of(one) for one in found]

    async def erase(self, person: str) -> list[Membership]:
        """Forget all parts of a person; return them as they were."""
        memberships = await self.of(person)
        for membership in memberships:
            await self.drop(person, membership.holder)
        with available():
            offered = [_player(invitation) for _, invitation in await self.offers(person)]
            keys = (_tables(person), _offers(person), ended_key(person), unended_key(person))
            await self._client.delete(*keys, *offered)
        return memberships


def _field(holder: Holder) -> str:
    return f"{holder.role}:{holder.match}"


def _tables(person: str) -> str:
    return f"tb:people:person:{person}:tables"


def _offers(person: str) -> str:
    return f"tb:people:person:{person}:offers"


def _player(player: str) -> str:
    return f"tb:people:player:{player}"

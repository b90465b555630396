"""Leases on Redis: which of several processes does what for which shard."""

import asyncio
from collections.abc import Mapping, Sequence

from services.log.event_store import keys, scripts
from services.log.event_store.redis_part import RedisPart


class RedisLeases(RedisPart):
    """Per shard, a hash of leases by duty; and one sorted set of those who share the work."""

    async def join(self, member: str, seconds: float, gone: Sequence[str] = ()) -> list[str]:
        """Note that a member lives; see the contract."""
        found = await self._run(scripts.JOIN, (keys.MEMBERS,), (member, round(seconds * 1000), *gone))
        return [one.decode() for one in found]

    async def leave(self, member: str) -> None:
        """Note that a member shares the work no more."""
        await self.look([("ZREM", keys.MEMBERS, member)])

    async def lease(
        self, member: str, seconds: float, wanted: Mapping[int, Sequence[str]], gone: Sequence[str] = ()
    ) -> dict[int, dict[str, int]]:
        """Renew, take and give back leases; see the contract."""

        async def of_shard(shard: int) -> dict[str, int]:
            duties = wanted.get(shard, ())
            numbers = await self._run(
                scripts.LEASE,
                (self._keyspace.of_shard(shard).leases,),
                (member, round(seconds * 1000), len(gone), *gone, *duties),
            )
            return {duty: number for duty, number in zip(duties, numbers, strict=True) if number}

        shards = range(self._keyspace.shards)
        found = await asyncio.gather(*map(of_shard, shards))
        return dict(zip(shards, found, strict=True))

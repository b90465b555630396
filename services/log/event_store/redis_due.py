"""The due index on Redis: which matches need somebody, and when."""

from collections.abc import Collection

from services.log.event_store import scripts
from services.log.event_store.checks import check_match, check_number
from services.log.event_store.redis_part import RedisPart


class RedisDue(RedisPart):
    """A sorted set per shard, scored by milliseconds since the epoch."""

    async def due(
        self, until: int, count: int, shards: Collection[int] | None = None
    ) -> list[tuple[str, int]]:
        """Return matches due at ``until`` or earlier, at most ``count`` per shard, earliest first."""
        check_number(until)
        if shards is not None and not shards:
            return []
        replies = await self.look(
            [
                ("ZRANGEBYSCORE", key, "-inf", until, "WITHSCORES", "LIMIT", 0, count)
                for key in self._due_keys(shards)
            ]
        )
        found = [
            (match.decode(), int(float(score)))
            for reply in replies
            for match, score in zip(reply[::2], reply[1::2], strict=True)
        ]
        return sorted(found, key=lambda one: (one[1], one[0]))

    async def set_due(self, match: str, version: int, due: int | None) -> bool:
        """Set an open match's due instant if its version still is ``version``; tell whether it was set."""
        check_match(match)
        check_number(version)
        check_number(due or 0)
        answer = await self._run(
            scripts.SET_DUE,
            (self._keyspace.of_match(match).meta, self._keyspace.of_shard_of(match).due),
            (match, version, "" if due is None else due),
        )
        return bool(answer)

    async def scheduled(self, match: str) -> int | None:
        """Return a match's instant in the due index; None if it has none."""
        check_match(match)
        score = await self._read("ZSCORE", self._keyspace.of_shard_of(match).due, match)
        return None if score is None else int(float(score))

    async def next_due(self, shards: Collection[int] | None = None) -> int | None:
        """Return the earliest due instant of all matches, or of those in some shards."""
        if shards is not None and not shards:
            return None
        replies = await self.look([("ZRANGE", key, 0, 0, "WITHSCORES") for key in self._due_keys(shards)])
        return min((int(float(reply[1])) for reply in replies if reply), default=None)

    def _due_keys(self, shards: Collection[int] | None) -> list[str]:
        every = range(self._keyspace.shards)
        return [self._keyspace.of_shard(shard).due for shard in (every if shards is None else sorted(shards))]

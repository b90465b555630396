"""Whole matches on Redis: taking one in from elsewhere, and letting one go to the archive."""

from collections.abc import Sequence

from domain.errors import BrokenLog
from services.log.event_store import scripts
from services.log.event_store.checks import check_adoption, check_healing, check_match, due_after
from services.log.event_store.connections import Argument
from services.log.event_store.contract import ACTS_KEPT, Adoption, Healing
from services.log.event_store.keys import ACTOR_FIELD
from services.log.event_store.redis_part import RedisPart


class RedisWholeMatches(RedisPart):
    """Operations on a whole match, each in one step."""

    async def adopt(self, adoption: Adoption) -> bool:
        """Take in a whole log that was written elsewhere; see the contract."""
        check_adoption(adoption)
        match_keys = self._keyspace.of_match(adoption.match)
        shard_keys = self._keyspace.of_shard_of(adoption.match)
        due = due_after(adoption)
        arguments: list[Argument] = [
            adoption.match,
            adoption.version,
            adoption.head,
            adoption.status,
            adoption.game,
            adoption.rules,
            "" if due is None else due,
            ",".join(adoption.types),
        ]
        for entry in adoption.entries:
            arguments += (entry.e, entry.s, entry.h)
        answer = await self._run(
            scripts.ADOPT,
            (match_keys.events, match_keys.meta, shard_keys.due, shard_keys.shard, shard_keys.feed),
            arguments,
            line="own",
        )
        if answer == b"broken":
            raise BrokenLog("log.meta_missing", 1, "there are entries but no record of the match")
        return bool(answer == b"adopted")

    async def stamp(self, match: str) -> bytes:
        """Return what tells whether a match has moved; see the contract."""
        check_match(match)
        found: bytes = await self._run(scripts.HEAL, self._healed_keys(match), ("",))
        return found

    async def heal(self, healing: Healing) -> bool:
        """Put a whole log in the place of a damaged one; see the contract."""
        check_healing(healing)
        due = due_after(healing)
        arguments: list[Argument] = [
            healing.stamp,
            healing.match,
            healing.first,
            healing.version,
            healing.head,
            healing.status,
            healing.game,
            healing.rules,
            "" if due is None else due,
            ",".join(healing.types),
            healing.act,
            ACTS_KEPT,
            ACTOR_FIELD,
        ]
        for entry in healing.entries:
            arguments += (entry.e, entry.s, entry.h)
        return bool(await self._run(scripts.HEAL, self._healed_keys(healing.match), arguments, line="own"))

    async def acts(self, match: str) -> Sequence[bytes]:
        """Return the kept acts of operators, oldest first."""
        check_match(match)
        kept: list[bytes] = await self._read("LRANGE", self._keyspace.of_match(match).acts, 0, -1)
        return kept

    def _healed_keys(self, match: str) -> tuple[str, ...]:
        keys, shard = self._keyspace.of_match(match), self._keyspace.of_shard_of(match)
        return keys.events, keys.meta, shard.due, shard.shard, shard.feed, keys.acts

    async def write_tombstone(self, match: str, head: bytes) -> bool:
        """Reduce a closed match to a tombstone; see the contract."""
        check_match(match)
        match_keys = self._keyspace.of_match(match)
        removed = await self._run(
            scripts.WRITE_TOMBSTONE,
            (
                match_keys.events,
                match_keys.meta,
                match_keys.refused,
                self._keyspace.of_shard_of(match).due,
            ),
            (match, head),
        )
        return bool(removed)

"""Repairs of what follows from the log alone.

Each repair reads the match again, acts only on a log that verifies, and compares the version in the step in which it
writes: what somebody else changed meanwhile stays.
"""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec
import redis.asyncio
import structlog

from domain.instants import Instant, instant_from_milliseconds
from domain.match.due import due_of
from domain.match.fold import Position
from domain.match.state import OVER
from services.log.event_store.contract import EventStore, Status
from services.log.event_store.keys import Keyspace
from services.log.redis_errors import available
from services.projections.errors import AlreadyRebuilding, SetReplaced
from services.projections.generations import Generations
from services.projections.ledger import Ledger
from services.projections.matches import NAME
from services.projections.rebuilding import Rebuilder
from services.watch.doctor.diagnosis import Diagnosis
from services.watch.match_facts import facts_of

_log = structlog.get_logger(__name__)

_REMOVE_STRAY: Final = """
if redis.call('HGET', KEYS[1], 'status') == 'open' then
    return 0
end
return redis.call('ZREM', KEYS[2], ARGV[1])
"""

_WRITE_RECORD: Final = """
local known = redis.call('HMGET', KEYS[1], 'version', 'head')
if known[1] ~= ARGV[2] or known[2] ~= ARGV[3] then
    return 0
end
redis.call('HSET', KEYS[1], 'status', ARGV[4], 'game', ARGV[5], 'rules', ARGV[6])
if ARGV[4] ~= 'open' then
    redis.call('HDEL', KEYS[1], 'due')
    redis.call('ZREM', KEYS[2], ARGV[1])
end
return 1
"""


class Repaired(msgspec.Struct, frozen=True):
    """What became of a finding.

    Attributes:
        done: Whether something was written.
        told: What was done, or why nothing was.
    """

    code: str
    match: str
    done: bool
    told: str


class Repairer:
    """Repairs what a diagnosis names."""

    def __init__(self, store: EventStore, client: "redis.asyncio.Redis") -> None:
        self._store: Final = store
        self._client: Final = client
        self._keyspace: Final = Keyspace(store.shards)

    async def repair(self, finding: Diagnosis) -> Repaired:
        """Set right what a finding names.

        Raises:
            StoreUnavailable: The store did not answer; it may or may not have been done. Doing it again is harmless.
        """
        done, told = False, "it is no longer as it was found"
        if finding.repair == "due_entry":
            done = await self._remove_stray(finding.match)
            told = "removed from the due index" if done else told
        elif finding.repair in {"due", "status"}:
            facts = await facts_of(self._store, finding.match, 0)
            position = facts.position
            if position is None:
                told = "its log does not verify, or it moves too fast: nothing is derived from it"
            elif finding.repair == "status":
                done, told = await self._write_record(position)
            elif facts.meta is not None and facts.meta.status is Status.OPEN:
                done, told = await self._set_due(position)
        repaired = Repaired(finding.code, finding.match, done, told)
        log = _log.bind(code=finding.code, match=finding.match, told=told)
        log.warning("doctor_repaired") if done else log.warning("doctor_repaired_nothing")
        return repaired

    async def _set_due(self, position: Position) -> tuple[bool, str]:
        # If somebody should have moved long ago, this has passed: the clock visits the match at once.
        due = due_of(position)
        done = await self._store.set_due(position.match, position.version, due)
        at = "nothing is due" if due is None else f"due at {instant_from_milliseconds(due)}"
        return (
            done,
            f"{at}, as version {position.version} of its log says" if done else "it has moved meanwhile",
        )

    async def _write_record(self, position: Position) -> tuple[bool, str]:
        terms = position.state.terms
        if terms is None:
            return False, "its log says of no game"
        status = Status.CLOSED if position.state.lifecycle.phase in OVER else Status.OPEN
        done = await self._run(
            _WRITE_RECORD,
            position.match,
            position.match,
            position.version,
            position.head,
            status,
            terms.game,
            terms.rules,
        )
        if done and status is Status.OPEN:
            await self._set_due(position)
        written = f"record written: {status}, {terms.game}, rules {terms.rules}"
        return done, written if done else "it has moved meanwhile"

    async def _remove_stray(self, match: str) -> bool:
        return await self._run(_REMOVE_STRAY, match, match)

    async def _run(self, script: str, match: str, *arguments: str | int | bytes) -> bool:
        keys = self._keyspace.of_match(match).meta, self._keyspace.of_shard_of(match).due
        with available():
            return bool(await self._client.eval(script, 2, *keys, *arguments))


async def rebuilt_rows(
    log: EventStore,
    client: "redis.asyncio.Redis",
    findings: Sequence[Diagnosis],
    now: Callable[[], Instant],
) -> list[Repaired]:
    """Build the rows of all projections anew, beside those that are read, because some of them are wrong.

    Raises:
        StoreUnavailable: The store or the archive did not answer; the rows that are read are as they were.
    """
    rebuilder = Rebuilder(Ledger(client, log.shards), Generations(client, log.shards), log, now)
    _log.warning("doctor_rebuilds", projection=NAME)
    try:
        rebuilt = await rebuilder.rebuild()
        done, told = True, f"{NAME}: {rebuilt.rows} rows built anew, {rebuilt.parked} set aside"
    except (AlreadyRebuilding, SetReplaced) as error:
        done, told = False, f"{NAME}: {error}"
    return [Repaired(finding.code, finding.match, done, told) for finding in findings]

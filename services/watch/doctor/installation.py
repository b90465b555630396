"""Does the log's server keep what it acknowledged, is the secret the old one, and is there a young backup?"""

import time
from collections.abc import Mapping
from typing import Any, Final

import redis.asyncio

from domain.instants import milliseconds_of
from services.errors import StoreFull, StoreReadOnly
from services.log.backup.last import LastBackup
from services.log.embedded.durability import DurabilityVerdict, check_durability_async
from services.log.primaries import info_of_each
from services.log.redis_errors import available
from services.log.write_guard import require_writes
from services.watch.doctor.diagnosis import Diagnosis, act, fine, look
from services.watch.doctor.machine import ClockFacts, MemoryFacts, machine_memory
from services.watch.findings import Severity


async def store_facts(
    client: "redis.asyncio.Redis", *, here: bool
) -> tuple[DurabilityVerdict, MemoryFacts, ClockFacts]:
    """Ask the log's server for its durability, memory and clock; on this machine its memory counts as well.

    Raises:
        StoreUnavailable: It did not answer.
    """
    with available():
        verdict = await check_durability_async(client)
        memory = max((await info_of_each(client, "memory")).values(), key=_fullness)
        before = time.time()
        seconds, microseconds = await client.time()
        after = time.time()
    total, left = machine_memory() if here else (0, 0)
    used, most = int(memory["used_memory"]), int(memory.get("maxmemory", 0))
    clock = ClockFacts(
        here=round((before + after) * 500), store=round(int(seconds) * 1000 + int(microseconds) / 1000)
    )
    return verdict, MemoryFacts(used, most, total, left), clock


def _fullness(memory: Mapping[str, Any]) -> tuple[float, int]:
    used, most = int(memory["used_memory"]), int(memory.get("maxmemory", 0))
    return used / most if most else 0.0, used


def judge_durability(verdict: DurabilityVerdict, *, accepted: bool) -> list[Diagnosis]:
    """Judge what a log's server says of itself."""
    if verdict.durable == "yes":
        return [
            fine("store.durable", "The log's server syncs every write before it answers, and evicts nothing.")
        ]
    if verdict.durable == "unknown":
        return [
            look(
                "store.durability_unknown",
                f"The log's server does not tell its settings: {verdict.reason}.",
                "Nobody can tell whether a power cut would take acknowledged moves.",
                "Make sure that it runs with `appendonly yes`, `appendfsync always` and `maxmemory-policy noeviction`.",
            )
        ]
    severity = Severity.LOOK if accepted else Severity.ACT
    means = (
        "Acknowledged moves may be lost; you have accepted that (TABLEE_ACCEPT_WEAK_DURABILITY)."
        if accepted
        else "Moves that people were told are done may be lost."
    )
    return [
        Diagnosis(
            f"store.{problem.code}",
            severity,
            f"The log's server has `{problem.found}`.",
            means,
            problem.remedy,
        )
        for problem in verdict.problems
    ]


async def judge_writes(client: "redis.asyncio.Redis") -> list[Diagnosis]:
    """Find out whether the log's server takes writes; nothing is written for that.

    Raises:
        StoreUnavailable: It did not answer.
    """
    try:
        await require_writes(client)
    except StoreReadOnly as error:
        return [
            act(
                "store.read_only",
                f"The log's server takes no writes: {error}",
                "Nobody can play; everything can be looked at.",
                "It is a replica, or was made one: name the primary (TABLEE_LOG_STORE_URL), or make this one the "
                "primary (`REPLICAOF NO ONE`) once you are sure that no other takes writes.",
            )
        ]
    except StoreFull as error:
        return [
            act(
                "store.full",
                f"The log's server takes no writes: {error}",
                "Nobody can play; nothing that was acknowledged is lost.",
                "Raise its maxmemory, make room on its disk, or move finished matches out of memory: `tablee archive "
                "--now`. Then the service goes on by itself.",
            )
        ]
    return []


_MEANS: Final = (
    "Seats keep their tokens and browsers their seats. But who repeats a request to make a table or to sit down, "
    "because the answer was lost, gets another one; and forms on pages that are open now are refused until reloaded."
)


def judge_secret(kept: str | None, present: str | None) -> Diagnosis:
    """Compare the present secret's mark, if there is one, with the one that the service left."""
    if present is None:
        return Diagnosis(
            "secret.missing",
            Severity.ACT if kept is not None else Severity.LOOK,
            "The installation's secret is not here: neither TABLEE_SECRET, nor TABLEE_SECRET_FILE, nor "
            "`installation.secret` in the data folder.",
            "The service would make a new one at its start. " + _MEANS,
            "Copy `installation.secret` back from a backup before you start the service.",
        )
    if kept is None:
        return fine("secret.not_marked", "The service has not marked its secret yet; its next start does.")
    if kept != present:
        return act(
            "secret.differs",
            "The installation's secret is another one than that with which this log was first served.",
            _MEANS,
            "Put the old one back: `installation.secret` from a backup, or what TABLEE_SECRET was.",
        )
    return fine("secret.same", "The installation's secret is the one that it has always been.")


_OLD_MS: Final = 7 * 86_400_000


def judge_backup(last: LastBackup | None, now: int) -> Diagnosis:
    """Judge the last backup that was made of this log, if any, at an instant in milliseconds."""
    if last is None:
        return fine(
            "backup.none", "No backup was made yet: `tablee backup FOLDER` makes one while the service runs."
        )
    age = now - milliseconds_of(last.at)
    if age <= _OLD_MS:
        return fine("backup.young", f"The last backup was begun at {last.at}.")
    return look(
        "backup.old",
        f"The last backup was begun at {last.at}, {age // 86_400_000} days ago.",
        "If this disk is lost, so is everything that was played since.",
        "`tablee backup FOLDER`, once a day by a timer, and copied to another machine.",
    )

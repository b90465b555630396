"""Whether a log store keeps what it has acknowledged, judged by its settings."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from redis import Redis
from redis.asyncio import Redis as AsyncRedis
from redis.exceptions import ResponseError

from services.log.primaries import info_of_each, settings_of_each

_SETTINGS = ("appendonly", "appendfsync", "maxmemory-policy", "no-appendfsync-on-rewrite")

Durable = Literal["yes", "no", "unknown"]


class Problem(msgspec.Struct, frozen=True):
    """One reason why an acknowledged write might be lost.

    Attributes:
        code: Stable cause: ``aof_off``, ``fsync_not_always``, ``fsync_pauses``, ``evicts``, ``aof_write_fails``.
        found: What the server says.
        remedy: What the operator should do, in English.
    """

    code: str
    found: str
    remedy: str


class DurabilityVerdict(msgspec.Struct, frozen=True):
    """What a store's settings promise.

    Attributes:
        durable: ``yes``: data is written and synced before the answer, and never evicted. ``no``: see the problems.
            ``unknown``: the server does not say.
        problems: Why not; empty unless ``no``.
        reason: Why unknown, in the server's words; empty otherwise.
    """

    durable: Durable
    problems: tuple[Problem, ...] = ()
    reason: str = ""


def check_durability(client: Redis) -> DurabilityVerdict:
    """Read a store's settings and judge them.

    Raises:
        redis.exceptions.RedisError: The store does not answer. A server that forbids the question is ``unknown``.
    """
    try:
        return judge(client.config_get(*_SETTINGS), client.info("persistence"))
    except ResponseError as error:
        return DurabilityVerdict("unknown", reason=str(error))


async def check_durability_async(client: AsyncRedis) -> DurabilityVerdict:
    """Do the same as ``check_durability`` with an asynchronous client; a cluster is as durable as its worst primary."""
    try:
        settings = await settings_of_each(client, *_SETTINGS)
        persistence = await info_of_each(client, "persistence")
    except ResponseError as error:
        return DurabilityVerdict("unknown", reason=str(error))
    return worst({address: judge(said, persistence.get(address, {})) for address, said in settings.items()})


def worst(verdicts: Mapping[str, DurabilityVerdict]) -> DurabilityVerdict:
    """Judge several servers, by address, as one: each problem once, with where it is."""
    if len(verdicts) == 1:
        return next(iter(verdicts.values()))
    where: dict[Problem, list[str]] = {}
    for address, verdict in verdicts.items():
        for problem in verdict.problems:
            where.setdefault(problem, []).append(address)
    if where:
        problems = (
            Problem(one.code, f"{one.found} (on {', '.join(addresses)})", one.remedy)
            for one, addresses in where.items()
        )
        return DurabilityVerdict("no", tuple(problems))
    unknown = [verdict for verdict in verdicts.values() if verdict.durable == "unknown"]
    return unknown[0] if unknown else DurabilityVerdict("yes")


def judge(settings: Mapping[Any, Any], persistence: Mapping[str, object]) -> DurabilityVerdict:
    """Judge a store's settings.

    Args:
        settings: The reply to ``CONFIG GET``.
        persistence: The reply to ``INFO persistence``; may be empty.
    """
    said = {_text(key): _text(value) for key, value in settings.items()}
    if not {"appendonly", "appendfsync", "maxmemory-policy"} <= said.keys():
        return DurabilityVerdict("unknown", reason="the server does not reveal its settings")
    problems = []
    if said["appendonly"] != "yes":
        problems.append(Problem("aof_off", f"appendonly {said['appendonly']}", "Set `appendonly yes`."))
    elif said["appendfsync"] != "always":
        problems.append(
            Problem(
                "fsync_not_always",
                f"appendfsync {said['appendfsync']}",
                "Set `appendfsync always`: otherwise a power cut can lose acknowledged moves.",
            )
        )
    elif said.get("no-appendfsync-on-rewrite") == "yes":
        problems.append(
            Problem(
                "fsync_pauses",
                "no-appendfsync-on-rewrite yes",
                "Set `no-appendfsync-on-rewrite no`: otherwise nothing is synced while the file is rewritten.",
            )
        )
    if said["maxmemory-policy"] != "noeviction":
        problems.append(
            Problem(
                "evicts",
                f"maxmemory-policy {said['maxmemory-policy']}",
                "Set `maxmemory-policy noeviction`: otherwise matches can be deleted to make room.",
            )
        )
    if persistence.get("aof_last_write_status", "ok") != "ok":
        problems.append(
            Problem(
                "aof_write_fails",
                f"aof_last_write_status {persistence['aof_last_write_status']}",
                "Check the store's disk: it may be full, or failing.",
            )
        )
    return DurabilityVerdict("no" if problems else "yes", tuple(problems))


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value

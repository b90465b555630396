"""``GET /health/live`` and ``GET /health/ready``: for supervisors, load balancers and operators."""

import asyncio
from typing import Final, Literal, NamedTuple

import msgspec
from litestar import get
from litestar.response.base import ASGIResponse
from redis.exceptions import RedisError

from api.answering.answers import answer
from api.document.operations import Answer, Operation
from api.entrance.durability import WRITES
from api.parts import Http, Parts, parts_of
from api.permissions.table import API
from domain.errors import TableeError
from services.bootstrap import present_instant
from services.bootstrap.clients import LOOKING, client
from services.jobs.servers import JobServers, job_servers
from services.watch.metrics.kept_counts import loops_live
from services.watch.metrics.workers import live_workers

_PATIENCE: Final = 1.0
_HEADERS: Final = {"Cache-Control": "no-store"}

Reachable = Literal["ok", "unreachable", "not_configured"]


class Live(msgspec.Struct, frozen=True):
    """The process runs."""

    live: bool = True


class WeakPoint(msgspec.Struct, frozen=True):
    """One reason why an acknowledged move might be lost.

    Attributes:
        code: Stable cause.
        found: What the server says about itself.
        remedy: What the operator should do.
    """

    code: str
    found: str
    remedy: str


class Durability(msgspec.Struct, frozen=True):
    """Whether the log's server keeps what it has acknowledged.

    Attributes:
        durable: ``yes``, ``no``, or ``unknown`` if the server does not tell.
        problems: Why it is not.
        reason: Why it is unknown.
    """

    durable: Literal["yes", "no", "unknown"]
    problems: tuple[WeakPoint, ...]
    reason: str


class Ready(msgspec.Struct, frozen=True):
    """Whether the process can serve.

    Attributes:
        ready: Whether it can.
        log: Whether the log's server answers.
        durability: Whether that server keeps what it has acknowledged, and what should be changed.
        durability_accepted: Whether the operator accepts less than full durability.
        writes: ``ok`` if the log would take a move now, else the code with which moves are refused: ``store.full``,
            ``store.read_only``, ``store.went_back``, ``store.unavailable``, or ``release.too_old``: newer processes
            have written what this one cannot read.
        jobs: Whether the servers for bots' jobs answer. Without it people can play, and bots move later.
        loops: Whether the loops that follow clock and feed have reported within 15 seconds; null if unknown. Without
            them people can play, but no deadline ends. For information: it never makes a process unready.
        workers: How many workers have reported within half a minute; null if unknown. Without them the clock plays the
            bots' turns after half a minute. For information too.
        jobs_away: Which of the servers for jobs do not answer, counted from 1 in the order of the settings. Only the
            bots at their tables move later.
    """

    ready: bool
    log: Reachable
    durability: Durability
    durability_accepted: bool
    writes: str
    jobs: Reachable
    loops: bool | None = None
    workers: int | None = None
    jobs_away: tuple[int, ...] = ()


class _Jobs(NamedTuple):
    """What the servers for jobs say."""

    answers: Reachable
    loops: bool | None = None
    workers: int | None = None
    away: tuple[int, ...] = ()


_LIVE: Final = Operation(
    id="live",
    tag="health",
    description="Answers as long as the process runs. Also at `/health/live`, without a base.",
    answers={200: Answer("The process runs.", Live)},
)

_READY: Final = Operation(
    id="ready",
    tag="health",
    description=(
        "A process is ready if it can reach the log, on a server that would take a move now, and loses no acknowledged "
        "one (unless the operator has accepted less). Also at `/health/ready`, without a base."
    ),
    answers={
        200: Answer("The process can serve.", Ready),
        503: Answer("It cannot, and this is why.", Ready),
    },
)


@get(["/health/live", f"{API}/health/live"], operation=_LIVE)
async def live(request: Http) -> ASGIResponse:  # noqa: ARG001 - the framework hands it over
    """Tell whether the process runs."""
    return answer(Live(), headers=_HEADERS)


@get(["/health/ready", f"{API}/health/ready"], operation=_READY)
async def ready(request: Http) -> ASGIResponse:
    """Tell whether the process can serve."""
    parts = parts_of(request)
    log, jobs = await asyncio.gather(_log_answers(parts), _jobs_answer(job_servers(parts.settings)))
    verdict = msgspec.convert(parts.durability.verdict, Durability, from_attributes=True)
    accepted = parts.settings.accept_weak_durability
    writes = parts.durability.writes if log == "ok" else "store.unavailable"
    good = log == "ok" and writes == WRITES and (verdict.durable == "yes" or accepted)
    return answer(Ready(good, log, verdict, accepted, writes, *jobs), 200 if good else 503, _HEADERS)


async def _log_answers(parts: Parts) -> Reachable:
    try:
        async with asyncio.timeout(_PATIENCE):
            await parts.application.store.reach()
            await parts.durability.look()
    except (TableeError, RedisError, OSError):
        return "unreachable"
    return "ok"


async def _jobs_answer(servers: JobServers | None) -> _Jobs:
    if servers is None:
        return _Jobs("not_configured")
    found = await asyncio.gather(*map(_job_server_answer, servers.urls))
    away = tuple(number for number, one in enumerate(found, 1) if one is None)
    known = [one for one in found if one is not None]
    if not known:
        return _Jobs("unreachable", away=away)
    loops, workers = any(live for live, _ in known), sum(count for _, count in known)
    return _Jobs("unreachable" if away else "ok", loops, workers, away)


async def _job_server_answer(url: str) -> tuple[bool, int] | None:
    try:
        async with asyncio.timeout(_PATIENCE), client(url, LOOKING) as jobs:
            return await loops_live(jobs), await live_workers(jobs, present_instant())
    except (RedisError, OSError):
        return None

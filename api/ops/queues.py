"""``/ops/queues``: jobs and workers as RQ has them, how far the loops are, and the projections."""

from collections.abc import Mapping
from typing import Final

import msgspec
import structlog
from litestar import get, post
from litestar.response.base import ASGIResponse

from api.ops.installation import loops_of, went_back
from api.ops.job_queue import ask_queue
from api.ops.notices import notices_standing
from api.ops.rendering import ops_page
from api.pages.forms import read_form
from api.pages.rendering import see_other
from api.pages.visits import Visit
from api.parts import Http
from domain.instants import Instant, seconds_between
from services.bootstrap import present_instant
from services.jobs.errors import JobStoreUnavailable
from services.jobs.seen import Jobs, WorkerSeen
from services.jobs.servers import JobServers, job_servers
from services.projections.generations import Generations
from services.projections.matches import NAME
from services.projections.standing import dead_letters
from services.watch.metrics.workers import WORKER_SILENCE_SECONDS
from services.words.phrases import Phrase, phrase, words_in

ADDRESS: Final = "/ops/queues"

_log = structlog.get_logger(__name__)

_NOTICES: Final[dict[str, Phrase]] = {
    "retried": phrase("The job is queued again."),
    "sent": phrase("The message is tried again within a second."),
    "discarded": phrase("The job is discarded. If its bot still owes a move, the clock sends another one."),
    "gone": phrase("This job is no longer there, or runs at the moment: nothing was done."),
    "away": phrase("The jobs' server does not answer: nothing was done."),
    "wanted": phrase(
        "The rebuild is asked for. The loops begin it within a second, and this page tells how far it is."
    ),
}


_KINDS: Final[dict[str, Phrase]] = {
    "queued": phrase("Queued"),
    "running": phrase("Running"),
    "failed": phrase("Failed"),
    "scheduled": phrase("Scheduled"),
}


_STATES: Final[dict[str, Phrase]] = {
    "idle": phrase("waits for jobs"),
    "busy": phrase("plays"),
    "started": phrase("starts"),
    "suspended": phrase("suspended"),
}

_PURPOSES: Final[dict[str, Phrase]] = {
    "bots": phrase("sends the jobs that make bots move"),
    "archive": phrase("takes closed matches to the archive"),
    "matches": phrase("keeps the list of matches"),
    "notices": phrase("tells people what waits for them"),
}


class WorkerRow(msgspec.Struct, frozen=True):
    """A worker.

    Attributes:
        seen: What the queue says of it.
        seconds: How long ago it gave a sign of life; None if never.
        is_silent: Whether that is too long ago.
    """

    seen: WorkerSeen
    seconds: float | None
    is_silent: bool


class Queue(msgspec.Struct, frozen=True):
    """The queue, as far as its server tells.

    Attributes:
        is_set: Whether the settings name a server for jobs.
        away: Why it does not answer; empty if it does.
        workers: Those who take them.
        silent: Which of several servers do not answer.
        unserved: From which of several servers no worker takes jobs.
    """

    is_set: bool
    away: str = ""
    jobs: tuple[Jobs, ...] = ()
    workers: tuple[WorkerRow, ...] = ()
    silent: tuple[str, ...] = ()
    unserved: tuple[str, ...] = ()


@get("/queues")
async def show_queues(request: Http) -> ASGIResponse:
    """Show jobs, workers, loops and projections."""
    visit = Visit(request)
    parts, now = visit.parts.application, present_instant()
    loops = await loops_of(parts, now)
    notice = _NOTICES.get(request.query_params.get("done", ""))
    return ops_page(
        request,
        "queues.html",
        notice=words_in(visit.language).say(notice) if notice else "",
        kinds=_in_words(_KINDS, visit.language),
        states=_in_words(_STATES, visit.language),
        purposes=_in_words(_PURPOSES, visit.language),
        queue=await _queue(job_servers(visit.parts.settings), now),
        loops=loops,
        durability=visit.parts.durability.verdict,
        went_back=await went_back(visit.parts, now),
        projections=loops.projections,
        notices=await notices_standing(parts),
        parked=await dead_letters(parts.log_client, parts.store.shards),
    )


@post("/queues/retry")
async def retry_job(request: Http) -> ASGIResponse:
    """Queue a failed job again."""
    return await _act(request, "retried")


@post("/queues/discard")
async def discard_job(request: Http) -> ASGIResponse:
    """Forget a job that does not run."""
    return await _act(request, "discarded")


@post("/queues/rebuild")
async def rebuild_projection(request: Http) -> ASGIResponse:
    """Ask the loops to rebuild a projection beside the rows that are read."""
    visit = Visit(request)
    name = (await read_form(visit)).text("projection")
    if name != NAME:
        return see_other(ADDRESS)
    parts = visit.parts.application
    await Generations(parts.log_client, parts.store.shards).want()
    _log.info("operator_acted", act="rebuild", projection=name)
    return see_other(f"{ADDRESS}?done=wanted")


async def _act(request: Http, act: str) -> ASGIResponse:
    visit = Visit(request)
    job_id = (await read_form(visit)).text("job")
    servers = job_servers(visit.parts.settings)
    if servers is None:
        return see_other(f"{ADDRESS}?done=away")
    try:
        found = await ask_queue(
            servers, lambda queue: queue.retry(job_id) if act == "retried" else queue.discard(job_id)
        )
        done = act if found else "gone"
    except JobStoreUnavailable:
        done = "away"
    _log.info("operator_acted", act=f"job_{act}", job=job_id, outcome=done)
    return see_other(f"{ADDRESS}?done={done}")


def _in_words(texts: Mapping[str, Phrase], language: str) -> dict[str, str]:
    words = words_in(language)
    return {name: words.say(text) for name, text in texts.items()}


async def _queue(servers: JobServers | None, now: Instant) -> Queue:
    if servers is None:
        return Queue(is_set=False)
    try:
        standing = await ask_queue(servers, lambda queue: queue.look())
    except JobStoreUnavailable as error:
        return Queue(is_set=True, away=str(error) or error.code)
    return Queue(
        is_set=True,
        jobs=standing.jobs,
        workers=tuple(_worker(one, now) for one in standing.workers),
        silent=standing.away,
        unserved=standing.unserved,
    )


def _worker(seen: WorkerSeen, now: Instant) -> WorkerRow:
    seconds = None if seen.heartbeat is None else seconds_between(seen.heartbeat, now)
    return WorkerRow(seen, seconds, seconds is None or seconds > WORKER_SILENCE_SECONDS)

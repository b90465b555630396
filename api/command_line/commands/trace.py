"""``tablee trace``."""

import click
import msgspec

from api.command_line.call import Call, call_options, require_good
from api.command_line.group import CommandFailed
from api.command_line.opening import work_on
from api.command_line.output import say, say_json, say_table
from api.command_line.progress import show_progress
from api.command_line.values import MATCH_ID
from services.audit.traces import TRACE, TracedMatch, in_order, traced_in
from services.bootstrap.queue import opened_queue
from services.jobs.errors import JobStoreUnavailable
from services.jobs.servers import job_servers_at
from services.log.embedded.running import find_running
from services.log.event_store.contract import EventStore, Status
from services.process.settings import Settings


class _Job(msgspec.Struct, frozen=True):
    """A job that carries the id and has not been done yet.

    Attributes:
        kind: ``queued``, ``running``, ``failed`` or ``scheduled``.
        match: The match whose bots it moves.
        reason: Why it failed.
    """

    id: str
    kind: str
    match: str
    reason: str


@click.command()
@click.argument("trace_id", metavar="ID")
@click.option(
    "--match",
    "matches",
    multiple=True,
    type=MATCH_ID,
    help="Look only in this match. May be given several times.",
)
@click.option("--archived", is_flag=True, help="Also look in the archive.")
@call_options()
def trace(*, trace_id: str, matches: tuple[str, ...], archived: bool, call: Call) -> None:
    """Find what a correlation id led to: events, refusals and jobs.

    ID is the X-Request-ID of an answer, or the trace of a problem document; a player can quote it. Events of bots and
    of the clock carry the id of the request that set them off. Nothing hidden is shown.
    """
    if not TRACE(trace_id):
        raise CommandFailed("A correlation id has 1 to 64 letters, digits, - and _.")
    settings = call.location.settings()
    with call.log() as log:
        found = work_on(log, lambda parts: _found(parts.store, trace_id, matches, archived=archived))
        jobs = _jobs(settings, trace_id)
    if call.as_json:
        refused = [one for match in found for one in match.refused]
        say_json({"trace": trace_id, "events": in_order(found), "refused": refused, "jobs": jobs})
    else:
        _tell(trace_id, found, jobs)
    require_good(bool(found or jobs))


async def _found(
    log: EventStore, trace_id: str, matches: tuple[str, ...], *, archived: bool
) -> list[TracedMatch]:
    found = []
    chosen = list(matches) or [match async for match in log.matches()]
    for number, match in enumerate(chosen, 1):
        if number % 100 == 0:
            show_progress(f"{number} of {len(chosen)} matches")
        if not matches and not archived and await _is_archived(log, match):
            continue
        traced = await traced_in(log, match, trace_id)
        if traced.events or traced.refused:
            found.append(traced)
    show_progress("")
    return found


async def _is_archived(log: EventStore, match: str) -> bool:
    meta = await log.meta(match)
    return meta is not None and meta.status is Status.ARCHIVED


def _jobs(settings: Settings, trace_id: str) -> list[_Job]:
    running = find_running(settings.data_folder)
    named = settings.job_store_url or (running.job_store_url if running is not None else "")
    servers = job_servers_at(named, settings.shards)
    if servers is None:
        return []
    try:
        with opened_queue(servers) as queue:
            standing = queue.look()
    except JobStoreUnavailable:
        return []
    return [
        _Job(job.id, jobs.kind, job.match, job.reason)
        for jobs in standing.jobs
        for job in jobs.seen
        if job.trace == trace_id
    ]


def _tell(trace_id: str, found: list[TracedMatch], jobs: list[_Job]) -> None:
    events = in_order(found)
    if events:
        rows: list[tuple[str, ...]] = [
            (one.match, str(one.version), str(one.at), one.type, f"{one.actor} by {one.door}", one.command)
            for one in events
        ]
        say_table(("MATCH", "VERSION", "AT", "TYPE", "WHO", "COMMAND"), rows)
    for match in found:
        for one in match.refused:
            say(f"refused  {one.at}  {one.kind} of {one.actor} by {one.door}: {one.code}  {one.command}")
    for job in jobs:
        say(f"{job.kind} job  {job.id}  {job.match}  {job.reason}".rstrip())
    if not found and not jobs:
        say("Nothing in the log carries this id: nothing was accepted, and no refusal of it is kept.")
    say(f"In the service log: grep {trace_id}, or for JSON: jq 'select(.correlation == \"{trace_id}\")'")

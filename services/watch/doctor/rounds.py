"""The doctor's rounds: all checks but those of single matches, in the order of the report."""

from collections.abc import Iterable
from functools import partial
from math import inf
from typing import Final

import msgspec
import redis.asyncio

from domain.errors import BrokenLog
from domain.instants import instant_from_milliseconds
from services.audit.digests import Digests
from services.log.archive.closed_matches import ClosedMatches
from services.log.archive.errors import ArchiveUnavailable
from services.log.archive.shelf import Archive
from services.log.backup.last import last_backup
from services.log.embedded.running import Running
from services.log.event_store.contract import EventStore, Status
from services.log.held_clock import clock_held
from services.log.high_water_mark import HighWaterMarkFile, compared
from services.log.proof import prove_chain
from services.log.secret_mark import kept_mark
from services.notices.outbox import Outbox
from services.process.code_identity import code_digest
from services.projections.followers import progress
from services.projections.list_reader import Look
from services.projections.standing import consumers, dead_letters, projections
from services.watch.doctor.archive_rounds import ArchiveRoundFile, Turn, judge_round, sample
from services.watch.doctor.cluster import cluster_facts, judge_cluster
from services.watch.doctor.diagnosis import Diagnosis, act, fine, look
from services.watch.doctor.examination import Examined, Moment
from services.watch.doctor.feed import judge_clock, judge_feed, judge_high_water_mark
from services.watch.doctor.installation import (
    judge_backup,
    judge_durability,
    judge_secret,
    judge_writes,
    store_facts,
)
from services.watch.doctor.list_places import judge_places
from services.watch.doctor.machine import (
    ClockFacts,
    judge_future,
    judge_held,
    judge_memory,
    judge_skew,
)
from services.watch.doctor.matches import diagnoses
from services.watch.doctor.notices import judge_notices
from services.watch.doctor.pointers import judge_pointers
from services.watch.doctor.projection_rows import judge_standing
from services.watch.doctor.queue import JobsAsked, judge_queue, queue_facts
from services.watch.doctor.service import (
    judge_code,
    judge_processes,
    judge_readiness,
    process_facts,
    readiness_facts,
)
from services.watch.doctor.survey import Grounds
from services.watch.findings import findings_of
from services.watch.match_facts import MatchFacts

_ALL: Final = 1_000_000
_FEW: Final = 20


class Practice(msgspec.Struct, frozen=True):
    """What the rounds are made with.

    Attributes:
        store: The log, with the archive behind it.
        client: A client of its server.
        archive: The archive.
        digests: The row of digests.
        closed: What waits for the archive, or for a digest.
        moment: The circumstances.
        look: Asks the log's server.
    """

    store: EventStore
    client: "redis.asyncio.Redis"
    archive: Archive
    digests: Digests
    closed: ClosedMatches
    moment: Moment
    look: Look


def look_at_service(running: Running | None, *, elsewhere: bool = False) -> list[Diagnosis]:
    """Look at the processes of a service on this machine; None says that none runs on this data folder.

    Args:
        running: What ``tablee up`` has published there.
        elsewhere: Whether the log's server is named by its address: then its service may run in containers or on
            other machines, which publish nothing here.
    """
    if running is None and elsewhere:
        return [
            fine(
                "service.elsewhere",
                "The service runs in containers or on machines of its own, if it runs: `loops.…`, `worker.…` and "
                "`jobs.…` tell, and the API says at /health/ready whether it is ready.",
            )
        ]
    if running is None:
        return [
            fine(
                "service.stopped",
                "No service runs on this data folder; what only a running one shows is left out.",
            )
        ]
    pids = {**running.pids, "supervisor": running.pid}
    found = [*judge_processes(process_facts(pids)), *judge_code(running.code, code_digest())]
    if running.api_url is not None:
        found.append(judge_readiness(readiness_facts(running.api_url)))
    return found


def silent_store(running: Running) -> Diagnosis:
    """Return the finding that a running service's own store does not answer."""
    return act(
        "store.silent",
        f"The log's server at {running.log_store_url} does not answer, although the service runs.",
        "Nobody can play or look: every answer is 503. Nothing that was acknowledged is lost.",
        "`process.…` says whether it is frozen. `log/server.log` in the data folder is what it says itself. Ending it "
        "(`kill PID`) makes the service start it anew. More can be looked at when it answers.",
    )


async def look_at_store(
    practice: Practice, *, accepted: bool, here: bool
) -> tuple[list[Diagnosis], ClockFacts]:
    """Look at the log's server, on this machine or elsewhere; return what its clock says, too."""
    verdict, memory, clock = await store_facts(practice.client, here=here)
    held = judge_held(await clock_held(practice.client))
    found = [*judge_durability(verdict, accepted=accepted), *await judge_writes(practice.client)]
    found += [*judge_memory(memory), judge_skew(clock), *held]
    found += judge_cluster(await cluster_facts(practice.client, practice.store.shards))
    return found, clock


async def look_at_feed(practice: Practice) -> list[Diagnosis]:
    """Look how far the consumers of the feed are, and whether the clock visits what is due."""
    moment = practice.moment
    lags = await consumers(practice.client, practice.store.shards)
    earliest = await _earliest(practice.store, moment.now)
    return [
        *judge_feed(await progress(practice.store, lags), moment.now, running=moment.running),
        *judge_clock(earliest, moment.now, running=moment.running),
    ]


async def _earliest(store: EventStore, now: int) -> tuple[str, int] | None:
    """Return the open match that has been due for longest; others are strays, which another check finds."""
    for match, due in await store.due(now, _FEW):
        try:
            meta = await store.meta(match)
        except BrokenLog:
            continue
        if meta is not None and meta.status is Status.OPEN:
            return match, due
    return None


async def look_at_heights(practice: Practice, mark: HighWaterMarkFile) -> list[Diagnosis]:
    """Compare how far the feeds are with what was noted beside the store."""
    noted = mark.read()
    if noted is None:
        return []
    now = instant_from_milliseconds(practice.moment.now)
    return judge_high_water_mark(compared(noted, await practice.store.positions(), now), str(mark.file))


async def look_at_queue(practice: Practice, asked: JobsAsked | None) -> list[Diagnosis]:
    """Look at workers and jobs of a service that runs; None if nobody says where its jobs are."""
    if not practice.moment.running:
        return []
    if asked is None:
        return [
            look(
                "jobs.unknown",
                "Nobody says where the jobs' server is.",
                "Workers and jobs were not looked at.",
                "Set TABLEE_JOB_STORE_URL to what the service has.",
            )
        ]
    return judge_queue(await queue_facts(asked), practice.moment.now)


async def look_at_notices(practice: Practice) -> list[Diagnosis]:
    """Look whether people are told what waits for them, where a service runs."""
    if not practice.moment.running:
        return []
    outbox, now = Outbox(practice.client), instant_from_milliseconds(practice.moment.now)
    return judge_notices(await outbox.late_seconds(now), (await outbox.waiting())["dead"])


async def look_at_keeping(practice: Practice, present: str | None, *, here: bool) -> list[Diagnosis]:
    """Look whether the present secret is the one that left its mark in the log, and how old the last backup is.

    Args:
        practice: What to look with.
        present: The present secret's mark; None if there is no secret.
        here: Whether the secret belongs here: who looks at a log by its address need not have it.
    """
    backup = judge_backup(await last_backup(practice.client), practice.moment.now)
    if present is None and not here:
        return [backup]
    return [judge_secret(await kept_mark(practice.client), present), backup]


def grounds_of(practice: Practice, first: int = 0, listing: float = inf) -> Grounds:
    """Return what is surveyed; see :class:`services.watch.doctor.survey.Grounds`."""
    return Grounds(
        practice.store,
        practice.look,
        practice.client,
        practice.archive,
        practice.digests,
        practice.closed,
        practice.moment.now,
        practice.moment.deep,
        first,
        listing,
    )


async def look_at_traces(practice: Practice, shards: Iterable[int]) -> list[Diagnosis]:
    """Compare what was derived from the logs of some shards with them: the feed's pointers, the indexes of the rows."""
    found = list[Diagnosis]()
    for shard in shards:
        found += [one async for one in judge_pointers(practice.store, practice.client, shard)]
        found += [one async for one in judge_places(practice.client, practice.store.shards, shard)]
    return found


async def read_in_turn(practice: Practice, turn: Turn, rounds: ArchiveRoundFile) -> list[Diagnosis]:
    """Read the files of the archive whose turn it is; those that are missing are found elsewhere."""
    now = instant_from_milliseconds(practice.moment.now)
    try:
        sampled = await sample(turn, now, partial(prove_chain, practice.store))
    except ArchiveUnavailable:
        return []
    noted = rounds.note(sampled.round)
    facts = [
        MatchFacts(verdict.match, practice.moment.now, verdict=verdict)
        for verdict in sampled.bad
        if verdict.code != "archive.missing"
    ]
    return [*told_of(practice.moment, facts), judge_round(sampled, now, noted=noted)]


async def look_at_projections(practice: Practice) -> list[Diagnosis]:
    """Look how the projections stand as a whole, and what was set aside."""
    shards, now = practice.store.shards, practice.moment.now
    standings = await projections(practice.client, shards)
    letters = await dead_letters(practice.client, shards)
    found = [
        *judge_standing(standings, running=practice.moment.running),
        *told_of(practice.moment, [MatchFacts(one.match, now, dead_letters=(one,)) for one in letters]),
    ]
    return found or [fine("projection.well", f"Nothing was set aside; projections: {', '.join(standings)}.")]


def told_of(moment: Moment, facts: Iterable[MatchFacts]) -> list[Diagnosis]:
    """Return what is found in facts about matches."""
    found = [finding for one in facts for finding in findings_of(one)]
    return diagnoses(found, moment.now, running=moment.running)


class Looked:
    """What examining matches comes to, one after the other."""

    def __init__(self) -> None:
        self.findings: Final[list[Diagnosis]] = []
        self.bad: Final[dict[str, None]] = {}
        self._count = self._good = 0
        self._late: Final[set[str]] = set()
        self._newest = Examined("", None)

    def known_good(self, count: int) -> None:
        """Count matches that an earlier look has found good."""
        self._count, self._good = self._count + count, self._good + count

    def take(self, examined: Examined) -> None:
        """Take a match that was examined."""
        self._count += 1
        # A bot that was late says nothing against the match in which it was.
        wrong = [one for one in examined.findings if one.code != "match.bot_was_late"]
        self._good += not wrong
        if wrong:
            self.bad.setdefault(examined.match)
        if len(wrong) < len(examined.findings):
            self._late.add(examined.match)
        self.findings.extend(examined.findings)
        if examined.newest > self._newest.newest:
            self._newest = examined

    def of_instants(self, clock: ClockFacts, now: int) -> list[Diagnosis]:
        """Look for events from the future; people have played on meanwhile."""
        newest = self._newest
        if newest.meta is None:
            return []
        facts = msgspec.structs.replace(
            clock, here=now, newest=newest.newest, match=newest.match, version=newest.meta.version
        )
        return judge_future(facts)

    def of_matches(self, good: int, total: int, *, deep: bool) -> list[Diagnosis]:
        """Return all findings, and how many matches are good.

        Args:
            good: How many more are, that needed no examination.
            total: How many matches there are.
            deep: Whether all was proven that can be.
        """
        how = "everything that can be proven" if deep else "chain, record, due instant and who is to act"
        late = len(self._late)
        slow = f" In {late} a bot was late within the last hour." if late else ""
        looked_at = self._count + good
        left = f" {total - looked_at} more are read at the next visits." if total > looked_at else ""
        said = f"{self._good + good} of {looked_at} match(es) are good: {how}.{slow}{left}"
        return [*self.findings, fine("match.good", said)]

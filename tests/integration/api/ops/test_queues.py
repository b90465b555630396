"""The queue on RQ's own registries, the loops, and the projections."""

import pytest
from rq import Worker
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer

import api.ops.matches
import api.ops.queues
from domain.instants import after
from services.bootstrap import present_instant
from services.jobs.bots import bots_queue
from services.log.embedded.durability import DurabilityVerdict, Problem
from services.log.event_store.keys import Keyspace
from services.notices.messages import Delivery, Message
from services.notices.occasions import Name
from services.notices.outbox import Outbox
from services.process.settings import Settings

REASON = "services.errors.StoreUnavailable: <no answer>"


@pytest.fixture
def queue(house):
    return bots_queue(house.jobs)


def put(queue, job_id, match="m1"):
    return queue.enqueue_call("workers.bot_turns.play", args=(match, "t-" + job_id), job_id=job_id)


def fail(queue, job_id):
    """Let a job fail as a worker lets it."""
    job = put(queue, job_id)
    queue.remove(job)
    job.set_status(JobStatus.FAILED)
    queue.failed_job_registry.add(job, ttl=600)
    job._handle_failure(f"Traceback\n  ...\n{REASON}", pipeline=queue.connection)
    return job


async def test_without_jobs_workers_and_loops_it_says_what_that_means(house):
    anna = await house.operator()
    page = (await anna.get("/ops/queues")).text
    assert "No worker takes jobs." in page
    assert "Queued 0" in page
    assert "No match waits for a deadline or a bot." in page


async def test_jobs_are_told_with_their_match_and_why_they_failed(house, queue):
    put(queue, "bot-m1-3-0")
    fail(queue, "bot-m1-5-1")
    page = (await (await house.operator()).get("/ops/queues")).text
    assert "Queued 1" in page
    assert "Failed 1" in page
    assert "StoreUnavailable: &lt;no answer&gt;" in page
    assert page.count('href="/ops/m/m1"') == 2
    assert "t-bot-m1-3-0" in page


async def test_a_failed_job_is_retried(house, queue):
    fail(queue, "bot-m1-5-1")
    anna = await house.operator()
    await anna.get("/ops/queues")
    page = (await anna.submit("/queues/retry")).text
    assert "The job is queued again." in page
    assert queue.get_job_ids() == ["bot-m1-5-1"]
    assert queue.failed_job_registry.get_job_count(cleanup=False) == 0


async def test_a_job_is_discarded_wherever_it_waits(house, queue):
    put(queue, "bot-m1-3-0")
    fail(queue, "bot-m1-5-1")
    anna = await house.operator()
    for _ in range(2):
        await anna.get("/ops/queues")
        assert "The job is discarded." in (await anna.submit("/queues/discard")).text
    assert queue.get_job_ids() == []
    assert queue.failed_job_registry.get_job_count(cleanup=False) == 0
    assert not house.jobs.keys("rq:job:*")


async def test_what_is_not_there_or_runs_is_left_alone(house, queue):
    anna = await house.operator()
    put(queue, "bot-m1-3-0")
    await anna.get("/ops/queues")
    form = anna.form("/queues/discard")
    Job.fetch("bot-m1-3-0", house.jobs, serializer=JSONSerializer).set_status(JobStatus.STARTED)
    for action in ("retry", "discard"):
        for job in ("bot-m1-3-0", "unknown", "", "../x", "é", "a b", "x" * 9000):
            fields = [*((name, value) for name, value in form["fields"] if name != "job"), ("job", job)]
            page = (await anna.post(f"/ops/queues/{action}", fields)).text
            assert "nothing was done" in page, (action, job)
    assert Job.exists("bot-m1-3-0", house.jobs)


async def test_a_form_from_elsewhere_changes_nothing(house, queue):
    fail(queue, "bot-m1-5-1")
    anna = await house.operator()
    for action in ("retry", "discard", "rebuild"):
        answer = await anna.post(f"/ops/queues/{action}", [("job", "bot-m1-5-1"), ("projection", "matches")])
        assert answer.status_code == 403
    assert queue.failed_job_registry.get_job_ids(cleanup=False) == ["bot-m1-5-1"]


async def test_looking_leaves_the_registries_as_they_are(house, queue):
    put(queue, "bot-m1-3-0")
    # What RQ itself would clear away as soon as it counts: long expired.
    house.jobs.zadd(queue.started_job_registry.key, {"bot-m1-3-0:run": 1})
    house.jobs.zadd(queue.failed_job_registry.key, {"bot-m1-1-0": 1})
    page = (await (await house.operator()).get("/ops/queues")).text
    assert "Running 1" in page
    assert "Failed 1" in page
    assert house.jobs.zcard(queue.started_job_registry.key) == 1
    assert house.jobs.zcard(queue.failed_job_registry.key) == 1


async def test_a_worker_shows_its_last_sign_of_life(house, queue, monkeypatch):
    worker = Worker([queue], connection=house.jobs, serializer=JSONSerializer, name="worker-one")
    worker.register_birth()
    worker.heartbeat()
    anna = await house.operator()
    page = (await anna.get("/ops/queues")).text
    assert "worker-one" in page
    assert "it hangs or is dead" not in page
    monkeypatch.setattr(api.ops.queues, "present_instant", lambda: after(present_instant(), 200))
    page = (await anna.get("/ops/queues")).text
    assert "3 minutes ago (it hangs or is dead)" in page


async def test_a_server_of_jobs_that_is_away_is_shown_as_such(house, monkeypatch):
    anna = await house.operator()
    parts = house.app.state.parts
    nowhere = Settings(job_store_url="redis://127.0.0.1:1/0")
    monkeypatch.setattr(house.app.state, "parts", type(parts)(nowhere, *list(_fields(parts))[1:]))
    answer = await anna.get("/ops/queues")
    assert answer.status_code == 200
    assert (
        "The jobs&#39; server does not answer." in answer.text
        or "jobs' server does not answer" in answer.text
    )
    page = (await anna.post("/ops/queues/retry", [("form", _token(anna)), ("job", "x")])).text
    assert "nothing was done" in page


def _fields(parts):
    return (getattr(parts, name) for name in parts.__struct_fields__)


def _token(reader):
    return dict(reader.form("/ops/leave")["fields"])["form"]


async def test_the_clock_is_late_when_something_is_due_and_nobody_comes(house, monkeypatch):
    await house.play("bots", "steady", "steady")
    monkeypatch.setattr(api.ops.queues, "present_instant", lambda: after(present_instant(), 75))
    page = (await (await house.operator()).get("/ops/queues")).text
    assert "The clock is 1 minute late." in page


async def test_who_follows_the_log_is_told_with_what_he_has_not_read(house, monkeypatch):
    store = house.application.store
    for shard, head in (await store.positions()).items():
        await store.advance("slow", shard, None, head)
        await store.advance("gone-on", shard, None, head)
    await house.play("one", "", "steady")
    (shard,) = [shard for shard, head in (await store.positions()).items() if head]
    await store.advance("gone-on", shard, 0, 99)
    await house.catch_up()
    anna = await house.operator()
    page = (await anna.get("/ops/queues")).text
    assert "4 commands behind, for less than a second" in page
    assert "the store went back in time" in page
    assert "up to date" in page
    assert "does not run, or hangs" not in page
    later = lambda: after(present_instant(), 61)  # noqa: E731 - as short as what it stands for
    monkeypatch.setattr(api.ops.queues, "present_instant", later)
    page = (await anna.get("/ops/queues")).text
    assert "4 commands behind, for 1 minute (it does not run, or hangs)" in page


@pytest.mark.parametrize(
    "fields",
    [
        {"e": b"no envelope", "s": b"", "h": b"h"},
        {"e": b"\xff", "s": b"", "h": b"h"},
        {"x": b"no entry"},
        {
            "e": b'{"v":1,"type":"","at":"soon","actor":"a","door":"","command":{"id":"","from":1,"to":1},"data":{}}',
            "s": b"",
            "h": b"h",
        },
    ],
)
async def test_an_entry_that_cannot_be_read_does_not_hide_who_is_behind(house, fields):
    store, client = house.application.store, house.application.log_client
    for shard, head in (await store.positions()).items():
        await store.advance("slow", shard, None, head)
    await house.play("one", "", "steady")
    events = Keyspace(store.shards).of_match("one").events
    await client.delete(events)
    await client.xadd(events, fields, id="1-0")
    anna = await house.operator()
    assert (await anna.get("/ops")).status_code == 200
    assert "4 commands behind" in (await anna.get("/ops/queues")).text


async def test_the_archive_is_not_called_stuck_between_two_of_its_looks(house, monkeypatch):
    """It looks every twenty seconds, the others at once."""
    store = house.application.store
    for shard, head in (await store.positions()).items():
        await store.advance("archive", shard, None, head)
    await house.play("one", "", "steady")
    await house.catch_up()
    anna = await house.operator()
    for seconds, is_stuck in ((25, False), (125, True)):
        later = lambda passed=seconds: after(present_instant(), passed)  # noqa: E731 - as above
        monkeypatch.setattr(api.ops.queues, "present_instant", later)
        monkeypatch.setattr(api.ops.matches, "present_instant", later)
        assert ("it does not run, or hangs" in (await anna.get("/ops/queues")).text) is is_stuck, seconds
        assert ("Behind the log: archive" in (await anna.get("/ops")).text) is is_stuck, seconds


async def test_the_list_of_matches_says_when_it_may_be_old(house, monkeypatch):
    await house.play("one", "", "steady")
    anna = await house.operator()
    assert "may be old" not in (await anna.get("/ops")).text
    later = lambda: after(present_instant(), 61)  # noqa: E731 - as short as what it stands for
    monkeypatch.setattr(api.ops.matches, "present_instant", later)
    page = (await anna.get("/ops")).text
    assert "This list, and what needs attention, may be old." in page
    assert "Nothing: no match" not in page


async def test_a_rebuild_is_asked_for_and_done_by_the_loops(house):
    await house.play("one", "steady", "steady")
    await house.catch_up()
    row = (await house.application.listing.row("one")).version
    anna = await house.operator()
    await anna.get("/ops/queues")
    page = (await anna.submit("/queues/rebuild")).text
    assert "The rebuild is asked for." in page
    assert not anna.has_form("/queues/rebuild")
    await house.rebuild()
    await anna.get("/ops/queues")
    assert anna.has_form("/queues/rebuild")
    assert (await house.application.listing.row("one")).version == row


async def test_nothing_wrong_answers_a_wrong_projection(house):
    anna = await house.operator()
    await anna.get("/ops/queues")
    answer = await anna.submit("/queues/rebuild", projection="tb:../x")
    assert (answer.status_code, answer.url.path) == (200, "/ops/queues")


async def test_a_log_that_may_lose_moves_is_told_on_both_pages(house):
    anna = await house.operator()
    assert "keeps what it has acknowledged" in (await anna.get("/ops/queues")).text
    watch = house.app.state.parts.durability
    watch.verdict = DurabilityVerdict(
        "no", (Problem("aof_write_fails", "aof_last_write_status err", "Is the <disk> full?"),)
    )
    for address in ("/ops", "/ops/queues"):
        page = (await anna.get(address)).text
        assert "may lose moves" in page
        assert "aof_last_write_status err" in page
        assert "Is the &lt;disk&gt; full?" in page
        assert "Nothing: no match" not in page


class TestNotices:
    async def test_what_was_given_up_is_seen_and_tried_again(self, house):
        outbox, now = Outbox(house.application.log_client), present_instant()
        name = Name("m1", "p1", "turn", "turn-7")
        await outbox.enter(name, "u1", [("mail", now)])
        entries = await outbox.outgoing(now, 9)
        message = Message("aa11", "u1", "mail", "en", "Your turn", (), now)
        assert await outbox.take(message, entries, now)
        claimed = await outbox.claim("aa11", now)
        assert claimed is not None
        dead = Delivery("aa11", "u1", "mail", ("turn",), ("m1",), now, 7, "dead", "550 <no such mailbox>")
        await outbox.settle(claimed, dead)
        anna = await house.operator()
        page = (await anna.get("/ops/queues")).text
        assert "given up 1" in page
        assert "550 &lt;no such mailbox&gt;" in page
        assert "The message is tried again" in (await anna.submit("/queues/notices")).text
        assert await outbox.on_their_way(present_instant(), 9) == ["aa11"]

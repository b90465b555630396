"""A worker that the queue's server has forgotten is known again as soon as it reports."""

import threading
from collections.abc import Iterator

import pytest
import redis
from redis.client import Pipeline
from rq import Worker
from rq.serializers import JSONSerializer

from services.jobs.bots import bots_queue
from services.jobs.standing import JobQueue
from tests.conformance.backends import flushed
from tests.conformance.servers import running, valkey_program
from workers.rq_worker import BotWorker


@pytest.fixture(scope="module")
def server():
    with running(valkey_program(), fsync="no") as one:
        yield one


@pytest.fixture
def jobs(server) -> Iterator["redis.Redis"]:
    with redis.Redis.from_url(flushed(server, 0)) as client:
        yield client


@pytest.fixture
def worker(jobs) -> BotWorker:
    return BotWorker(
        [bots_queue(jobs)], connection=jobs, serializer=JSONSerializer, name="one", worker_ttl=16
    )


def names(jobs: "redis.Redis") -> list[str]:
    return [one.name for one in JobQueue(jobs).look().workers]


def test_a_worker_that_waits_is_registered_again_after_the_store_was_emptied(worker, jobs, monkeypatch):
    """A real worker at its real work; it stops by itself when there are no jobs."""
    emptied, seen = threading.Event(), []
    heartbeat = BotWorker.heartbeat

    def heard(self: BotWorker, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        if not emptied.is_set() and Worker.count(connection=jobs):
            jobs.flushall()
            emptied.set()
            assert names(jobs) == []
        heartbeat(self, timeout, pipeline)
        if pipeline is None:
            seen.append([(one.name, one.state, one.pid) for one in JobQueue(jobs).look().workers])

    monkeypatch.setattr(BotWorker, "heartbeat", heard)
    monkeypatch.setattr(worker, "_install_signal_handlers", lambda: None)
    worker.work(burst=True, logging_level="WARNING")
    assert emptied.is_set()
    assert seen
    assert all(workers == [("one", "idle", worker.pid)] for workers in seen)
    assert names(jobs) == [], "who has ended is not registered again"


def test_it_is_known_by_all_that_it_was_known_by(worker, jobs):
    worker.register_birth()
    before = jobs.hgetall(worker.key)
    jobs.flushall()
    worker.heartbeat()
    after = jobs.hgetall(worker.key)
    assert before.keys() <= after.keys()
    assert {name: after[name] for name in (b"birth", b"pid", b"queues")} == {
        name: before[name] for name in (b"birth", b"pid", b"queues")
    }
    assert 0 < jobs.ttl(worker.key) <= 16 + 60
    assert Worker.count(queue=bots_queue(jobs)) == Worker.count(connection=jobs) == 1


def test_one_that_was_cleared_away_as_dead_is_registered_again(worker, jobs):
    worker.register_birth()
    jobs.delete(worker.key)
    jobs.srem("rq:workers", worker.key)
    worker.heartbeat()
    assert names(jobs) == ["one"]


def test_within_a_pipeline_it_only_reports(worker, jobs):
    worker.register_birth()
    jobs.flushall()
    with jobs.pipeline() as pipeline:
        worker.heartbeat(60, pipeline=pipeline)
        assert jobs.keys("*") == []
        pipeline.execute()
    worker.heartbeat()
    assert names(jobs) == ["one"]

"""What senders of jobs do when the queue's server does not accept them."""

import os
import signal
import time

import pytest
import redis

from services.bootstrap.clients import SENDING, blocking_client
from services.jobs.bots import QUEUE_NAME, bots_queue
from services.jobs.errors import JobStoreUnavailable
from tests.conformance.servers import running, valkey_program
from workers.jobs import BotsQueue


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def server():
    with running(valkey_program()) as started:
        yield started


@pytest.fixture
def client(server):
    with blocking_client(server.url(), SENDING) as connection:
        yield connection


def took(question) -> float:
    began = time.monotonic()
    with pytest.raises(JobStoreUnavailable):
        question()
    return time.monotonic() - began


def test_a_server_that_does_not_answer_is_waited_for_once_and_then_left_alone(server, client):
    clock = Clock()
    queue = BotsQueue(client, clock)
    assert queue.send("bot-m-1-0-0", "m", "trace")
    os.kill(server.pid, signal.SIGSTOP)
    try:
        assert took(lambda: queue.send("bot-m-1-0-1", "m", "trace")) >= SENDING.answer_seconds
        for _ in range(100):
            assert took(lambda: queue.send("bot-m-1-0-1", "m", "trace")) < SENDING.answer_seconds / 2
        assert took(queue.was_emptied) < SENDING.answer_seconds / 2
    finally:
        os.kill(server.pid, signal.SIGCONT)
    clock.seconds = 6.0
    # The request that timed out may have been carried out all the same.
    queue.send("bot-m-1-0-1", "m", "trace")
    assert client.llen(f"rq:queue:{QUEUE_NAME}") == 2


def test_one_of_several_servers_that_does_not_answer_is_waited_for_once_by_who_sends(server, client):
    clock = Clock()
    queue = BotsQueue(client, clock, is_one_of_several=True)
    assert queue.was_emptied()
    os.kill(server.pid, signal.SIGSTOP)
    try:
        assert took(lambda: queue.send("bot-m-1-0-0", "m", "trace")) >= SENDING.answer_seconds
        clock.seconds = 60.0
        for _ in range(100):
            assert took(lambda: queue.send("bot-m-1-0-0", "m", "trace")) < SENDING.answer_seconds / 2
        assert took(queue.was_emptied) >= SENDING.answer_seconds
    finally:
        os.kill(server.pid, signal.SIGCONT)
    clock.seconds = 120.0
    assert not queue.was_emptied()
    assert queue.send("bot-m-1-0-1", "m", "trace")


def test_a_server_that_is_gone_is_asked_again_at_once(server, client):
    queue = BotsQueue(client)
    assert queue.send("bot-m-1-0-0", "m", "trace")
    server.kill()
    assert took(lambda: queue.send("bot-m-1-0-1", "m", "trace")) < SENDING.answer_seconds
    server.start()
    assert queue.send("bot-m-1-0-1", "m", "trace")


def test_the_same_job_is_sent_once(client):
    queue = BotsQueue(client)
    assert queue.send("bot-m-1-0-0", "m", "trace")
    assert not queue.send("bot-m-1-0-0", "m", "trace")


def test_an_emptied_server_is_noticed(client):
    queue = BotsQueue(client)
    assert queue.was_emptied()
    assert not queue.was_emptied()
    client.flushall()
    assert queue.was_emptied()
    assert not queue.was_emptied()


def test_a_broken_connection_is_no_lost_job(server, client):
    queue = BotsQueue(client)
    assert queue.send("bot-m-1-0-0", "m", "trace")
    with redis.Redis.from_url(server.url()) as other:
        other.client_kill_filter(_type="normal", skipme=True)
    assert queue.send("bot-m-1-0-1", "m", "trace")
    assert bots_queue(client).job_ids == ["bot-m-1-0-0", "bot-m-1-0-1"]

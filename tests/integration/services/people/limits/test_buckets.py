"""The shared buckets on real servers: nobody gets more than there is, however many ask at once."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator

import pytest
import redis
from structlog.testing import capture_logs

from services.people.limits.buckets import PREFIX, Buckets, Limit, Withdrawal
from services.people.limits.limiter import PARTS, Limiter
from tests.conformance.backends import flushed, patient
from tests.conformance.servers import Server, redis_program, running, valkey_program

SLOW = Limit(rate=0.001, burst=100)
"""Gets nothing back while a test lasts."""


@pytest.fixture(scope="module", params=[valkey_program, redis_program], ids=["valkey", "redis"])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with running(request.param(), fsync="no") as one:
        yield one


def process(server: Server) -> Buckets:
    return Buckets(server.url(), patient())


@pytest.fixture
async def buckets(server: Server) -> AsyncIterator[Buckets]:
    flushed(server, 0)
    one = process(server)
    yield one
    await one.close()


async def waits(buckets: Buckets, *withdrawals: Withdrawal) -> list[float]:
    answer = await buckets.take(withdrawals)
    assert answer is not None
    return answer


async def test_a_bucket_gives_what_it_holds_and_then_says_when(buckets):
    for _ in range(4):
        assert await waits(buckets, Withdrawal("a", SLOW, 25)) == [0]
    [wait] = await waits(buckets, Withdrawal("a", SLOW, 1))
    assert 900 < wait <= 1000
    [longer] = await waits(buckets, Withdrawal("a", SLOW, 50))
    assert 49_000 < longer <= 50_000
    assert await waits(buckets, Withdrawal("b", SLOW, 1)) == [0]


async def test_buckets_of_one_question_are_each_for_themselves(buckets):
    await waits(buckets, Withdrawal("a", SLOW, 100))
    [first, second] = await waits(buckets, Withdrawal("a", SLOW, 1), Withdrawal("b", SLOW, 60))
    assert (first > 0, second) == (True, 0)
    [again] = await waits(buckets, Withdrawal("b", SLOW, 60))
    assert again > 0


async def test_what_was_taken_flows_back(buckets):
    quick = Limit(rate=1000, burst=100)
    began = time.monotonic()
    taken = 0
    while time.monotonic() - began < 0.5:
        taken += 10 * ((await waits(buckets, Withdrawal("a", quick, 10))) == [0])
    assert taken <= quick.burst + quick.rate * (time.monotonic() - began)
    assert taken > quick.burst


async def test_many_processes_together_get_exactly_what_there_is(server, buckets):
    processes = [buckets, *(process(server) for _ in range(3))]

    async def greedy(one: Buckets) -> int:
        answers = await asyncio.gather(*(waits(one, Withdrawal("a", SLOW, 1)) for _ in range(60)))
        return answers.count([0])

    try:
        assert sum(await asyncio.gather(*map(greedy, processes))) == SLOW.burst
    finally:
        for one in processes[1:]:
            await one.close()


async def test_many_processes_that_count_by_themselves_exceed_it_by_a_chunk_each_at_most(server, buckets):
    processes = [buckets, *(process(server) for _ in range(3))]
    limiters = [Limiter(one) for one in processes]

    async def greedy(one: Limiter) -> int:
        passed = 0
        for _ in range(80):
            passed += await one.wait(1, (("person", "anne", SLOW),)) == 0
        return passed

    try:
        passed = sum(await asyncio.gather(*map(greedy, limiters)))
        assert SLOW.burst <= passed <= SLOW.burst * (1 + len(limiters) / PARTS)
    finally:
        for one in processes[1:]:
            await one.close()


async def test_a_full_bucket_takes_no_memory(server, buckets):
    quick = Limit(rate=1000, burst=100)
    await waits(buckets, Withdrawal("a", quick, 50))
    with redis.Redis.from_url(server.url()) as client:
        assert 0 < client.pttl(PREFIX + "a") <= 50
        await asyncio.sleep(0.06)
        assert client.keys() == []


@pytest.mark.parametrize("stored", ["9" * 20, "inf", "nan", "-5", "", "nonsense"])
async def test_a_number_that_makes_no_sense_locks_nobody_out(server, buckets, stored):
    with redis.Redis.from_url(server.url()) as client:
        client.set(PREFIX + "a", stored)
    assert await waits(buckets, Withdrawal("a", SLOW, 60)) == [0]
    assert await waits(buckets, Withdrawal("a", SLOW, 60)) != [0]


async def test_a_key_of_another_kind_counts_as_a_store_that_is_away(server, buckets):
    with redis.Redis.from_url(server.url()) as client:
        client.lpush(PREFIX + "a", "x")
    assert await buckets.take([Withdrawal("a", SLOW, 1)]) is None


async def test_scripts_that_the_server_forgot_are_sent_again(server, buckets):
    await waits(buckets, Withdrawal("a", SLOW, 1))
    with redis.Redis.from_url(server.url()) as client:
        client.script_flush()
    assert await waits(buckets, Withdrawal("a", SLOW, 1)) == [0]


async def test_a_store_that_is_away_is_told_once_and_costs_little_time():
    absent = Buckets("unix:///nowhere/at/all")
    with capture_logs() as lines:
        began = time.monotonic()
        for _ in range(3):
            assert await absent.take([Withdrawal("a", SLOW, 1)]) is None
        assert time.monotonic() - began < 5
    assert [line["event"] for line in lines] == ["limits_off"]
    await absent.close()


async def test_a_store_that_comes_back_is_told():
    with running(valkey_program(), fsync="no") as server:
        buckets = process(server)
        await waits(buckets, Withdrawal("a", SLOW, 1))
        server.stop()
        with capture_logs() as lines:
            assert await buckets.take([Withdrawal("a", SLOW, 1)]) is None
            server.start()
            assert await waits(buckets, Withdrawal("a", SLOW, 1)) == [0]
        assert [line["event"] for line in lines] == ["limits_off", "limits_on"]
        await buckets.close()

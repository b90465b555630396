"""The client for what is beside the log answers as redis-py's own does, and asks on the connection that is shared."""

import asyncio

import pytest
import redis

from services.bootstrap.clients import COMMAND, SERVING, client_of_log


@pytest.fixture
async def client(server):
    async with await client_of_log(server.url(), SERVING) as made:
        await made.flushdb()
        yield made


async def test_answers_have_the_shapes_of_the_library(client):
    await client.hset("h", mapping={"a": 1, "b": "é"})
    await client.zadd("z", {"one": 1, "two": 2.5})
    await client.sadd("s", "x", "y")
    assert await client.hgetall("h") == {b"a": b"1", b"b": "é".encode()}
    assert await client.hmget("h", ["b", "c"]) == ["é".encode(), None]
    assert await client.zrange("z", 0, -1, withscores=True) == [(b"one", 1.0), (b"two", 2.5)]
    assert await client.smembers("s") == {b"x", b"y"}
    assert await client.set("k", "v", nx=True) is True
    assert await client.set("k", "v", nx=True) is None
    assert [await client.exists("k", "none"), await client.get("none"), await client.ttl("k")] == [
        1,
        None,
        -1,
    ]
    assert {key async for key in client.scan_iter(match="?")} == {b"h", b"z", b"s", b"k"}
    assert (await client.info("server"))["redis_version"]


async def test_scripts_and_transactions_work(client):
    script = client.register_script("return redis.call('INCRBY', KEYS[1], ARGV[1])")
    assert [await script(keys=["n"], args=[2]), await script(keys=["n"], args=[3])] == [2, 5]
    async with client.pipeline(transaction=True) as pipeline:
        pipeline.hset("h", "a", "1")
        pipeline.hgetall("h")
        assert await pipeline.execute() == [1, {b"a": b"1"}]


async def test_an_error_is_the_librarys(client):
    await client.set("k", "text")
    with pytest.raises(redis.ResponseError, match="WRONGTYPE"):
        await client.hgetall("k")


async def test_many_questions_at_once_share_a_connection(client):
    await asyncio.gather(*(client.set(f"k{number}", number) for number in range(50)))
    assert await asyncio.gather(*(client.get(f"k{number}") for number in range(50))) == [
        b"%d" % number for number in range(50)
    ]
    assert len([one for one in await client.client_list() if one["cmd"] != "info"]) == 1


async def test_a_restart_of_the_server_is_not_noticed_by_who_asks_next(server, client):
    assert await client.ping()
    server.kill()
    server.start()
    assert await client.get("k") is None


async def test_a_server_that_is_gone_is_the_librarys_error(server):
    async with await client_of_log(server.url(), COMMAND) as client:
        await client.ping()
        server.kill()
        with pytest.raises(redis.RedisError):
            await client.get("k")
        server.start()

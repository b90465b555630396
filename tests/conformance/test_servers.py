"""What only shows on something that speaks Redis: scripts, slots, settings, and a store that was tampered with."""

import binascii

import pytest
import redis
from redis.asyncio.connection import ConnectionPool

from domain.errors import BrokenLog
from services.errors import StoreUnavailable
from services.log.event_store.contract import Appended, Duplicate, Status
from services.log.event_store.errors import FeedGap, InstallationMismatch
from services.log.event_store.keys import INSTALLATION, Keyspace
from services.log.event_store.redis_store import RedisEventStore
from tests.conformance.backends import REAL, SPEAKING_REDIS, database_of, patient
from tests.conformance.journal import Journal, everything

pytestmark = pytest.mark.backends(*SPEAKING_REDIS, shards=(16,))


@pytest.fixture
def ask(store):
    """Return a way to send any command to the store's server."""

    async def ask_one(*command):
        return (await store._connections.ask(command))[0]

    return ask_one


@pytest.fixture
def calls(store, monkeypatch):
    """Return the list of commands that the store sends, filled as it goes, one item per round trip."""
    sent = []
    real = store._connections.ask

    async def noted(*commands, **options):
        sent.append(commands)
        return await real(*commands, **options)

    monkeypatch.setattr(store._connections, "ask", noted)
    return sent


def _slot(key):
    """Return a key's cluster slot: CRC-16/XMODEM of what stands in the first braces."""
    return binascii.crc_hqx(key.partition("{")[2].partition("}")[0].encode(), 0) % 16384


async def test_an_append_is_one_round_trip(store, calls):
    ada = Journal()
    await ada.write(store)
    calls.clear()
    await ada.write(store, 5, due=7)
    assert len(calls) == 1
    assert len(calls[0]) == 1


@pytest.mark.backends(*SPEAKING_REDIS)
async def test_all_keys_of_one_command_share_a_slot(store, calls):
    for number in range(20):
        ada = Journal(f"m{number}")
        await ada.write(store, due=7)
        await store.set_due(ada.match, 1, 8)
        await store.record_refusal(ada.match, b"{}")
        await store.advance("lobby", number % store.shards, None, number)
        await store.trim_feed(number % store.shards)
        await ada.write(store, status=Status.CLOSED)
        await store.write_tombstone(ada.match, ada.head)
    scripts = [command for commands in calls for command in commands if command[0] in {"EVALSHA", "EVAL"}]
    assert len(scripts) >= 7 * 20
    for _, _, count, *rest in scripts:
        assert len({_slot(key) for key in rest[:count]}) == 1


async def test_the_servers_own_slots_are_ours():
    assert _slot("tb:{s07}:feed") == _slot("tb:{s07}:m:x:ev")
    assert _slot("{123456789}") == 0x31C3


async def test_what_the_server_forgets_of_scripts_it_learns_again(store, ask):
    ada = Journal()
    await ada.write(store)
    await ask("SCRIPT", "FLUSH")
    append = await ada.write(store, 2, due=5)
    await ask("SCRIPT", "FLUSH")
    assert await store.append(append) == Duplicate(2, 3)
    await ask("SCRIPT", "FLUSH")
    assert await store.set_due("m", 3, 6)
    await ask("SCRIPT", "FLUSH")
    assert await store.advance("lobby", 0, None, 0)
    await ask("SCRIPT", "FLUSH")
    assert await store.trim_feed(0) == 0
    await ask("SCRIPT", "FLUSH")
    await store.record_refusal("m", b"{}")
    await ada.write(store, status=Status.CLOSED)
    await ask("SCRIPT", "FLUSH")
    assert await store.write_tombstone("m", ada.head)


async def test_a_due_place_that_belongs_to_no_open_match_is_given_up_when_it_is_visited(store, ask):
    ada = Journal("closed")
    await ada.write(store, status=Status.CLOSED)
    for match, version in (("closed", ada.version), ("unknown", 0)):
        await ask("ZADD", Keyspace(store.shards).of_shard_of(match).due, 5, match)
        assert await store.due(5, 10) == [(match, 5)]
        assert not await store.set_due(match, version, 9)
        assert await store.due(5, 10) == []


async def test_entries_can_be_read_with_any_tool(store, ask):
    ada = Journal()
    await ada.write(store, 2)
    key = Keyspace(store.shards).of_match("m").events
    first, second = ada.entries
    assert await ask("XRANGE", key, "-", "+") == [
        [b"1-0", [b"e", first.e, b"h", first.h]],
        [b"2-0", [b"e", second.e, b"s", second.s, b"h", second.h]],
    ]


@pytest.mark.backends(*SPEAKING_REDIS)
async def test_a_store_keeps_the_number_of_shards_of_its_first_use(store, ask, shards):
    assert await ask("HMGET", INSTALLATION, "shards", "layout") == [b"%d" % shards, b"1"]
    adopted = await RedisEventStore.on(_another_pool(store), None, patient())
    assert adopted.shards == shards
    await adopted.close()
    with pytest.raises(InstallationMismatch) as told:
        await RedisEventStore.on(_another_pool(store), shards + 1, patient())
    assert (told.value.setting, told.value.stored, told.value.given) == ("shards", shards, shards + 1)
    assert await ask("HGET", INSTALLATION, "shards") == b"%d" % shards


def _another_pool(store):
    """Return a pool to the same server: a store closes the one that it is given."""
    pool = store._connections._pool
    return ConnectionPool(connection_class=pool.connection_class, **pool.connection_kwargs)


async def test_a_layout_that_this_release_does_not_know_is_refused(ask, open_store):
    await ask("HSET", INSTALLATION, "layout", 2)
    with pytest.raises(InstallationMismatch, match="layout"):
        await open_store()


async def test_a_new_store_has_sixteen_shards(store, ask):
    await ask("FLUSHDB")
    opened = await RedisEventStore.on(_another_pool(store), None, patient())
    assert opened.shards == 16
    await opened.close()


async def test_a_removed_entry_is_named(store, ask):
    ada = Journal()
    await ada.write(store, 5)
    await ask("XDEL", Keyspace(store.shards).of_match("m").events, "3-0")
    with pytest.raises(BrokenLog) as told:
        await store.read("m")
    assert (told.value.code, told.value.version) == ("log.not_dense", 3)
    assert await store.read("m", after=3) == ada.entries[3:]


async def test_an_entry_put_in_between_is_named(store, ask):
    ada = Journal()
    await ada.write(store, 2)
    await ask("XADD", Keyspace(store.shards).of_match("m").events, "2-1", "e", "{}", "h", "x")
    with pytest.raises(BrokenLog) as told:
        await store.read("m")
    assert (told.value.code, told.value.version) == ("log.not_dense", 3)


async def test_an_entry_that_is_none_is_named(store, ask):
    ada = Journal()
    await ada.write(store, 2)
    await ask("XADD", Keyspace(store.shards).of_match("m").events, "3-0", "data", "{}")
    with pytest.raises(BrokenLog) as told:
        await store.read("m")
    assert (told.value.code, told.value.version) == ("log.entry_malformed", 3)


@pytest.mark.parametrize("field", ["head", "status", "game", "rules"])
async def test_a_meta_record_that_lacks_a_field_is_named(store, ask, field):
    await Journal().write(store, 3)
    await ask("HDEL", Keyspace(store.shards).of_match("m").meta, field)
    with pytest.raises(BrokenLog) as told:
        await store.meta("m")
    assert (told.value.code, told.value.version) == ("log.meta_malformed", 3)


@pytest.mark.parametrize(
    ("field", "value", "detail"),
    [
        ("version", "x", "ValueError: invalid literal for int"),
        ("status", "sleeping", "ValueError: 'sleeping' is not a valid Status"),
        ("game", b"\xff", "UnicodeDecodeError: "),
        ("rules", "", "invalid literal for int"),
        ("due", "soon", "invalid literal for int"),
    ],
)
async def test_a_meta_record_that_cannot_be_read_is_named(store, ask, field, value, detail):
    await Journal().write(store, 3)
    await ask("HSET", Keyspace(store.shards).of_match("m").meta, field, value)
    with pytest.raises(BrokenLog) as told:
        await store.meta("m")
    assert (told.value.code, told.value.version) == ("meta.unreadable", 1)
    assert detail in told.value.detail


@pytest.mark.parametrize(
    "tampering", [("XADD", "2-1", "e", "{}"), ("XADD", "9-0", "e", "{}"), ("XDEL", "2-0"), ("DEL",)]
)
async def test_nothing_is_appended_to_a_log_that_contradicts_its_meta_record(store, ask, tampering):
    ada = Journal()
    await ada.write(store, 2)
    command, *rest = tampering
    await ask(command, Keyspace(store.shards).of_match("m").events, *rest)
    before = await store.positions()
    with pytest.raises(BrokenLog, match=r"log\.end_differs"):
        await store.append(ada.command(due=7))
    assert await store.positions() == before
    assert (await store.meta("m")).version == 2
    assert await store.next_due() is None


async def test_nothing_is_appended_when_the_feed_does_not_take_the_pointer(store, ask):
    ada = Journal()
    await ada.write(store, 2)
    feed = Keyspace(store.shards).of_shard_of("m").feed
    await ask("XADD", feed, "9-0", "x", "y")
    before = await everything(store)
    with pytest.raises(BrokenLog, match=r"log\.feed_differs"):
        await store.append(ada.command(due=7))
    assert await everything(store) == before
    assert await ada.matches(store)


@pytest.mark.parametrize("kind", ["events", "meta", "due", "shard", "feed"])
async def test_a_key_of_another_type_stops_an_append_before_it_writes(store, ask, kind):
    ada = Journal("foreign")
    keyspace = Keyspace(store.shards)
    names = keyspace.of_match("foreign")._asdict() | keyspace.of_shard_of("foreign")._asdict()
    await ask("SET", names[kind], "foreign")
    with pytest.raises((StoreUnavailable, BrokenLog)):
        await store.append(ada.command(due=7))
    assert await ask("KEYS", "tb:*foreign*") == ([names[kind].encode()] if kind in {"events", "meta"} else [])
    assert await ask("KEYS", "tb:{*") == [names[kind].encode()]


async def test_a_lost_pointer_is_noticed(store, ask):
    ada = Journal()
    for _ in range(4):
        await ada.write(store)
    shard = (await store.positions()).popitem()[0] if store.shards == 1 else None
    shard = (
        next(number for number, head in (await store.positions()).items() if head) if shard is None else shard
    )
    await ask("XDEL", Keyspace(store.shards).of_shard(shard).feed, "2-0")
    assert [one.position for one in await store.feed({shard: 2}, 10, 0)] == [3, 4]
    with pytest.raises(FeedGap) as told:
        await store.feed({shard: 0}, 10, 0)
    assert (told.value.expected, told.value.found) == (2, 3)


@pytest.mark.backends(*REAL, shards=(16,))
@pytest.mark.parametrize(
    "option", ["", "&decode_responses=true", "&protocol=3", "&socket_timeout=1", "&client_name=x"]
)
async def test_a_url_cannot_change_how_replies_are_read(store, server, shards, option):
    other = await RedisEventStore.open(server.url(database_of(shards)) + option, shards, patient())
    try:
        ada = Journal()
        await ada.write(other, 3, due=9)
        assert await ada.matches(other)
        assert await everything(other) == await everything(store)
    finally:
        await other.close()


@pytest.mark.backends(*REAL, shards=(16,))
async def test_what_cannot_be_written_still_answers_duplicates(store, server, shards):
    ada = Journal()
    append = await ada.write(store, 2)
    with redis.Redis.from_url(server.url(database_of(shards))) as client:
        client.config_set("maxmemory", "1")
        try:
            with pytest.raises(StoreUnavailable, match="maxmemory"):
                await store.append(ada.command())
            assert await store.append(append) == Duplicate(1, 2)
            assert await ada.matches(store)
        finally:
            client.config_set("maxmemory", "0")
    assert await store.append(ada.command()) == Appended(3, 3)

"""Where keys are on a cluster, and which node has them."""

import pytest

from services.log.event_store import keys
from services.log.event_store.addresses import single_urls
from services.log.event_store.slot_map import SlotMap
from services.log.event_store.slots import (
    HOUSE_SLOT,
    key_places,
    placed,
    placed_command,
    placed_pattern,
    slot_of,
    unplaced,
)
from tests.kit.slot_watch import require_one_slot


@pytest.mark.parametrize(
    ("written", "there"),
    [
        ("tb:installation", "tb:{house}:installation"),
        ("tb:people:token:x", "tb:{house}:people:token:x"),
        ("tb:people:person:*", "tb:{house}:people:person:*"),
        ("tb:{s07}:m:x:ev", "tb:{s07}:m:x:ev"),
        ("tb:{notices}:log", "tb:{notices}:log"),
        ("rq:queue:bots", "rq:queue:bots"),
    ],
)
def test_keys_without_a_tag_share_one_slot_and_come_back_under_their_own_names(written, there):
    assert placed(written) == there
    assert placed(written.encode()) == there.encode()
    assert unplaced(there.encode()) == written.encode()
    if "{house}" in there:
        assert slot_of(placed_command(("GET", written))) == HOUSE_SLOT


def test_all_keys_are_looked_for_everywhere():
    assert placed_pattern("tb:*") == "tb:*"
    assert placed_pattern(keys.META_PATTERN) == keys.META_PATTERN


@pytest.mark.parametrize(
    ("command", "there"),
    [
        (("GET", "a"), ["a"]),
        (("SET", b"a", "tb:not-a-key"), [b"a"]),
        (("MGET", "a", "b"), ["a", "b"]),
        (("EVALSHA", "digest", 2, "a", "b", "argument"), ["a", "b"]),
        (("EVAL", b"return 1", b"1", "a", "argument"), ["a"]),
        (("XREAD", "COUNT", 1, "BLOCK", 5, "STREAMS", "a", "b", "1-0", "2-0"), ["a", "b"]),
        (("WAIT", 1, 1000), []),
        (("SCRIPT LOAD", "text"), []),
        (("CONFIG GET", "appendonly"), []),
        (("MEMORY USAGE", "a"), ["a"]),
    ],
)
def test_where_the_keys_of_a_command_are(command, there):
    assert [command[at] for at in key_places(command)] == there


def test_the_shards_of_sixteen_lie_in_sixteen_slots_and_each_in_one():
    keyspace = keys.Keyspace(16)
    slots = set()
    for shard in range(16):
        names = [*keyspace.of_shard(shard), keyspace.of_projection(shard, "matches", "5-1", "rows")]
        (slot,) = {slot_of(("GET", name)) for name in names}
        slots.add(slot)
    assert len(slots) == 16


def test_what_is_done_in_one_step_over_several_slots_is_noticed():
    require_one_slot([("SET", "tb:people:a", 1), ("SADD", "tb:people:clubs", 1)])
    with pytest.raises(AssertionError, match="several slots"):
        require_one_slot([("SET", "tb:people:a", 1), ("SET", "tb:{notices}:log", 1)])


def test_a_map_knows_who_has_a_slot_and_who_has_none():
    reply = [
        [5461, 10922, [b"10.0.0.2", 7001, b"b"]],
        [0, 5460, [b"", 7000, b"a"], [b"10.0.0.4", 7003, b"d"]],
        [12000, 16383, [None, 7002, b"c"]],
    ]
    known = SlotMap.of_reply(reply, ("10.0.0.9", 7000))
    assert known.primary_of(0) == known.primary_of(5460) == ("10.0.0.9", 7000)
    assert known.primary_of(5461) == ("10.0.0.2", 7001)
    assert known.primary_of(11000) is None
    assert known.primary_of(16383) == ("10.0.0.9", 7002)
    assert known.primaries == (("10.0.0.2", 7001), ("10.0.0.9", 7000), ("10.0.0.9", 7002))
    assert ("10.0.0.4", 7003) in known.nodes


@pytest.mark.parametrize(
    ("url", "singles"),
    [
        ("redis://one", ("redis://one",)),
        ("unix:///a,b/c", ("unix:///a,b/c",)),
        ("redis://u:p@one:1,two:2/0?x=y", ("redis://u:p@one:1/0?x=y", "redis://u:p@two:2/0?x=y")),
        ("valkeys://one,two", ("valkeys://one", "valkeys://two")),
        ("sentinel://one:1,two:2/name", ("sentinel://one:1,two:2/name",)),
    ],
)
def test_an_address_may_name_several_nodes(url, singles):
    assert single_urls(url) == singles

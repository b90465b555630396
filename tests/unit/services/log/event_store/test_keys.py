from collections import Counter

import pytest

from services.log.event_store.keys import Keyspace, MatchKeys, ShardKeys, match_of, shard_of


# CRC-32 of "abc" is 0x352441c2. These may never change: stored matches would not be found.
@pytest.mark.parametrize(
    ("match", "shards", "shard"), [("abc", 16, 2), ("abc", 4, 2), ("abc", 1, 0), ("abc", 256, 0xC2)]
)
def test_a_match_stays_in_its_shard_for_ever(match, shards, shard):
    assert shard_of(match, shards) == shard


def test_matches_spread_over_all_shards():
    counts = Counter(shard_of(f"m{number}", 16) for number in range(16_000))
    assert set(counts) == set(range(16))
    assert min(counts.values()) > 900


def test_the_names_are_those_of_the_design():
    keyspace = Keyspace(16)
    assert keyspace.of_match("abc") == MatchKeys(
        "tb:{s02}:m:abc:ev", "tb:{s02}:m:abc:meta", "tb:{s02}:m:abc:refused", "tb:{s02}:m:abc:acts"
    )
    assert keyspace.of_shard(15) == ShardKeys(
        "tb:{s15}:feed", "tb:{s15}:shard", "tb:{s15}:due", "tb:{s15}:leases"
    )
    assert keyspace.of_shard_of("abc") == keyspace.of_shard(2)
    assert keyspace.of_projection(7, "lobby", "1", "rows") == "tb:{s07}:p:lobby:1:rows"


def test_a_meta_key_tells_its_match():
    for match in ("abc", "a_b-c", "-"):
        assert match_of(Keyspace(16).of_match(match).meta) == match


@pytest.mark.parametrize("shards", [0, -1, 257])
def test_a_store_has_some_shards_and_not_too_many(shards):
    with pytest.raises(ValueError, match="shards"):
        Keyspace(shards)

import hashlib
import json

import pytest
from msgspec.structs import replace

from domain.chain import follow_chain, genesis, link
from domain.errors import BrokenLog
from domain.games.registry import CURRENT
from tests.kit.table import started


def test_a_match_without_events_has_the_hash_of_its_id():
    assert genesis("m7") == hashlib.sha256(b"tablee/1 m7").digest()
    assert genesis("é") == hashlib.sha256("tablee/1 é".encode()).digest()


def test_a_link_is_the_hash_of_the_hash_before_it_and_the_stored_bytes():
    head = genesis("m7")
    assert link(head, b'{"v":1}') == hashlib.sha256(head + b'{"v":1}').digest()


def test_two_bytes_that_a_reader_takes_for_the_same_give_two_hashes():
    head = genesis("m7")
    assert link(head, b'{"v":1}') != link(head, b'{"v": 1}')


@pytest.mark.parametrize("game", sorted(CURRENT))
def test_the_hashes_of_a_log_are_those_that_a_script_without_this_program_computes(game):
    table = started(game, 3, nonces=True)
    for _ in range(6):
        table.move(table.to_act[0])
    head = hashlib.sha256(b"tablee/1 m1").digest()
    for version, entry in enumerate(table.entries, 1):
        head = hashlib.sha256(head + entry.e).digest()
        assert entry.h == head
        assert json.loads(entry.e)["v"] == version == entry.version
    assert table.position.head == head


def test_openings_are_outside_the_chain_so_that_a_redacted_log_still_verifies():
    one, other = started("lama", 2, seed="00" * 32), started("lama", 2, seed="00" * 32)
    assert [entry.h for entry in one.entries] == [entry.h for entry in other.entries]
    entry = one.entries[-1]
    assert entry.s
    assert link(one.entries[-2].h, entry.e) == entry.h


def test_a_chain_that_is_followed_ends_in_its_last_hash_and_names_the_first_event_that_is_wrong():
    entries = started("lama", 3, nonces=True).entries
    assert follow_chain(genesis("m1"), entries) == entries[-1].h
    assert follow_chain(entries[2].h, entries[3:], 3) == entries[-1].h
    assert follow_chain(entries[2].h, ()) == entries[2].h
    altered = [*entries[:3], replace(entries[3], e=entries[3].e + b" "), *entries[4:]]
    for wrong in (altered, [*entries[:3], *entries[4:]]):
        with pytest.raises(BrokenLog) as told:
            follow_chain(genesis("m1"), wrong)
        assert (told.value.code, told.value.version) == ("log.chain_broken", 4)

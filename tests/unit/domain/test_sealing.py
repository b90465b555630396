"""Commitments, salts and openings, computed a second time with nothing but hashlib and json."""

import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import ClassVar

import msgspec
import pytest

from domain.sealing import (
    Audience,
    Event,
    Opening,
    commitment_of,
    may_open,
    redact,
    salt_of,
    seal,
    sealed_fields,
    unseal,
)
from domain.viewers import EVERYTHING, SPECTATOR, seat_viewer

SEED = "ab" * 32


class Dealt(Event, frozen=True):
    SEALED: ClassVar[Mapping[str, Audience]] = {
        "hands": Audience.EACH_SEAT,
        "pile": Audience.NOBODY,
        "peek": Audience.SEAT,
    }

    seat: int
    hands: tuple[tuple[str, ...], ...]
    pile: tuple[str, ...]
    peek: dict[str, int]
    top: str = "é"


DEALT = Dealt(1, (("b", "a"), (), ("é",)), ("z", "y"), {"b": 2, "a": 1})


def salt(version: int, field: str) -> bytes:
    return hmac.new(bytes.fromhex(SEED), f"{version}/{field}".encode(), hashlib.sha256).digest()


def commitment(version: int, field: str, value: object) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(salt(version, field) + text.encode()).hexdigest()


def test_a_salt_is_an_hmac_of_version_and_field_under_the_seed():
    assert salt_of(SEED, 7, "hands/2") == salt(7, "hands/2")
    assert len(salt_of(SEED, 7, "pile")) == 32


def test_a_commitment_is_the_hash_of_salt_and_canonical_value():
    assert commitment_of(b"s" * 32, b'["z","y"]') == hashlib.sha256(b"s" * 32 + b'["z","y"]').hexdigest()


def test_sealed_fields_are_replaced_by_commitments_and_the_others_stay():
    data, _ = seal(DEALT, 7, SEED)
    assert data == {
        "seat": 1,
        "hands": [
            {"sealed": commitment(7, "hands/0", ["b", "a"])},
            {"sealed": commitment(7, "hands/1", [])},
            {"sealed": commitment(7, "hands/2", ["é"])},
        ],
        "pile": {"sealed": commitment(7, "pile", ["z", "y"])},
        "peek": {"sealed": commitment(7, "peek", {"b": 2, "a": 1})},
    }


def test_each_opening_says_who_may_have_it():
    _, openings = seal(DEALT, 7, SEED)
    assert {opening.field: opening.seats for opening in openings} == {
        "hands/0": (0,),
        "hands/1": (1,),
        "hands/2": (2,),
        "pile": (),
        "peek": (1,),
    }


def test_each_opening_holds_the_salt_and_the_canonical_value():
    _, openings = seal(DEALT, 7, SEED)
    by_field = {opening.field: opening for opening in openings}
    assert by_field["peek"] == Opening("peek", salt(7, "peek").hex(), msgspec.Raw(b'{"a":1,"b":2}'), (1,))
    assert bytes(by_field["hands/2"].value) == '["é"]'.encode()


def test_an_event_without_sealed_fields_has_no_openings():
    class Passed(Event, frozen=True):
        seat: int

    assert seal(Passed(2), 3, SEED) == ({"seat": 2}, ())


def test_the_same_value_in_two_fields_versions_or_matches_is_sealed_differently():
    seals = {
        commitment_of(salt_of(seed, version, field), b'"L"')
        for seed in (SEED, "cd" * 32)
        for version in (1, 2, 11)
        for field in ("card", "hands/1", "hands/11")
    }
    assert len(seals) == 18


def test_a_commitment_tells_nothing_of_the_length_of_what_it_seals():
    _, short = seal(Dealt(0, ((),), (), {}), 1, SEED)
    data, _ = seal(Dealt(0, (("x",) * 50,), (), {}), 1, SEED)
    assert len(short) == 3
    assert len(json.dumps(data)) == len(json.dumps(seal(Dealt(0, ((),), (), {}), 1, SEED)[0]))


def test_putting_all_openings_back_gives_the_event_again():
    data, openings = seal(DEALT, 7, SEED)
    stored = json.loads(json.dumps(data))
    assert msgspec.convert(unseal(stored, openings), Dealt) == DEALT


def test_what_has_no_opening_stays_sealed():
    data, openings = seal(DEALT, 7, SEED)
    shown = unseal(json.loads(json.dumps(data)), redact(openings, seat_viewer(2)))
    assert shown["hands"] == [data["hands"][0], data["hands"][1], ["é"]]
    assert (shown["pile"], shown["peek"]) == (data["pile"], data["peek"])


def test_commitments_are_found_by_path():
    data, openings = seal(DEALT, 7, SEED)
    found = sealed_fields(data)
    assert found.keys() == {opening.field for opening in openings}
    assert found["hands/1"] == commitment(7, "hands/1", [])


@pytest.mark.parametrize(
    "value", ["ab", {"sealed": "x", "more": 1}, {}, 7, None, [["nested"]], [{"other": 1}]]
)
def test_nothing_else_is_taken_for_a_commitment(value):
    assert sealed_fields({"field": value}) == {}


def test_a_seat_gets_its_own_openings_a_spectator_none_and_who_sees_everything_all():
    _, openings = seal(DEALT, 7, SEED)
    fields = {
        name: {opening.field for opening in redact(openings, viewer)}
        for name, viewer in {
            "seat 0": seat_viewer(0),
            "seat 1": seat_viewer(1),
            "seat 9": seat_viewer(9),
            "spectator": SPECTATOR,
            "everything": EVERYTHING,
        }.items()
    }
    assert fields == {
        "seat 0": {"hands/0"},
        "seat 1": {"hands/1", "peek"},
        "seat 9": set(),
        "spectator": set(),
        "everything": {"hands/0", "hands/1", "hands/2", "pile", "peek"},
    }


def test_an_opening_for_several_seats_opens_for_each_of_them():
    opening = Opening("card", "00", msgspec.Raw(b"1"), (0, 2))
    assert [may_open(opening, seat_viewer(seat)) for seat in range(3)] == [True, False, True]

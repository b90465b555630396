import hashlib
import json

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from domain.canonical import canonical_json, digest
from domain.match.clock import ClockTerms
from domain.match.state import Terms

texts = some.text(some.characters(exclude_categories=["Cs"]), max_size=12)
numbers = some.integers(-(2**63), 2**64 - 1)
values = some.recursive(
    some.none() | some.booleans() | numbers | texts,
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


def plain_json(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


@settings(max_examples=60, derandomize=True, deadline=None, database=None)
@given(values)
def test_it_is_what_pythons_json_gives_with_sorted_keys_and_no_white_space(value):
    assert canonical_json(value) == plain_json(value)


@pytest.mark.parametrize("code", [*range(0x20), 0x22, 0x5C, 0x7F, 0x2028, 0x2029, 0xFFFF, 0x1F0A1])
def test_every_character_that_json_might_escape_is_written_as_pythons_json_writes_it(code):
    assert canonical_json({chr(code): chr(code)}) == plain_json({chr(code): chr(code)})


def test_keys_are_sorted_by_code_point_and_not_by_utf_16():
    beyond, within = "\U0001f0a1", "￿"
    assert canonical_json({beyond: 1, within: 2}) == f'{{"{within}":2,"{beyond}":1}}'.encode()


def test_keys_that_are_no_text_have_no_canonical_order_and_are_an_error():
    with pytest.raises(TypeError):
        canonical_json({2: "b", 10: "a"})


def test_the_fields_of_a_struct_are_sorted_too_and_defaults_left_out():
    terms = Terms("odin", 1, {"limit": 10}, 3, "host", ClockTerms(60))
    assert canonical_json(terms) == (
        b'{"clock":{"per_turn":60},"game":"odin","host":"host","options":{"limit":10},"rules":1,"seats":3}'
    )


def test_the_same_value_gives_the_same_bytes_whatever_it_was_built_from():
    class Pair(msgspec.Struct):
        second: tuple[int, ...]
        first: str

    built = canonical_json(Pair((1, 2), "x"))
    assert built == canonical_json({"first": "x", "second": [1, 2]}) == b'{"first":"x","second":[1,2]}'


def test_a_digest_is_the_sha_256_of_those_bytes():
    value = {"b": [1, "é"], "a": None}
    assert digest(value) == hashlib.sha256('{"a":null,"b":[1,"é"]}'.encode()).hexdigest()

"""Refused commands: kept beside the log, bounded, only for matches that exist."""

import pytest

from services.log.event_store.checks import MOST_REFUSAL_BYTES
from services.log.event_store.contract import REFUSALS_KEPT, Status
from tests.conformance.journal import Journal

pytestmark = pytest.mark.backends(shards=(16,))


async def test_refusals_come_back_oldest_first(store):
    await Journal().write(store)
    for number in range(3):
        await store.record_refusal("m", b'{"n":%d}' % number)
    assert list(await store.refusals("m")) == [b'{"n":0}', b'{"n":1}', b'{"n":2}']


async def test_only_the_last_are_kept(store):
    await Journal().write(store)
    for number in range(REFUSALS_KEPT + 3):
        await store.record_refusal("m", b"%d" % number)
    assert list(await store.refusals("m")) == [b"%d" % number for number in range(3, REFUSALS_KEPT + 3)]


async def test_a_closed_match_may_still_refuse(store):
    await Journal().write(store, status=Status.CLOSED)
    await store.record_refusal("m", b"{}")
    assert list(await store.refusals("m")) == [b"{}"]


async def test_nothing_is_kept_for_a_match_that_does_not_exist(store):
    await store.record_refusal("made-up", b"{}")
    assert list(await store.refusals("made-up")) == []
    assert [match async for match in store.matches()] == []


async def test_a_refusal_has_a_greatest_length(store):
    await Journal().write(store)
    await store.record_refusal("m", b"x" * MOST_REFUSAL_BYTES)
    with pytest.raises(ValueError, match="at most"):
        await store.record_refusal("m", b"x" * (MOST_REFUSAL_BYTES + 1))

"""The order of checks: the command id, then whether the match is closed, then version and head, then the limit."""

import pytest

from services.log.event_store.contract import (
    CommandReused,
    Conflict,
    Duplicate,
    Gone,
    LimitReached,
    Status,
)
from tests.conformance.journal import Journal, everything

pytestmark = pytest.mark.backends(shards=(16,))


async def _closed(store):
    """Return a closed match of 4 events whose command ``c`` wrote events 2 and 3, and what it appended."""
    ada = Journal()
    await ada.write(store)
    append = await ada.write(store, 2, command_id="c", fingerprint="same")
    await ada.write(store, status=Status.CLOSED)
    return ada, append


async def test_a_duplicate_is_told_before_the_match_is_gone(store):
    _, append = await _closed(store)
    assert await store.append(append) == Duplicate(2, 3)


async def test_the_command_that_closes_a_match_is_a_duplicate_afterwards(store):
    ada = Journal()
    last = await ada.write(store, 2, status=Status.CLOSED)
    assert await store.append(last) == Duplicate(1, 2)


async def test_a_reused_id_is_told_before_the_match_is_gone(store):
    ada, _ = await _closed(store)
    again = ada.command(command_id="c", fingerprint="different")
    assert await store.append(again) == CommandReused(2, 3)


async def test_a_duplicate_is_told_before_a_conflict_and_before_the_limit(store):
    ada = Journal()
    append = await ada.write(store, 2, limit=2)
    assert await store.append(append) == Duplicate(1, 2)
    await ada.write(store, 5, actor="p_eve")
    assert await store.append(append) == Duplicate(1, 2)


async def test_a_duplicate_may_be_decided_on_another_version(store):
    ada = Journal()
    await ada.write(store, 2, command_id="c", fingerprint="same")
    await ada.write(store)
    again = ada.command(3, text="decided anew", command_id="c", fingerprint="same", limit=1)
    assert await store.append(again) == Duplicate(1, 2)


async def test_gone_is_told_before_a_conflict_and_before_the_limit(store):
    ada, _ = await _closed(store)
    stale = Journal()
    assert await store.append(stale.command()) == Gone(Status.CLOSED)
    assert await store.append(ada.command(limit=1)) == Gone(Status.CLOSED)


async def test_a_conflict_is_told_before_the_limit(store):
    ada = Journal()
    await ada.write(store, 3)
    assert await store.append(Journal().command(limit=0)) == Conflict(3, ada.head)


@pytest.mark.parametrize("refused", ["duplicate", "reused", "gone", "tombstone", "conflict", "limit"])
async def test_a_refusal_writes_nothing(store, refused):
    ada, append = await _closed(store)
    other = Journal("open")
    await other.write(store, 2, due=17)
    await store.record_refusal("open", b"{}")
    if refused == "tombstone":
        assert await store.write_tombstone("m", ada.head)
    attempts = {
        "duplicate": (append, Duplicate),
        "reused": (ada.command(command_id="c", fingerprint="different"), CommandReused),
        "gone": (ada.command(due=5), Gone),
        "tombstone": (append, Gone),
        "conflict": (Journal("open").command(due=5, status=Status.CLOSED), Conflict),
        "limit": (other.command(due=5, limit=2), LimitReached),
    }
    attempt, answer = attempts[refused]
    before = await everything(store)

    assert isinstance(await store.append(attempt), answer)

    assert await everything(store) == before
    # Nor is the command remembered: the first command with this id that is accepted is another one.
    if refused in {"conflict", "limit"}:
        assert await store.command(attempt.match, attempt.actor, attempt.command_id) is None

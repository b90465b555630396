"""Closed matches take nothing more; archived ones leave a tombstone and never start again."""

import pytest

from services.log.event_store.contract import Conflict, Gone, Meta, Status
from tests.conformance.journal import Journal, everything

pytestmark = pytest.mark.backends(shards=(16,))


async def test_a_closed_match_takes_nothing_more(store):
    ada = Journal()
    await ada.write(store)
    await ada.write(store, status=Status.CLOSED)
    assert await store.append(ada.command()) == Gone(Status.CLOSED)
    assert await store.append(ada.command(actor="p_eve", status=Status.CLOSED)) == Gone(Status.CLOSED)
    assert await store.append(Journal().command()) == Gone(Status.CLOSED)
    assert await ada.matches(store)


async def test_a_closed_match_needs_nobody(store):
    ada = Journal()
    await ada.write(store, due=100)
    await ada.write(store, status=Status.CLOSED, due=200)
    assert (await store.meta("m")).due is None
    assert await store.next_due() is None
    assert not await store.set_due("m", ada.version, 300)
    assert await store.next_due() is None


@pytest.fixture
async def buried(store):
    ada = Journal()
    await ada.write(store, 2, game="odin", rules=2, command_id="first")
    await ada.write(store, 3, status=Status.CLOSED, game="odin", rules=2, command_id="last")
    await store.record_refusal("m", b"{}")
    assert await store.write_tombstone("m", ada.head)
    return ada


async def test_of_an_archived_match_only_the_tombstone_is_left(store, buried):
    assert await store.meta("m") == Meta(5, buried.head, Status.ARCHIVED, "odin", 2, None)
    assert await store.read("m") == []
    assert list(await store.refusals("m")) == []
    assert await store.command("m", "p_ada", "last") is None
    assert [match async for match in store.matches()] == ["m"]


async def test_an_archived_match_never_starts_again(store, buried):
    assert await store.append(Journal().command()) == Gone(Status.ARCHIVED)
    assert await store.append(buried.command()) == Gone(Status.ARCHIVED)
    assert await store.append(buried.command(command_id="last")) == Gone(Status.ARCHIVED)
    assert await store.read("m") == []


async def test_burying_again_changes_nothing(store, buried):
    before = await everything(store)
    assert await store.write_tombstone("m", buried.head)
    assert await everything(store) == before


@pytest.mark.usefixtures("buried")
async def test_refusals_of_an_archived_match_are_not_kept(store):
    await store.record_refusal("m", b"{}")
    assert list(await store.refusals("m")) == []


async def test_only_a_closed_match_with_the_archived_head_is_removed(store):
    ada = Journal()
    await ada.write(store, due=5)
    older = ada.head
    assert not await store.write_tombstone("m", ada.head)
    await ada.write(store, status=Status.CLOSED)
    before = await everything(store)
    assert not await store.write_tombstone("m", older)
    assert not await store.write_tombstone("nobody", ada.head)
    assert await everything(store) == before


async def test_removing_a_match_leaves_its_neighbours(store):
    ada, eve = Journal("m"), Journal("n")
    await eve.write(store, 3, due=7)
    await ada.write(store, status=Status.CLOSED)
    assert await store.write_tombstone("m", ada.head)
    assert await eve.matches(store)
    assert await store.next_due() == 7
    assert isinstance(await store.append(Journal("n").command()), Conflict)

"""A whole log from elsewhere comes in at once or not at all, under its own id."""

import pytest

from domain.errors import Malformed
from services.log.event_store.contract import Adoption, Conflict, Gone, Meta, Pointer, Status
from tests.conformance.journal import Journal, everything

pytestmark = pytest.mark.backends(shards=(16,))


def adoption(journal: Journal, **changes: object) -> Adoption:
    given = {
        "match": journal.match,
        "entries": tuple(journal.entries),
        "version": journal.version,
        "head": journal.head,
        "status": Status.OPEN,
        "game": "odin",
        "rules": 2,
        "due": 70,
        "types": ("MatchCreated", "Played"),
    }
    return Adoption(**{**given, **changes})  # type: ignore[arg-type]


@pytest.fixture
def log() -> Journal:
    journal = Journal()
    for _ in range(5):
        journal.take(journal.command(3))
    return journal


async def test_an_open_log_goes_on_where_it_was(store, log):
    assert await store.adopt(adoption(log))
    assert await log.matches(store)
    assert await store.meta("m") == Meta(15, log.head, Status.OPEN, "odin", 2, 70)
    assert await store.due(70, 10) == [("m", 70)]
    await log.write(store)
    assert await log.matches(store)


async def test_the_feed_points_to_it_once(store, log):
    assert await store.adopt(adoption(log))
    (pointer,) = await store.feed(dict.fromkeys(range(16), 0), 10, 0)
    assert pointer == Pointer(pointer.shard, 1, "m", 1, 15, ("MatchCreated", "Played"))


async def test_an_archived_one_is_a_tombstone_from_the_start(store, log):
    assert await store.adopt(adoption(log, entries=(), status=Status.ARCHIVED, due=None))
    assert await store.meta("m") == Meta(15, log.head, Status.ARCHIVED, "odin", 2, None)
    assert await store.read("m") == []
    assert await store.append(Journal().command()) == Gone(Status.ARCHIVED)


@pytest.mark.parametrize("status", [Status.OPEN, Status.CLOSED])
async def test_an_id_that_is_or_was_in_use_is_left_alone(store, log, status):
    other = Journal()
    await other.write(store, status=status)
    before = await everything(store)
    assert not await store.adopt(adoption(log))
    assert await everything(store) == before
    if status is Status.CLOSED:
        assert await store.write_tombstone("m", other.head)
        before = await everything(store)
        assert not await store.adopt(adoption(log))
        assert await everything(store) == before
    else:
        assert isinstance(await store.append(Journal().command()), Conflict)


async def test_a_log_that_contradicts_itself_is_refused(store, log):
    torn = tuple(log.entries[:3] + log.entries[4:])
    wrong = (
        {"entries": torn, "version": 14},
        {"version": 14},
        {"head": b"\0" * 32},
        {"entries": (), "version": 0},
        {"entries": ()},
        {"status": Status.ARCHIVED},
        {"types": ()},
        {"game": "no such/game"},
        {"due": -1},
    )
    for changes in wrong:
        with pytest.raises(ValueError, match=r"."):
            await store.adopt(adoption(log, **changes))
    with pytest.raises(Malformed):
        await store.adopt(adoption(log, match="no/id"))
    assert await store.meta("m") is None
    assert set((await store.positions()).values()) == {0}

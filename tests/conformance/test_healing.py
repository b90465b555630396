"""A whole log takes the place of a damaged one at once or not at all, and the operator's act is kept beside it."""

import msgspec
import pytest

from domain.errors import Malformed
from services.log.event_store.contract import ACTS_KEPT, Duplicate, Gone, Healing, Meta, Pointer, Status
from tests.conformance.journal import Journal, everything

pytestmark = pytest.mark.backends(shards=(16,))


def healing(journal: Journal, stamp: bytes, **changes: object) -> Healing:
    given = {
        "match": journal.match,
        "entries": tuple(journal.entries),
        "version": journal.version,
        "head": journal.head,
        "status": Status.OPEN,
        "game": "lama",
        "rules": 1,
        "due": 70,
        "types": ("Played",),
        "stamp": stamp,
        "first": 4,
        "act": b'{"reason":"a power cut"}',
    }
    return Healing(**{**given, **changes})  # type: ignore[arg-type]


@pytest.fixture
def whole() -> Journal:
    journal = Journal()
    for _ in range(5):
        journal.take(journal.command(3))
    return journal


async def cut(store, whole: Journal) -> Journal:
    """Store the beginning of a log as if its end were lost; return it."""
    kept = Journal()
    append = kept.command(3)
    append = msgspec.structs.replace(append, entries=tuple(whole.entries[:3]))
    await store.append(append)
    return kept


async def test_a_lost_end_is_there_again(store, whole):
    await cut(store, whole)
    assert await store.heal(healing(whole, await store.stamp("m")))
    assert await whole.matches(store)
    assert await store.meta("m") == Meta(15, whole.head, Status.OPEN, "lama", 1, 70)
    assert await store.due(70, 10) == [("m", 70)]
    assert await store.acts("m") == [b'{"reason":"a power cut"}']
    await whole.write(store)
    assert await whole.matches(store)


async def test_the_feed_points_to_what_was_replaced(store, whole):
    await cut(store, whole)
    assert await store.heal(healing(whole, await store.stamp("m")))
    *_, pointer = await store.feed(dict.fromkeys(range(16), 0), 10, 0)
    assert pointer == Pointer(pointer.shard, 2, "m", 4, 15, ("Played",))


async def test_a_match_of_which_nothing_is_left_is_there_again(store, whole):
    assert await store.heal(healing(whole, await store.stamp("m"), first=1))
    assert await whole.matches(store)


async def test_a_command_that_comes_meanwhile_is_not_lost(store, whole):
    other = Journal()
    await other.write(store)
    stamp = await store.stamp("m")
    await other.write(store)
    before = await everything(store)
    assert not await store.heal(healing(whole, stamp))
    assert await everything(store) == before
    assert await store.acts("m") == []


async def test_what_the_match_remembers_of_commands_stays(store):
    journal = Journal()
    append = await journal.write(store, 3)
    for _ in range(4):
        journal.take(journal.command(3))
    assert await store.heal(healing(journal, await store.stamp("m")))
    assert await store.append(append) == Duplicate(1, 3)


async def test_a_tombstone_is_made_anew(store, whole):
    archived = healing(whole, await store.stamp("m"), entries=(), status=Status.ARCHIVED, due=None)
    assert await store.heal(archived)
    assert await store.meta("m") == Meta(15, whole.head, Status.ARCHIVED, "lama", 1, None)
    assert await store.read("m") == []
    assert await store.append(Journal().command()) == Gone(Status.ARCHIVED)
    assert await store.next_due() is None


async def test_only_so_many_acts_are_kept(store, whole):
    for number in range(ACTS_KEPT + 2):
        assert await store.heal(healing(whole, await store.stamp("m"), act=b"%d" % number))
    assert await store.acts("m") == [b"%d" % number for number in range(2, ACTS_KEPT + 2)]
    assert await store.acts("unheard-of") == []


async def test_a_log_that_contradicts_itself_is_refused(store, whole):
    stamp = await store.stamp("m")
    wrong = (
        {"version": 14},
        {"head": b"\0" * 32},
        {"first": 0},
        {"first": 16},
        {"stamp": b""},
        {"act": b"x" * 20_000},
    )
    for changes in wrong:
        with pytest.raises(ValueError, match=r"."):
            await store.heal(healing(whole, **{"stamp": stamp, **changes}))
    with pytest.raises(Malformed):
        await store.heal(healing(whole, stamp, match="no/id"))
    with pytest.raises(Malformed):
        await store.stamp("no/id")
    assert await store.meta("m") is None

"""Reading matches: kept warm in memory, never believed against the log."""

import asyncio

import pytest

from domain.match.commands import AbandonMatch, HandSeatToBot
from domain.match.fold import beginning, fold
from services.errors import MatchClosed, NoSuchMatch, NoSuchVersion, StoreUnavailable
from services.matches import reader as module
from services.matches.reader import MatchReader
from tests.kit.house import House


async def test_the_head_is_what_the_log_folds_to():
    house = await House().begin()
    await house.move()
    expected = fold(beginning("m1"), await house.store.read("m1"))
    assert await house.beside().head() == expected == await house.head()


async def test_what_others_appended_is_folded_behind_what_is_in_memory():
    house = await House().begin()
    beside = house.beside()
    before = await beside.head()
    for _ in range(4):
        await house.move()
    after = await beside.head()
    assert after == await house.head()
    assert after.version > before.version
    assert before.state.past is not None
    past = after.state.past
    while past is not None and past.version != before.version:
        past = past.before
    assert past is before.state.past


async def test_what_the_feed_told_of_is_read_once_and_by_no_second_follower(monkeypatch):
    house = await House().begin()
    told = (await house.move()).position.version
    follower = house.beside().reader
    read = await follower.reached("m1", told)
    house.store.away = True
    assert await follower.reached("m1", told) is read
    assert await follower.reached("m1", told - 1) is read
    with pytest.raises(StoreUnavailable):
        await follower.reached("m1", told + 1)
    # Later the log may be another one, if a primary was lost.
    monkeypatch.setattr(module, "RECENT_SECONDS", 0.0)
    with pytest.raises(StoreUnavailable):
        await follower.reached("m1", told)


async def test_nothing_new_is_the_very_position_in_memory():
    house = await House().begin()
    assert await house.head() is await house.head()


async def test_many_who_come_at_once_fold_a_match_once():
    house = await House().begin()
    reader = house.beside().reader
    one, *others = await asyncio.gather(*(reader.head("m1") for _ in range(5)))
    assert all(other is one for other in others)


async def test_any_version_can_be_read():
    house = await House().begin()
    for _ in range(3):
        await house.move()
    entries = await house.store.read("m1")
    for version in range(1, len(entries) + 1):
        position = await house.reader.at("m1", version)
        assert position == fold(beginning("m1"), entries[:version])


@pytest.mark.parametrize("version", [0, 999])
async def test_a_version_that_has_not_come_is_said_not_to_exist(version):
    house = await House().begin()
    with pytest.raises(NoSuchVersion):
        await house.reader.at("m1", version)


async def test_a_match_that_never_was_is_unknown():
    with pytest.raises(NoSuchMatch):
        await House().head("m9")
    with pytest.raises(NoSuchMatch) as unknown:
        await House().reader.at("m9", 0)
    assert not isinstance(unknown.value, NoSuchVersion)
    with pytest.raises(NoSuchMatch):
        await House().reader.at("m9", 1)


async def test_a_match_whose_events_have_left_the_store_is_closed():
    house = await House().begin()
    outcome = await house.do(AbandonMatch("tired"))
    await house.store.write_tombstone("m1", outcome.position.head)
    for reader in (house.reader, house.beside().reader):
        if reader is house.reader:
            reader.forget("m1")
        with pytest.raises(MatchClosed) as closed:
            await reader.head("m1")
        assert closed.value.status == "archived"


class TestAStoreThatWentBack:
    """It lost its last events, and others have come in their place: ours is not the history any more."""

    async def test_and_on_again_is_read_anew(self):
        house = await House().begin()
        for _ in range(3):
            await house.move()
        remembered = await house.head()
        house.store.go_back("m1", remembered.version - 2)
        beside = house.beside()
        house.clock.advance(5)
        for _ in range(3):
            await beside.move()
        assert await house.head() == await beside.head()
        assert (await house.head()).head != remembered.head

    async def test_is_noticed_though_nothing_has_come_in_their_place_yet(self):
        house = await House().begin()
        versions = [(await house.move()).position for _ in range(3)]
        house.store.go_back("m1", versions[0].version)
        assert await house.head() == versions[0]

    async def test_does_not_lead_a_command_astray(self):
        house = await House().begin()
        first = (await house.move()).position
        for _ in range(2):
            await house.move()
        remembered = house.reader.remembered("m1")
        assert remembered is not None
        house.store.go_back("m1", first.version)
        outcome = await house.do(HandSeatToBot(0))
        assert outcome.first == first.version + 1
        assert await house.beside().head() == await house.head()


class TestMemory:
    async def test_keeps_so_many_matches_and_no_more(self):
        house = House()
        reader = MatchReader(house.store, kept=2)
        for name in ("a", "b", "c"):
            await house.begin(match=name)
        for name in ("a", "b", "a", "c"):
            await reader.head(name)
        assert reader.remembered("a") is not None
        assert reader.remembered("b") is None
        assert reader.remembered("c") is not None

    async def test_keeps_fewer_matches_the_longer_they_are(self):
        house = House()
        for name in ("a", "b", "c"):
            await house.begin(match=name)
        length = (await house.head("c")).version
        reader = MatchReader(house.store, events_kept=2 * length)
        for name in ("a", "b", "c"):
            await reader.head(name)
        assert [reader.remembered(name) is not None for name in ("a", "b", "c")] == [False, True, True]
        await house.move(match="c")
        await reader.head("c")
        assert [reader.remembered(name) is not None for name in ("a", "b", "c")] == [False, False, True]
        reader.forget("c")
        for name in ("a", "b"):
            await reader.head(name)
        assert reader.remembered("a") is not None
        assert reader.remembered("b") is not None

    async def test_keeps_one_match_however_long_it_is(self):
        house = await House().begin()
        reader = MatchReader(house.store, events_kept=1)
        assert reader.remembered((await reader.head("m1")).match) is not None

    async def test_keeps_the_newer_of_two_positions(self):
        house = await House().begin()
        old = await house.head()
        new = (await house.move()).position
        house.reader.remember(old)
        assert house.reader.remembered("m1") is new

    async def test_forgets_when_told_to_and_does_not_mind_twice(self):
        house = await House().begin()
        house.reader.forget("m1")
        house.reader.forget("m1")
        assert house.reader.remembered("m1") is None

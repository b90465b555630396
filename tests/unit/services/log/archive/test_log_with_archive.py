"""Who reads a match need not know whether it is in the store or in the archive."""

import pytest

from domain.errors import BrokenLog
from domain.match.view import match_view
from domain.viewers import EVERYTHING
from services.errors import MatchClosed, NoSuchMatch, NoSuchVersion
from services.log.archive.errors import ArchiveUnavailable
from services.log.archive.shelf import name_of
from services.log.event_store.contract import EventStore, Gone, Status
from services.matches.reader import MatchReader
from tests.kit.logs import ends_command, finished, named, put, running

pytestmark = pytest.mark.usefixtures("house")


@pytest.fixture
async def archived(house):
    log = await put(house.store, "m1", finished())
    await house.archivist.archive("m1")
    return log


async def test_it_is_an_event_store(house):
    log: EventStore = house.log
    assert log.shards == house.store.shards


async def test_any_piece_of_an_archived_log_can_be_read(house, archived):
    assert await house.store.read("m1") == []
    assert await house.log.read("m1") == list(archived)
    assert await house.log.read("m1", after=3) == list(archived[3:])
    assert await house.log.read("m1", after=3, last=9) == list(archived[3:9])
    assert await house.log.read("m1", after=len(archived)) == []
    assert await house.log.read("nobody") == []


async def test_live_matches_come_from_the_store(house):
    log = await put(house.store, "m2", running(), Status.OPEN)
    assert await house.log.read("m2") == list(log)
    assert await house.log.read("m2", after=len(log)) == []
    assert house.files() == []


async def test_a_reader_sees_every_version_as_before(house):
    await put(house.store, "m1", finished("odin", 3), game="odin")
    reader = MatchReader(house.log)
    head = await reader.head("m1")
    before = [
        match_view(await reader.at("m1", version), EVERYTHING) for version in range(1, head.version + 1)
    ]
    await house.archivist.archive("m1")
    for fresh in (reader, MatchReader(house.again().log)):
        assert await fresh.head("m1") == head
        after = [
            match_view(await fresh.at("m1", version), EVERYTHING) for version in range(1, head.version + 1)
        ]
        assert after == before
        with pytest.raises(NoSuchVersion):
            await fresh.at("m1", head.version + 1)


async def test_a_reader_that_knew_the_match_while_it_ran_finds_its_end(house):
    log = named("m1", finished())
    from tests.kit.logs import adoption

    half = next(number for number in range(len(log) // 2, len(log)) if ends_command(log[number - 1]))
    await house.store.adopt(adoption("m1", log[:half], Status.OPEN))
    reader = MatchReader(house.log)
    assert (await reader.head("m1")).version == half
    # As another process sees it: the match went on, ended, and was archived long ago.
    house.store._matches.clear()
    await house.store.adopt(adoption("m1", log, Status.CLOSED))
    await house.archivist.archive("m1")
    assert (await reader.head("m1")).version == len(log)


@pytest.mark.usefixtures("archived")
async def test_an_archived_match_without_its_file_is_broken_and_not_unknown(house):
    file = house.folder / name_of("m1")
    file.unlink()
    fresh = house.again()
    with pytest.raises(BrokenLog, match=r"archive\.missing"):
        await fresh.log.read("m1")
    with pytest.raises(NoSuchMatch):
        await MatchReader(fresh.log).head("nobody")


async def test_a_file_with_another_head_is_not_taken_for_the_match(house, archived):
    import gzip

    from services.log.archive.documents import document_of, file_end
    from tests.kit.log import rechained
    from tests.kit.tampering import changed

    log = list(archived)
    log[9] = changed(log[9], lambda plain: plain.update(trace="forged"))
    content = document_of("m1", "lama", 1, rechained("m1", log)) + file_end(1)
    (house.folder / name_of("m1")).write_bytes(gzip.compress(content))
    with pytest.raises(BrokenLog, match=r"archive\.other_head"):
        await house.again().log.read("m1")


@pytest.mark.usefixtures("archived")
async def test_an_archive_that_is_away_is_no_lost_match(house):
    fresh = house.again()
    house.folder.rename(house.folder.with_name("away"))
    house.folder.write_bytes(b"")
    with pytest.raises(ArchiveUnavailable):
        await fresh.log.read("m1")


@pytest.mark.usefixtures("archived")
async def test_without_an_archive_at_hand_the_match_is_closed(house):
    with pytest.raises(MatchClosed):
        await MatchReader(house.store).head("m1")


@pytest.mark.usefixtures("archived")
async def test_nothing_is_ever_appended_under_its_id_again(house):
    from tests.conformance.journal import Journal

    assert await house.log.append(Journal("m1").command()) == Gone(Status.ARCHIVED)

"""Closed matches leave the store when their time has come; one that cannot does not keep the others."""

import msgspec
import pytest

from domain.entries import decode_envelope
from domain.instants import milliseconds_of
from services.errors import NoSuchMatch
from services.log.archive.archivist import NotClosed
from services.log.archive.errors import ArchiveDiffers, ArchiveUnavailable
from services.log.archive.shelf import name_of
from services.log.event_store.contract import Status
from tests.kit.logs import finished, put, running

DAY = 86_400


def closed_at(log) -> int:
    return milliseconds_of(decode_envelope(log[-1].e).at)


async def test_a_match_waits_for_its_time_and_then_leaves(house):
    log = await put(house.store, "m1", finished())
    await house.archivist.note("m1")
    assert await house.closed.closed_before(closed_at(log), 10) == ["m1"]
    assert await house.archivist.archive_waiting(DAY) == 0
    assert await house.closed.waiting() == 1
    house.clock.advance(2 * DAY)
    assert await house.archivist.archive_waiting(DAY) == 1
    assert (await house.store.meta("m1")).status is Status.ARCHIVED
    assert await house.closed.waiting() == 0
    assert len(house.files()) == 1


async def test_running_unknown_and_archived_matches_do_not_wait(house):
    await put(house.store, "runs", running(), Status.OPEN)
    await put(house.store, "done", finished())
    await house.archivist.archive("done")
    for match in ("runs", "done", "nobody"):
        await house.archivist.note(match)
    assert await house.closed.waiting() == 0
    with pytest.raises(NotClosed):
        await house.archivist.archive("runs")
    with pytest.raises(NoSuchMatch):
        await house.archivist.archive("nobody")
    assert await house.archivist.archive("done") == 0


async def test_a_store_that_was_there_before_the_archive_is_looked_through(house):
    for number in range(5):
        await put(house.store, f"m{number}", finished())
    await put(house.store, "runs", running(), Status.OPEN)
    assert not await house.closed.filled()
    await house.archivist.note_all()
    assert await house.closed.filled()
    assert await house.closed.waiting() == 5
    assert sorted([match async for match in house.closed.moved()]) == ["m0", "m1", "m2", "m3", "m4", "runs"]


async def test_one_that_does_not_verify_is_parked_with_its_reason_and_the_others_leave(house):
    for match in ("m1", "m2", "m3"):
        await put(house.store, match, finished())
        await house.archivist.note(match)
    entries = house.store._matches["m2"].entries
    good = entries[7]
    entries[7] = msgspec.structs.replace(good, e=good.e.replace(b"seat", b"saet", 1))
    house.clock.advance(DAY)
    assert await house.archivist.archive_waiting(0) == 2
    (parked,) = await house.closed.dead_letters()
    assert (parked.match, parked.code) == ("m2", "log.chain_broken")
    assert parked.told.startswith("Its log is broken at event 8 (log.chain_broken): ")
    assert parked.version == 8
    assert (await house.store.meta("m2")).status is Status.CLOSED
    assert await house.archivist.archive_waiting(0) == 0
    entries[7] = good
    assert await house.archivist.retry_parked() == 1
    assert await house.archivist.archive_waiting(0) == 1
    assert await house.closed.dead_letters() == []


async def test_a_record_that_says_something_else_than_the_log_keeps_it_in_the_store(house):
    log = await put(house.store, "m1", finished())
    known = house.store._matches["m1"]
    known.meta = msgspec.structs.replace(known.meta, version=len(log) + 1)
    await house.archivist.note("m1")
    house.clock.advance(DAY)
    assert await house.archivist.archive_waiting(0) == 0
    (parked,) = await house.closed.dead_letters()
    assert parked.code == "meta.version_differs"
    assert house.files() == []


async def test_something_else_under_its_name_is_never_overwritten(house):
    file = house.folder / name_of("m1")
    file.parent.mkdir(parents=True)
    file.write_bytes(b"somebody's")
    await put(house.store, "m1", finished())
    with pytest.raises(ArchiveDiffers):
        await house.archivist.archive("m1")
    assert file.read_bytes() == b"somebody's"
    assert (await house.store.meta("m1")).status is Status.CLOSED


async def test_while_the_archive_is_away_everything_waits(house):
    await put(house.store, "m1", finished())
    await house.archivist.note("m1")
    house.clock.advance(DAY)
    house.folder.write_bytes(b"")
    with pytest.raises(ArchiveUnavailable):
        await house.archivist.archive_waiting(0)
    assert await house.closed.waiting() == 1
    assert await house.closed.dead_letters() == []
    house.folder.unlink()
    assert await house.archivist.archive_waiting(0) == 1


async def test_two_that_archive_at_once_do_no_harm(house):
    import asyncio

    for number in range(6):
        await put(house.store, f"m{number}", finished())
    await house.archivist.note_all()
    house.clock.advance(DAY)
    await asyncio.gather(house.archivist.archive_waiting(0), house.again().archivist.archive_waiting(0))
    assert len(house.files()) == 6
    assert await house.closed.dead_letters() == []
    metas = [await house.store.meta(f"m{number}") for number in range(6)]
    assert {meta.status for meta in metas} == {Status.ARCHIVED}


class TestSeveralProcesses:
    """Two archivists at work on the same match, each step of one between two of the other."""

    @pytest.mark.parametrize("step", ["read", "write_tombstone"])
    async def test_the_one_that_comes_late_finds_it_done_and_reports_nothing(self, house, monkeypatch, step):
        await put(house.store, "m1", finished())
        await house.archivist.note("m1")
        house.clock.advance(DAY)
        other, itself = house.again().archivist, getattr(house.store, step)

        async def late(match, *arguments):
            monkeypatch.setattr(house.store, step, itself)
            await other.archive(match)
            return await itself(match, *arguments)

        monkeypatch.setattr(house.store, step, late)
        await house.archivist.archive_waiting(0)
        assert await house.closed.dead_letters() == []
        assert await house.closed.waiting() == 0
        assert (await house.store.meta("m1")).status is Status.ARCHIVED

    async def test_events_that_vanish_otherwise_are_reported(self, house):
        await put(house.store, "m1", finished())
        await house.archivist.note("m1")
        house.store._matches["m1"].entries.clear()
        assert await house.archivist.archive_waiting(0) == 0 == await house.closed.waiting()
        assert [one.match for one in await house.closed.dead_letters()] == ["m1"]

"""A look into a long archived log reads a piece of it, and finds what the whole file says."""

from random import Random

import pytest

from services.log.archive import pieces as module
from services.log.archive.pieces import Pieces
from services.log.event_store.contract import Status
from services.log.kept_files import KeptFiles
from tests.kit.logs import finished, put

pytestmark = pytest.mark.usefixtures("house")


@pytest.fixture
async def archived(house, monkeypatch):
    monkeypatch.setattr(module, "FIRST", 16)
    monkeypatch.setattr(module, "LENGTH", 4)
    log = await put(house.store, "m1", finished())
    await house.archivist.archive("m1")
    return log


def again(house, tmp_path, secret=b"a secret"):
    """Return the log of a process that has just started, with the pieces that it keeps."""
    from services.log.archive.log_with_archive import LogWithArchive

    kept = Pieces(KeptFiles(tmp_path / "cache", secret, lambda: "this release"))
    return LogWithArchive(house.store, house.archive, pieces=kept), kept


async def test_a_piece_is_what_the_whole_log_has_there(house, archived, tmp_path, monkeypatch):
    log, kept = again(house, tmp_path)
    assert await log.read("m1") == list(archived)
    await kept.settled()
    asked, read = [], type(house.archive).read

    async def counted(archive, match):
        asked.append(match)
        return await read(archive, match)

    monkeypatch.setattr(type(house.archive), "read", counted)
    files = sorted(path for path in (tmp_path / "cache").rglob("*") if path.is_file())
    assert len(files) == -(-len(archived) // 4)
    random = Random(1)
    for _ in range(60):
        fresh, _ = again(house, tmp_path)
        after = random.randrange(len(archived) + 3)
        last = random.choice((None, after + random.randrange(8)))
        wanted = list(archived[after:last])
        assert await fresh.read("m1", after, last) == wanted
    # Only who asked for more than three pieces has read the file.
    assert len(asked) < 60
    asked.clear()
    fresh, _ = again(house, tmp_path)
    assert await fresh.read("m1", 9, 11) == list(archived[9:11])
    assert asked == []


async def test_pieces_that_are_gone_cut_or_of_somebody_else_cost_time_only(house, archived, tmp_path):
    log, kept = again(house, tmp_path)
    await log.read("m1")
    await kept.settled()
    files = sorted(path for path in (tmp_path / "cache").rglob("*") if path.is_file())
    files[0].unlink()
    files[1].write_bytes(files[2].read_bytes())
    files[3].write_bytes(files[3].read_bytes()[:-1])
    for start in range(0, len(archived), 4):
        fresh, _ = again(house, tmp_path)
        assert await fresh.read("m1", start, start + 4) == list(archived[start : start + 4])
    fresh, _ = again(house, tmp_path, b"another secret")
    assert await fresh.read("m1", 9, 14) == list(archived[9:14])


async def test_pieces_of_another_head_do_not_count(house, archived, tmp_path):
    log, kept = again(house, tmp_path)
    await log.read("m1")
    await kept.settled()
    meta = await house.store.meta("m1")
    assert meta is not None
    assert meta.status is Status.ARCHIVED
    from msgspec.structs import replace

    assert await kept.read("m1", meta, 8, 16) == list(archived[8:16])
    assert await kept.read("m1", replace(meta, head=b"\0" * 32), 8, 16) is None

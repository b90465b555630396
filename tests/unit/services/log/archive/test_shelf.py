"""The archive's files: written once, read back, and what was done to one is named with the first bad event."""

import gzip
import json
import os
import stat

import pytest

from domain.entries import StoredEntry
from domain.errors import BrokenLog
from services.log.archive.documents import document_of, file_end
from services.log.archive.errors import ArchiveDiffers, ArchiveUnavailable
from services.log.archive.folder import FolderStorage
from services.log.archive.shelf import FOLDERS, Archive, folder_of, name_of
from tests.kit.log import rechained
from tests.kit.logs import Log, finished, named
from tests.kit.tampering import changed, reopened, where_sealed

LOG = named("a-match", finished("skyjo", 2))
EVENT = 20


@pytest.fixture
async def archive(tmp_path):
    one = Archive(FolderStorage(tmp_path))
    await one.write("a-match", "skyjo", 1, LOG)
    return one


@pytest.fixture
def file(tmp_path, archive):  # noqa: ARG001 - it is there once the archive has written it
    return tmp_path / name_of("a-match")


async def found(archive: Archive) -> tuple[str, int]:
    with pytest.raises(BrokenLog) as caught:
        await archive.read("a-match")
    return caught.value.code, caught.value.version


def rewrite(file, log: Log | list[StoredEntry], match: str = "a-match") -> None:
    """Put another log into the file, with all sums that belong to it."""
    file.write_bytes(gzip.compress(document_of(match, "skyjo", 1, log) + file_end(1)))


def edit(file, change) -> None:
    """Edit the lines of the file, and pack it again; its sums stay as they were."""
    lines = gzip.decompress(file.read_bytes()).splitlines(keepends=True)
    change(lines)
    file.write_bytes(gzip.compress(b"".join(lines)))


async def test_what_was_written_is_read(archive):
    assert await archive.read("a-match") == LOG
    assert await archive.read("nobody") is None
    assert await archive.text("nobody") is None
    assert await archive.matches(folder_of("a-match")) == ["a-match"]
    assert await archive.matches((folder_of("a-match") + 1) % FOLDERS) == []
    assert await archive.text("a-match") == document_of("a-match", "skyjo", 1, LOG)


async def test_only_the_owner_reads_the_files_and_no_draft_is_left(file, tmp_path):
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert list((tmp_path / "drafts").iterdir()) == []


async def test_any_tool_unpacks_and_reads_them(file):
    lines = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
    assert [line["e"].encode() for line in lines[1:-2]] == [entry.e for entry in LOG]


async def test_writing_again_is_harmless_and_writing_something_else_is_refused(archive, file):
    before = file.read_bytes()
    await archive.write("a-match", "skyjo", 1, LOG)
    # Another release of the library may pack the same differently.
    file.write_bytes(gzip.compress(gzip.decompress(before), 1))
    await archive.write("a-match", "skyjo", 1, LOG)
    with pytest.raises(ArchiveDiffers):
        await archive.write("a-match", "skyjo", 1, named("a-match", finished("skyjo", 3)))
    assert gzip.decompress(file.read_bytes()) == gzip.decompress(before)


async def test_what_is_read_back_is_compared(tmp_path, monkeypatch):
    archive = Archive(FolderStorage(tmp_path))
    real = os.link

    def link(source, target):
        with source.open("r+b") as damaged:
            damaged.seek(200)
            damaged.write(b"\0\0\0")
        real(source, target)

    monkeypatch.setattr(os, "link", link)
    with pytest.raises(ArchiveDiffers):
        await archive.write("a-match", "skyjo", 1, LOG)


async def test_a_place_that_cannot_be_used_is_named(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_bytes(b"")
    archive = Archive(FolderStorage(blocked))
    with pytest.raises(ArchiveUnavailable, match=str(blocked)):
        await archive.write("a-match", "skyjo", 1, LOG)
    with pytest.raises(ArchiveUnavailable):
        await archive.read("a-match")


async def test_drafts_of_killed_processes_are_swept_away(archive, tmp_path):
    old, new = tmp_path / "drafts" / "1.old", tmp_path / "drafts" / "2.new"
    for draft in (old, new):
        draft.write_bytes(b"half")
    os.utime(old, (0, 0))
    await archive.write("another", "skyjo", 1, named("another", finished("skyjo", 2)))
    assert not old.exists()
    assert new.exists()


EDITS = {
    "altered": (
        lambda lines: lines.__setitem__(EVENT, lines[EVENT].replace(b"seat", b"saet", 1)),
        "log.chain_broken",
    ),
    "dropped": (lambda lines: lines.__delitem__(EVENT), "log.gap"),
    "doubled": (lambda lines: lines.insert(EVENT, lines[EVENT - 1]), "log.gap"),
    "swapped": (
        lambda lines: lines.__setitem__(slice(EVENT, EVENT + 2), [lines[EVENT + 1], lines[EVENT]]),
        "log.gap",
    ),
    "unreadable": (lambda lines: lines.__setitem__(EVENT, b"nonsense\n"), "log.unreadable"),
}


@pytest.mark.parametrize("edited", EDITS)
async def test_an_edited_file_is_named_with_the_first_bad_event(archive, file, edited):
    change, code = EDITS[edited]
    edit(file, change)
    name, version = await found(archive)
    # A line too many or too few shows at the end only, where the count is compared.
    assert (name, version) == (code, EVENT) or (edited in {"dropped", "doubled"} and version >= EVENT)


async def test_events_dropped_with_all_sums_mended_are_named(archive, file):
    rewrite(file, [*LOG[: EVENT - 1], *LOG[EVENT:]])
    verdict_on = await archive.read("a-match")
    assert verdict_on is not None  # the sums are right: the chain is what tells, in `tablee verify`
    from domain.match.verification import verify

    verdict = verify("a-match", verdict_on, complete=True)
    assert (verdict.code, verdict.bad_version) == ("log.gap", EVENT)


async def test_a_file_that_was_cut_is_named_with_the_first_event_that_is_gone(archive, file):
    packed = file.read_bytes()
    file.write_bytes(packed[: len(packed) // 2])
    name, version = await found(archive)
    assert name in {"log.cut", "log.unreadable"}
    assert 1 < version < len(LOG)
    file.write_bytes(packed[:3])
    assert await found(archive) == ("log.cut", 1)
    file.write_bytes(packed[:-2])
    assert (await found(archive))[0] == "archive.altered"
    file.write_bytes(b"something else")
    assert (await found(archive))[1] == 1


async def test_openings_exchanged_or_altered_are_named(archive, file):
    index = where_sealed(list(LOG))[3]
    edit(
        file,
        lambda lines: lines.__setitem__(index + 1, lines[index + 1].replace(b'"salt":"', b'"salt":"00', 1)),
    )
    assert await found(archive) == ("seal.differs", index + 1)


async def test_the_file_of_another_match_is_named(archive, file):
    rewrite(file, named("another", LOG), "another")
    assert await found(archive) == ("archive.other_match", 1)


async def test_an_opening_rewritten_with_all_sums_mended_is_found_by_verifying(archive, file):
    from domain.match.verification import verify

    index = where_sealed(list(LOG))[2]
    log = list(LOG)
    log[index] = reopened(log[index], lambda opening: opening.update(value="x"))
    rewrite(file, log)
    read = await archive.read("a-match")
    verdict = verify("a-match", read or (), complete=True)
    assert (verdict.code, verdict.bad_version) == ("seal.differs", index + 1)


async def test_a_history_rewritten_with_valid_hashes_is_read_and_told_by_its_head(archive, file):
    log = list(LOG)
    log[EVENT] = changed(log[EVENT], lambda plain: plain.update(actor="somebody-else"))
    rewrite(file, rechained("a-match", log))
    read = await archive.read("a-match")
    assert read is not None
    assert read[-1].h != LOG[-1].h

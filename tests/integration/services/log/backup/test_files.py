"""What is in a backup, what comes out of it, and what is refused."""

import gzip
import json
import os
import subprocess
import tarfile
from collections.abc import Sequence

import pytest
import redis

from services.bootstrap import present_instant
from services.log import watched
from services.log.archive.archivist import Archivist
from services.log.archive.closed_matches import ClosedMatches
from services.log.archive.folder import FolderStorage
from services.log.archive.log_with_archive import LogWithArchive
from services.log.archive.shelf import Archive
from services.log.backup.errors import BackupNotMade
from services.log.backup.file import checked
from services.log.backup.last import last_backup
from services.log.backup.making import Counts, Source, make_backup
from services.log.backup.restoring import restore_archive, restore_store
from services.log.backup.store_writing import StoreWriter
from services.log.event_store.errors import InstallationMismatch
from services.log.event_store.keys import Keyspace
from services.log.event_store.redis_store import RedisEventStore
from services.log.proof import prove
from tests.integration.services.log.backup.conftest import SECRET, SESSION, TOKEN

KEYS = Keyspace(4)


def stored(url):
    """Return all keys with what they hold, but for what follows from the log."""
    derived = (b":feed", b":shard", b":due", b":p:")
    with redis.Redis.from_url(url) as client:
        keys = [key for key in client.scan_iter() if not any(part in key for part in derived)]
        return {key: (held(client, key), client.pexpiretime(key)) for key in keys if key != b"tb:backup"}


def held(client, key):
    reading = {
        b"string": client.get,
        b"hash": client.hgetall,
        b"list": lambda key: client.lrange(key, 0, -1),
        b"set": client.smembers,
        b"zset": lambda key: client.zrange(key, 0, -1, withscores=True),
        b"stream": client.xrange,
    }
    return reading[client.type(key)](key)


def due(url):
    with redis.Redis.from_url(url) as client:
        return [client.zrange(KEYS.of_shard(shard).due, 0, -1, withscores=True) for shard in range(4)]


def test_every_key_comes_back_as_it_was(source, file, empty, tablee, tmp_path):
    there = tmp_path / "there"
    told = json.loads(tablee("restore", file, "--json", "--data", there, "--redis", empty).stdout)
    assert (told["matches"], told["bad"], told["files"]) == (3, [], 1)
    assert stored(empty) == stored(source.url)
    assert due(empty) == due(source.url)
    secret = there / "installation.secret"
    assert (secret.read_text(), secret.stat().st_mode & 0o777) == (SECRET + "\n", 0o600)
    assert "3 good, 0 bad" in tablee("verify", "--all", "--data", there, "--redis", empty).stdout
    assert not list(tmp_path.glob(".*")), "a draft was left behind"


def test_a_backup_of_an_earlier_release_says_until_when_clocks_were_watched(source, empty, tablee, tmp_path):
    with redis.Redis.from_url(source.url) as client:
        client.delete(watched.KEY)
    file, there = tmp_path / "b.tar", tmp_path / "there"
    before = present_instant()
    tablee("backup", file, "--data", source.data, "--redis", source.url)
    tablee("restore", file, "--data", there, "--redis", empty)
    with redis.Redis.from_url(empty) as client:
        assert before <= client.get(watched.KEY).decode() <= present_instant()


def test_any_tool_can_list_and_check_it(file, tmp_path):
    folder = tmp_path / "unpacked"
    with tarfile.open(file) as tar:
        tar.extractall(folder, filter="data")
    checking = ["sha256sum", "--check", "--strict", "SHA256SUMS"]
    done = subprocess.run(checking, cwd=folder, capture_output=True, text=True, check=True)
    assert "installation.secret: OK" in done.stdout
    assert sum("archive/matches/" in line for line in done.stdout.splitlines()) == 1
    assert file.stat().st_mode & 0o777 == 0o600


def test_in_a_folder_it_is_named_by_the_time_and_nothing_is_overwritten(source, file, tablee, tmp_path):
    at = ("--data", source.data, "--redis", source.url)
    folder = tmp_path / "kept"
    folder.mkdir()
    told = json.loads(tablee("backup", folder, "--json", *at).stdout)
    assert [told["file"]] == [str(one) for one in folder.iterdir()]
    before = file.read_bytes()
    assert "exists already" in tablee("backup", file, *at, code=2).stderr
    assert file.read_bytes() == before


def test_a_folder_that_is_missing_does_not_become_a_file(source, tablee, tmp_path):
    at = ("--data", source.data, "--redis", source.url)
    assert "no folder" in tablee("backup", tmp_path / "mnt", *at, code=2).stderr
    assert "no folder" in tablee("backup", tmp_path / "kept.gz", *at, code=2).stderr
    assert not (tmp_path / "mnt").exists()


def test_a_broken_match_is_kept_as_it_is_and_named(source, tablee, tmp_path):
    file = tmp_path / "backup.tar"
    with redis.Redis.from_url(source.url) as client:
        key = next(key for key in client.scan_iter("*:ev"))
        entries = client.xrange(key)
        client.delete(key)
        for number, (entry, fields) in enumerate(entries, 1):
            client.xadd(key, {**fields, b"e": b"{}"} if number == 3 else fields, id=entry)
    match = key.decode().split(":")[3]
    told = tablee("backup", file, "--data", source.data, "--redis", source.url, code=1)
    assert f"{match} is in it as it is here, broken from event 3 on" in told.stderr
    checking = tablee("backup", "--check", file, code=1).stdout
    assert f"BAD   {match}  event 3" in checking
    assert "is as it was written" in checking


async def test_the_store_knows_when_the_last_one_was_made(source, file):
    async with redis.asyncio.Redis.from_url(source.url) as client:
        last = await last_backup(client)
    assert last is not None
    assert (last.at, last.bytes) == (checked(file).began, file.stat().st_size)


def test_without_the_archive_its_files_are_left_out(source, empty, tablee, tmp_path):
    file, there = tmp_path / "small.tar", tmp_path / "there"
    tablee("backup", file, "--without-archive", "--data", source.data, "--redis", source.url)
    os.environ["TABLEE_ARCHIVE"] = str(source.data / "archive")
    try:
        told = json.loads(tablee("restore", file, "--json", "--data", there, "--redis", empty).stdout)
    finally:
        del os.environ["TABLEE_ARCHIVE"]
    assert (told["matches"], told["bad"], told["files"]) == (3, [], 0)


def test_a_secret_is_never_made_for_a_backup(source, tablee, tmp_path):
    (source.data / "installation.secret").unlink()
    at = ("--data", source.data, "--redis", source.url)
    assert "There is no secret" in tablee("backup", tmp_path / "b.tar", *at, code=2).stderr
    assert not (source.data / "installation.secret").exists()


@pytest.mark.parametrize("place", ["data", "server", "archive"])
def test_a_target_that_is_not_empty_is_left_alone(source, file, empty, tablee, tmp_path, place, monkeypatch):
    there = tmp_path / "there"
    url = source.url if place == "server" else empty
    if place == "data":
        there.mkdir()
        (there / "something").touch()
    if place == "archive":
        monkeypatch.setenv("TABLEE_ARCHIVE", str(source.data / "archive"))
    before = stored(url)
    assert "not empty" in tablee("restore", file, "--data", there, "--redis", url, code=2).stderr
    assert stored(url) == before
    assert not there.exists() or [one.name for one in there.iterdir()] == ["something"]


def test_every_byte_counts(file, tablee, tmp_path, empty):
    content, there = file.read_bytes(), tmp_path / "there"
    assert "good" in tablee("backup", "--check", file).stdout
    # One byte in every kilobyte: heads of files, their contents, hashes, the manifest.
    for at in range(0, len(content), 1024):
        for place in (at + 3, at + 400):
            if not any(content[place - 200 : place + 200]):
                continue  # what stands behind the last file
            file.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
            if content[place] == 0 and checked_or_none(file):
                continue  # filling, which nobody reads
            assert "BAD" in tablee("backup", "--check", file, code=1).stdout, place
    for end in (0, 511, len(content) // 2, len(content) - 10_240):
        file.write_bytes(content[:end])
        assert "BAD" in tablee("backup", "--check", file, code=1).stdout, end
    assert "cannot be restored" in tablee("restore", file, "--data", there, "--redis", empty, code=2).stderr
    assert (stored(empty), there.exists()) == ({}, False)


def damaged_archive(source):
    (shelved,) = (source.data / "archive" / "matches").rglob("*.gz")
    os.truncate(shelved, 700)


def altered_archive(source):
    (shelved,) = (source.data / "archive" / "matches").rglob("*.gz")
    plain = gzip.decompress(shelved.read_bytes())
    shelved.write_bytes(gzip.compress(plain.replace(b'"openings":[', b'"openings": [', 1)))


def lost_archive(source):
    (shelved,) = (source.data / "archive" / "matches").rglob("*.gz")
    shelved.unlink()


def forgotten_end(source):
    with redis.Redis.from_url(source.url) as client:
        client.hset(KEYS.of_match("shelved").meta, "head", b"\1" * 32)


@pytest.mark.parametrize("damaging", [damaged_archive, altered_archive, lost_archive, forgotten_end])
def test_what_a_backup_cannot_prove_is_named_when_it_is_made_and_checked(
    source, empty, tablee, tmp_path, damaging
):
    damaging(source)
    file, there = tmp_path / "b.tar", tmp_path / "there"
    made = tablee("backup", file, "--data", source.data, "--redis", source.url, code=1)
    assert "shelved is in it as it is here, broken from event" in made.stderr
    assert "all of it proven" not in made.stdout
    assert "BAD   shelved  event" in tablee("backup", "--check", file, code=1).stdout
    (broken,) = json.loads(tablee("backup", "--check", "--json", file, code=1).stdout)["broken"]
    assert broken["what"] == "shelved"
    # Restoring says the same.
    assert "BAD   shelved" in tablee("restore", file, "--data", there, "--redis", empty, code=1).stdout


def test_a_digest_that_cannot_be_read_is_named(source, tablee, tmp_path):
    (source.data / "archive" / "digests").mkdir()
    (source.data / "archive" / "digests" / "000001.ndjson").write_bytes(b'{"kind":"dig')
    made = tablee("backup", tmp_path / "b.tar", "--data", source.data, "--redis", source.url, code=1)
    assert "archive/digests/000001.ndjson is in it as it is here: this is not a digest" in made.stderr


def checked_or_none(file):
    try:
        return checked(file)
    except Exception:  # noqa: BLE001 - whatever it is, it is told
        return None


def test_a_broken_log_comes_back_as_broken_as_it_was(source, empty, tablee, tmp_path):
    with redis.Redis.from_url(source.url) as client:
        client.xdel(KEYS.of_match("over").events, "3-0")
    file, there = tmp_path / "b.tar", tmp_path / "there"
    tablee("backup", file, "--data", source.data, "--redis", source.url, code=1)
    done = tablee("restore", file, "--data", there, "--redis", empty, code=1)
    assert "BAD   over  event 3: log.not_dense" in done.stdout
    assert stored(empty) == stored(source.url)


def test_an_empty_folder_that_is_there_is_filled_and_not_replaced(file, tablee, tmp_path):
    there = tmp_path / "there"
    there.mkdir(mode=0o700)
    before = there.stat().st_ino
    tablee("restore", file, "--prove", "--data", there)
    assert there.stat().st_ino == before
    assert {"archive", "installation.secret", "log"} <= {one.name for one in there.iterdir()}
    assert not list(there.glob(".restoring*"))
    assert "3 good, 0 bad" in tablee("verify", "--all", "--data", there).stdout


def test_another_secret_than_the_backups_is_refused(file, empty, tablee, tmp_path, monkeypatch):
    there = tmp_path / "there"
    monkeypatch.setenv("TABLEE_SECRET", "another secret of thirty-two characters")
    refused = tablee("restore", file, "--data", there, "--redis", empty, code=2)
    assert "another secret than the backup's" in refused.stderr
    assert SECRET not in refused.output
    assert (stored(empty), there.exists()) == ({}, False)
    monkeypatch.setenv("TABLEE_SECRET", SECRET)
    tablee("restore", file, "--data", there, "--redis", empty)


def test_a_bucket_is_not_in_the_backup_and_that_is_said(source, tablee, tmp_path, monkeypatch):
    monkeypatch.setenv("TABLEE_ARCHIVE", "s3://club/tablee")
    made = tablee("backup", tmp_path / "b.tar", "--data", source.data, "--redis", source.url)
    assert "is not in the backup" in made.stderr
    assert "the archive left out" in made.stdout


async def test_a_server_of_ones_own_syncs_again_before_it_counts(file, empty):
    synced = list[str | None]()

    async with redis.asyncio.Redis.from_url(empty, decode_responses=True) as client:

        async def end(writer: StoreWriter) -> None:
            synced.append((await client.config_get("appendfsync"))["appendfsync"])
            await ending(writer)

        ending = StoreWriter.end
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(StoreWriter, "end", end)
            await restore_store(file, checked(file), empty, lambda *_: None, own=True)
        synced.append((await client.config_get("appendfsync"))["appendfsync"])
        await client.config_set("appendfsync", "no")
    assert synced == ["no", "always"]


async def test_a_restore_that_was_killed_leaves_a_store_that_nobody_opens(empty):
    writer = StoreWriter(empty, 4)
    await writer.begin()
    await writer.close()
    with pytest.raises(InstallationMismatch):
        await RedisEventStore.open(empty)


async def test_what_is_read_back_must_be_what_was_written(source, tmp_path, monkeypatch):
    # A disk that says it has written, and has not.
    monkeypatch.setattr("services.log.backup.making._forget_copy", lambda path: os.truncate(path, 2000))
    file = tmp_path / "b.tar"
    with pytest.raises(BackupNotMade):
        await make_backup(Source(source.url, None, b"s" * 32), file, present_instant, lambda _: None)
    assert list(tmp_path.glob("*b.tar*")) == []


class Leaving(FolderStorage):
    """An archive to which a match leaves between the reading of the store and that of the archive."""

    def __init__(self, source) -> None:
        super().__init__(source.data / "archive")
        self._url, self._has_left = source.url, False

    async def names(self, folder: str) -> Sequence[str]:
        if not self._has_left:
            self._has_left = True
            await archive_now(self._url, self, "over")
        return await super().names(folder)


async def archive_now(url, place, match):
    store = await RedisEventStore.open(url)
    async with redis.asyncio.Redis.from_url(url) as client:
        closed = ClosedMatches(client, store.shards)
        await Archivist(store, Archive(place), closed, present_instant).archive(match)
    await store.close()


async def test_a_match_that_leaves_for_the_archive_meanwhile_is_there_and_leaves_again(
    source, empty, tmp_path
):
    file, there, told = tmp_path / "b.tar", FolderStorage(tmp_path / "archive"), list[Counts]()
    kept = Source(source.url, Leaving(source), b"s" * 32)
    manifest = await make_backup(kept, file, present_instant, told.append)
    assert (manifest.matches, manifest.tombstones, manifest.archived) == (2, 1, 2)
    assert told[-1].archived == 2
    await restore_store(file, manifest, empty, lambda *_: None)
    assert await restore_archive(file, there, lambda *_: None) == 2
    await archive_now(empty, there, "over")
    store = await RedisEventStore.open(empty)
    log = LogWithArchive(store, Archive(there))
    assert [(await prove(log, match)).good for match in ("over", "runs", "shelved")] == [True] * 3
    await store.close()


def test_tokens_and_sessions_are_among_what_is_kept(source):
    assert {TOKEN.encode(), SESSION.encode()} <= stored(source.url).keys()

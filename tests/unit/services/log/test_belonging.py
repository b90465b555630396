"""A log, its secret, its archive and its jobs' server belong together; a process with others does not start."""

import asyncio

import fakeredis
import pytest
from fakeredis.aioredis import FakeRedis

from services.errors import BelongsElsewhere
from services.jobs.claim import KEY, claim_jobs
from services.log.archive.folder import FolderStorage
from services.log.belonging import ARCHIVE_MARK, installation_id, require_own

SECRET, OTHER_SECRET = b"s" * 32, b"t" * 32


@pytest.fixture
def log() -> FakeRedis:
    return FakeRedis(server=fakeredis.FakeServer())


@pytest.fixture
def archive(tmp_path) -> FolderStorage:
    return FolderStorage(tmp_path / "archive")


async def test_a_new_log_takes_what_it_is_given_and_finds_it_again(log, archive):
    for _ in range(2):
        await require_own(log, SECRET, archive)
    assert (await archive.get(ARCHIVE_MARK)).startswith((await installation_id(log)).encode() + b" ")


async def test_processes_that_start_at_once_on_a_new_log_agree(log, archive):
    await asyncio.gather(*(require_own(log, SECRET, archive) for _ in range(5)))


async def test_of_two_that_start_at_once_with_different_archives_one_is_refused(log, archive, tmp_path):
    other = FolderStorage(tmp_path / "other")
    answers = await asyncio.gather(
        *(require_own(log, SECRET, one) for one in (archive, other)), return_exceptions=True
    )
    assert [getattr(one, "code", None) for one in answers].count("archive.differs") == 1


async def test_another_empty_archive_is_refused_with_what_to_do(log, archive, tmp_path):
    await require_own(log, SECRET, archive)
    other = FolderStorage(tmp_path / "other")
    with pytest.raises(BelongsElsewhere, match="TABLEE_ARCHIVE") as refused:
        await require_own(log, SECRET, other)
    assert refused.value.code == "archive.differs"
    assert await other.get(ARCHIVE_MARK) is None


async def test_the_archive_of_another_installation_is_refused(log, archive):
    await require_own(FakeRedis(server=fakeredis.FakeServer()), SECRET, archive)
    with pytest.raises(BelongsElsewhere, match="another mark"):
        await require_own(log, SECRET, archive)


async def test_another_secret_is_refused_until_somebody_accepts_it(log, archive):
    await require_own(log, SECRET, archive)
    with pytest.raises(BelongsElsewhere, match="TABLEE_ACCEPT_OTHER=secret") as refused:
        await require_own(log, OTHER_SECRET, archive)
    assert refused.value.code == "secret.differs"
    await require_own(log, OTHER_SECRET, archive, accepted=frozenset({"secret"}))
    await require_own(log, OTHER_SECRET, archive)


async def test_a_lost_archive_is_replaced_when_somebody_accepts_it(log, archive, tmp_path):
    await require_own(log, SECRET, archive)
    other = FolderStorage(tmp_path / "other")
    await require_own(log, SECRET, other, accepted=frozenset({"archive"}))
    await require_own(log, SECRET, other)


def test_a_jobs_server_carries_the_jobs_of_one_installation_until_it_has_stopped():
    jobs = fakeredis.FakeRedis()
    for _ in range(2):
        claim_jobs(jobs, "ours")
    with pytest.raises(BelongsElsewhere, match="a database of its own"):
        claim_jobs(jobs, "theirs")
    assert 0 < jobs.ttl(KEY) <= 30
    jobs.delete(KEY)
    claim_jobs(jobs, "theirs")

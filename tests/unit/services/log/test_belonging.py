"""A log, its secret, its archive and its jobs' server belong together; a process with others does not start."""

import asyncio

import fakeredis
import pytest
import redis
from fakeredis.aioredis import FakeRedis

from services.errors import BelongsElsewhere
from services.jobs.claim import KEY, claim_all, claim_jobs
from services.jobs.servers import job_servers_at
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
        claim_jobs(jobs, "ours", "1 of 1")
    with pytest.raises(BelongsElsewhere, match="a database of its own"):
        claim_jobs(jobs, "theirs", "1 of 1")
    assert 0 < jobs.ttl(KEY) <= 30
    jobs.delete(KEY)
    claim_jobs(jobs, "theirs", "1 of 1")


def claim(named: str, at: dict[str, fakeredis.FakeRedis]) -> None:
    """Claim the servers that a process names, as it does at its start."""
    servers = job_servers_at(named, 16)
    assert servers is not None
    claim_all(servers, [at[url] for url in servers.urls], "ours")


ONE, OTHER, THIRD = "redis://one:6379/0", "redis://u:secret@other:6379/1", "redis://third:6379"


@pytest.mark.parametrize(
    "named",
    [ONE, OTHER, f"{OTHER} {ONE}", f"{ONE} {THIRD}", f"{ONE},{OTHER},{THIRD}"],
    ids=["fewer", "the second alone", "other order", "another second", "more"],
)
def test_all_processes_share_the_jobs_among_the_same_servers_in_the_same_order(named):
    at = {url: fakeredis.FakeRedis() for url in (ONE, OTHER, THIRD)}
    claim(f"{ONE}, {OTHER}", at)
    claim(f"{ONE}\n{OTHER}", at)
    with pytest.raises(BelongsElsewhere, match="stop all processes") as refused:
        claim(named, at)
    assert refused.value.code == "jobs.other_servers"
    assert "secret" not in str(refused.value)
    # The present ones go on. When they have stopped, their marks end.
    claim(f"{ONE} {OTHER}", at)
    for server in at.values():
        assert all(0 < server.ttl(key) <= 30 for key in server.scan_iter())
        server.flushall()
    claim(named, at)


def test_one_server_may_have_two_names_but_not_in_one_list():
    server = fakeredis.FakeRedis()
    claim(ONE, {ONE: server})
    claim(THIRD, {THIRD: server})
    server.flushall()
    with pytest.raises(BelongsElsewhere) as refused:
        claim(f"{ONE} {THIRD}", {ONE: server, THIRD: server})
    assert refused.value.code == "jobs.other_servers"


def test_a_server_that_is_away_keeps_no_process_from_starting():
    class Away(fakeredis.FakeRedis):
        def info(self, *_args, **_more):
            raise redis.ConnectionError("refused")

    at = {ONE: Away(), OTHER: fakeredis.FakeRedis()}
    claim(f"{ONE} {OTHER}", at)
    with pytest.raises(BelongsElsewhere):
        claim(OTHER, at)

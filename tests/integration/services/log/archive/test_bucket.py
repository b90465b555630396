"""The archive in a bucket of an S3-compatible store."""

import msgspec
import pytest

from services.audit.digests import DigestMaker, Digests
from services.bootstrap import present_instant
from services.log.archive.bucket import BucketStorage
from services.log.archive.errors import ArchiveDiffers, ArchiveUnavailable
from services.log.archive.shelf import FOLDERS, Archive, name_of
from services.log.archive.storage import storage_at
from services.log.event_store.contract import Status
from tests.integration.services.log.archive.conftest import House
from tests.kit.bucket import Bucket, running_bucket
from tests.kit.logs import finished, named, put

ADDRESS = "s3://club/winter/archive"


@pytest.fixture
def bucket(monkeypatch):
    with running_bucket() as one:
        monkeypatch.setenv("AWS_ENDPOINT_URL", one.address)
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "somebody")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "something")
        monkeypatch.setenv("AWS_REGION", "eu-west-3")
        yield one


@pytest.fixture
def place(bucket):  # noqa: ARG001 - which sets the variables that tell where the bucket is
    return storage_at(ADDRESS)


async def test_what_is_written_once_stays(bucket: Bucket, place):
    assert isinstance(place, BucketStorage)
    assert await place.get("a/b.json") is None
    assert await place.put_new("a/b.json", b"first")
    assert not await place.put_new("a/b.json", b"second")
    assert await place.get("a/b.json") == b"first"
    assert bucket.objects == {"winter/archive/a/b.json": b"first"}


async def test_names_are_listed_over_several_pages(place):
    names = [f"digests/{number:06}.ndjson" for number in range(1, 12)]
    for name in (*names, "elsewhere/x"):
        await place.put_new(name, b"x")
    assert list(await place.names("digests")) == names
    assert list(await place.names("nothing")) == []


async def test_matches_leave_for_the_bucket_and_are_read_from_there(bucket, place, house):
    in_bucket = House(house.store, house.client, place)
    logs = {
        f"m{number}": await put(house.store, f"m{number}", finished(number=number)) for number in range(4)
    }
    await in_bucket.archivist.note_all()
    assert await in_bucket.archivist.archive_waiting(0) == 4
    for match, log in logs.items():
        assert f"winter/archive/{name_of(match)}" in bucket.objects
        assert await house.store.read(match) == []
        assert await in_bucket.log.read(match) == list(log)
    found = [match for folder in range(FOLDERS) for match in await in_bucket.archive.matches(folder)]
    assert sorted(found) == sorted(logs)


async def test_something_else_under_a_name_is_never_overwritten(bucket, place):
    bucket.objects[f"winter/archive/{name_of('m1')}"] = b"somebody's"
    with pytest.raises(ArchiveDiffers):
        await Archive(place).write("m1", "lama", 1, named("m1", finished()))
    assert bucket.objects[f"winter/archive/{name_of('m1')}"] == b"somebody's"


async def test_a_bucket_that_refuses_or_is_away_keeps_matches_in_the_store(bucket, place, house):
    in_bucket = House(house.store, house.client, place)
    await put(house.store, "m1", finished())
    await in_bucket.archivist.note_all()
    bucket.refusing = True
    with pytest.raises(ArchiveUnavailable, match=ADDRESS):
        await in_bucket.archivist.archive_waiting(0)
    meta = await house.store.meta("m1")
    assert meta is not None
    assert meta.status is Status.CLOSED
    assert await in_bucket.closed.waiting() == 1
    bucket.refusing = False
    assert await in_bucket.archivist.archive_waiting(0) == 1


async def test_digests_are_kept_there_too(place, house):
    in_bucket = House(house.store, house.client, place)
    await put(house.store, "m1", finished())
    await in_bucket.archivist.note_all()
    digests = Digests(place)
    made = await DigestMaker(in_bucket.log, digests, in_bucket.closed, present_instant).make()
    assert made is not None
    found = await digests.read(1)
    assert found is not None
    assert msgspec.structs.asdict(found) == msgspec.structs.asdict(made)


def test_an_address_without_a_bucket_is_refused():
    with pytest.raises(ValueError, match="names no bucket"):
        storage_at("s3:///prefix")

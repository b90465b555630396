"""Whatever somebody alters who holds the store and the archive, `verify --all` names it; so does the doctor.

Nothing was kept outside: what is found is found by what the installation itself knows.
"""

import asyncio
import json
import shutil
from pathlib import Path

import pytest
import redis.asyncio

from services.bootstrap import present_instant
from services.bootstrap.log_parts import log_parts
from services.log.event_store.redis_store import RedisEventStore
from services.projections.generations import Generations
from services.projections.ledger import Ledger
from services.projections.rebuilding import Rebuilder
from tests.integration.api.command_line.alterations import GONE, MISCHIEF
from tests.integration.api.command_line.conftest import SECRET, as_before
from tests.kit.intruder import Installation
from tests.kit.store_dumps import dumped, put_back


@pytest.fixture(scope="module")
def untouched(played, tmp_path_factory):
    """The store with rows, a digest and an archived match in it, and its archive; all put back at the end."""
    with as_before(played) as store:
        asyncio.run(_prepared(played.url, played.folder / "archive"))
        kept = dumped(store)
        copy = tmp_path_factory.mktemp("kept") / "archive"
        shutil.copytree(played.folder / "archive", copy)
        yield Installation(store, played.folder / "archive"), kept, copy


async def _prepared(url: str, archive: Path) -> None:
    log = await RedisEventStore.open(url)
    async with redis.asyncio.Redis.from_url(url) as client, log_parts(log, url, str(archive)) as parts:
        await parts.archivist.archive(GONE)
        await parts.follower.follow()
        await parts.digest_maker.make()
        ledger = Ledger(client, log.shards)
        await Rebuilder(ledger, Generations(client, log.shards), parts.store, present_instant).rebuild()
    await log.close()


@pytest.fixture
def installation(untouched):
    one, kept, copy = untouched
    yield one
    put_back(one.store, kept)
    shutil.rmtree(one.archive)
    shutil.copytree(copy, one.archive)


@pytest.fixture
def told(tablee, played, monkeypatch):
    """Runs a command; returns its exit code, and all that it says is wrong: codes with matches."""
    monkeypatch.setenv("TABLEE_SECRET", SECRET)

    def run(*command: str) -> tuple[int, set[tuple[str, str]], str]:
        result = tablee(*command, "--json", "--data", played.folder)
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        wrong = [one for one in lines if one.get("good") is False or one.get("severity") in {"look", "act"}]
        return result.exit_code, {(one["code"], one["match"]) for one in wrong}, result.stdout

    return run


@pytest.mark.usefixtures("installation")
def test_what_nobody_altered_is_good(told):
    assert told("verify", "--all")[:2] == (0, set())
    assert told("doctor", "--deep")[:2] == (0, set())


@pytest.mark.parametrize("alteration", MISCHIEF)
def test_verify_names_what_was_altered(installation, told, alteration):
    work, codes, match = MISCHIEF[alteration]
    work(installation)
    exit_code, wrong, out = told("verify", "--all")
    assert exit_code == 1
    assert {code for code, about in wrong if about == match or not match} & codes, out


AT_FIRST_SIGHT = {
    "match.lost",
    "match.cut",
    "head.lost",
    "digest.rewritten",
    "digest.lost",
    "archive.missing",
}


@pytest.mark.parametrize("alteration", [name for name, one in MISCHIEF.items() if one[1] & AT_FIRST_SIGHT])
def test_the_plain_doctor_names_every_lost_match_and_an_altered_digest(installation, told, alteration):
    work, codes, match = MISCHIEF[alteration]
    work(installation)
    exit_code, wrong, out = told("doctor")
    assert exit_code == 2
    assert {code for code, about in wrong if about == match or not match} & codes, out


@pytest.mark.parametrize("alteration", ["a row", "a pointer taken out", "a place among a player's matches"])
def test_the_deep_doctor_judges_as_verify_does(installation, told, alteration):
    work, codes, _ = MISCHIEF[alteration]
    work(installation)
    exit_code, wrong, _ = told("doctor", "--deep")
    assert exit_code > 0
    assert {code for code, _ in wrong} & codes

"""Files of matches over the API: brought, listed, played on from, refused with a code."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from services.log.archive.folder import FolderStorage
from services.log.archive.log_with_archive import LogWithArchive
from services.log.archive.shelf import Archive
from tests.integration.api.pages.conftest import running_pages
from tests.integration.api.pages.test_imports import from_elsewhere
from tests.integration.api.tables import fresh_key
from tests.kit.memory_store import MemoryEventStore


@pytest.fixture
async def anna(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A person's program."""
    archive = Archive(FolderStorage(tmp_path))
    async with running_pages(LogWithArchive(MemoryEventStore(), archive), archive=archive) as pages:
        app: Any = pages.app
        door = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=door, base_url="http://tablee.test/api/v1") as client:
            made = await client.post("/me", json={}, headers={"Idempotency-Key": fresh_key()})
            client.headers["Authorization"] = f"Bearer {made.json()['token']}"
            yield client


async def test_a_match_is_brought_by_its_file_and_listed_as_a_claim(anna: httpx.AsyncClient):
    for known in (False, True):
        brought = await anna.post("/me/imports", content=from_elsewhere())
        assert brought.status_code == 200
        assert brought.json() == {"match": "elsewhere", "known": known}
    assert (await anna.get("/matches/elsewhere")).json()["lifecycle"]["phase"] == "finished"
    (listed,) = (await anna.get("/me/imports")).json()["imports"]
    assert listed["match"] == "elsewhere"
    assert listed["since"]


async def test_a_program_plays_on_from_a_file(anna: httpx.AsyncClient):
    made = await anna.post(
        "/me/imports/fork?seat=1&cards=anew",
        content=from_elsewhere(),
        headers={"Idempotency-Key": fresh_key()},
    )
    assert made.status_code == 201, made.text
    fork = made.json()["match"]
    sat = await anna.post(
        f"/matches/{fork}/seats", json={"seat": 1, "ready": True}, headers={"Idempotency-Key": fresh_key()}
    )
    assert sat.status_code == 201, sat.text
    view = (await anna.get(f"/matches/{fork}")).json()
    assert view["lifecycle"]["phase"] == "playing"
    assert (await anna.get("/matches/elsewhere")).status_code == 404


@pytest.mark.parametrize(
    ("content", "address", "status", "code"),
    [
        (b"[]\n", "", 422, "export.malformed"),
        (from_elsewhere()[:-9], "", 422, "export.truncated"),
        (from_elsewhere(), "/fork?at=99999", 422, "fork.no_such_position"),
        (from_elsewhere(), "/fork?cards=marked", 400, "query.malformed"),
        (b"x" * (25 * 1024 * 1024), "", 413, "body.too_large"),
    ],
)
async def test_a_file_that_does_not_do_is_refused_with_a_code(
    anna: httpx.AsyncClient, content: bytes, address: str, status: int, code: str
):
    answer = await anna.post(
        f"/me/imports{address}", content=content, headers={"Idempotency-Key": fresh_key()}
    )
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert (await anna.get("/me/imports")).json()["imports"] == []

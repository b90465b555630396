from typing import Any, cast

import pytest
from redis.exceptions import ConnectionError as StoreGone

from services.errors import StoreUnavailable
from services.log.embedded.durability import DurabilityVerdict, Problem
from services.process.settings import Settings
from tests.integration.api.conftest import running_api


@pytest.mark.parametrize("base", ["", "/api/v1"])
async def test_a_process_that_can_serve_says_so(base):
    async with running_api() as api:
        assert (await api.client.get(f"{base}/health/live")).json() == {"live": True}
        answer = await api.client.get(f"{base}/health/ready")
        assert answer.status_code == 200
        assert answer.json() == {
            "ready": True,
            "log": "ok",
            "durability": {"durable": "yes", "problems": [], "reason": ""},
            "durability_accepted": False,
            "writes": "ok",
            "jobs": "not_configured",
            "loops": None,
            "workers": None,
            "jobs_away": [],
        }


@pytest.mark.parametrize("durable", ["no", "unknown"])
@pytest.mark.parametrize("accepted", [False, True])
async def test_weak_durability_is_not_ready_unless_the_operator_says_so(durable, accepted):
    problems = (Problem("fsync_not_always", "appendfsync everysec", "Set it."),) if durable == "no" else ()

    async def check(_: object) -> DurabilityVerdict:
        return DurabilityVerdict(durable, problems)

    async with running_api(Settings(accept_weak_durability=accepted), check=check) as api:
        answer = await api.client.get("/health/ready")
        assert answer.status_code == (200 if accepted else 503)
        told = answer.json()
        assert told["ready"] is accepted
        assert told["durability"]["durable"] == durable
        assert len(told["durability"]["problems"]) == len(problems)
        assert answer.headers["Tablee-Durability"] == ("weak" if durable == "no" else "unknown")


async def test_without_the_log_a_process_lives_but_is_not_ready(monkeypatch):
    async def away(*_: Any) -> Any:
        raise StoreUnavailable("away")

    async with running_api() as api:
        monkeypatch.setattr(api.application.store, "next_due", away)
        answer = await api.client.get("/health/ready")
        assert (answer.status_code, answer.json()["log"]) == (503, "unreachable")
        assert (await api.client.get("/health/live")).status_code == 200


async def test_a_check_that_fails_keeps_the_last_verdict():
    verdicts: list[Any] = [DurabilityVerdict("yes"), DurabilityVerdict("yes"), StoreGone("away")]

    async def check(_: object) -> DurabilityVerdict:
        found: Any = verdicts.pop(0)
        if isinstance(found, Exception):
            raise found
        return cast("DurabilityVerdict", found)

    async with running_api(Settings(), check=check) as api:
        assert (await api.client.get("/health/ready")).status_code == 200
        assert (await api.client.get("/health/ready")).status_code == 503
        assert api.parts.durability.verdict == DurabilityVerdict("yes")


async def test_bots_jobs_may_be_unreachable_without_harm():
    async with running_api(Settings(job_store_url="redis://127.0.0.1:1"), check=_durable) as api:
        answer = await api.client.get("/health/ready")
        assert (answer.status_code, answer.json()["jobs"]) == (200, "unreachable")


async def _durable(_: object) -> DurabilityVerdict:
    return DurabilityVerdict("yes")

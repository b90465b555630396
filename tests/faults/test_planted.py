"""Faults planted in a running service: ``tablee doctor`` finds each and says what to do.

Faults in the store itself are planted in ``tests/integration/api/command_line/test_doctor.py``.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import redis

from services.jobs.bots import QUEUE_NAME
from services.log.embedded.session import running_stores
from tests.faults.door import Door
from tests.faults.ledger import Ledger
from tests.faults.running_service import RunningService, frozen
from tests.faults.waiting import until_true
from tests.kit.checkout import ROOT
from tests.kit.environment import without_settings

pytestmark = pytest.mark.timeout(240)

FINE, ACT = 0, 2


class Seen(NamedTuple):
    """What the doctor saw.

    Attributes:
        code: The exit code.
        wrong: What is not fine, by code.
    """

    code: int
    wrong: dict[str, list[dict[str, Any]]]


def doctor(folder: Path, *options: str, **variables: str) -> Seen:
    environment = without_settings()
    done = subprocess.run(
        [sys.executable, "-m", "api.command_line.main", "doctor", "--json", "--data", str(folder), *options],
        cwd=ROOT,
        env=environment | variables,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    wrong: dict[str, list[dict[str, Any]]] = {}
    for line in done.stdout.splitlines():
        told = json.loads(line)
        if told.get("severity") in {"look", "act"}:
            wrong.setdefault(told["code"], []).append(told)
    assert done.stdout, done.stderr
    return Seen(done.returncode, wrong)


@pytest.fixture(scope="module")
def service(tmp_path_factory) -> Iterator[RunningService]:
    with RunningService(tmp_path_factory.mktemp("p")) as running:
        yield running


def begin(service: RunningService, *, bots: int = 2) -> str:
    """Let bots begin a match; return its id."""
    with Door(service.port, Ledger()) as door:
        made = door.make("/matches", {"game": "lama", "seats": [{"bot": "steady"}] * bots, "start": "host"})
        door.command(made["match"], "start", made["host_token"], {})
    match: str = made["match"]
    return match


def test_a_service_without_faults_is_healthy(service):
    until_true(lambda: doctor(service.data).code == FINE, seconds=30, what="a healthy service", pause=1)


def test_no_false_alarm_while_bots_play_as_fast_as_they_can(service):
    matches = [begin(service, bots=6) for _ in range(4)]
    # On a machine with other work, a bot may really be late.
    assert set(doctor(service.data).wrong) <= {"match.bot_late", "match.bot_was_late", "jobs.wait"}
    assert all(log_version(service, match) > 8 for match in matches)


def test_a_frozen_worker_and_a_stuck_clock(service):
    worker, loops = service.pids["worker 1"], service.pids["loops"]
    with frozen(worker, loops):
        seen = doctor(service.data)
    assert seen.code == ACT
    one, other = sorted(seen.wrong["process.frozen"], key=lambda found: "loops" in found["found"])
    assert f"worker 1 (process {worker})" in one["found"]
    assert f"kill -CONT {worker}" in one["do"]
    assert f"loops (process {loops})" in other["found"]
    assert "No deadline ends" in other["means"]


def test_a_frozen_log_store(service):
    pid = service.pids["log store"]
    with frozen(pid):
        seen = doctor(service.data)
    assert seen.code == ACT
    assert "store.silent" in seen.wrong
    assert f"log store (process {pid})" in seen.wrong["process.frozen"][0]["found"]
    until_true(service.is_ready, seconds=30, what="the service is ready again")


@contextlib.contextmanager
def job_lost(service: RunningService) -> Iterator[str]:
    """Begin a match of bots and lose its first job while the worker is frozen; yield the match's id."""
    with redis.Redis.from_url(service.job_store_url) as jobs, frozen(service.pids["worker 1"]):
        match = begin(service)
        lost = until_true(lambda: jobs.keys(f"rq:job:bot-{match}-*"), seconds=10, what="a job is queued")
        # A worker that waits has been handed the job, in a list of its own; it will find nothing behind the id.
        jobs.delete(*lost, *jobs.keys(f"rq:queue:{QUEUE_NAME}*"))
        yield match


def test_a_lost_job(service):
    with job_lost(service) as match:
        until_true(
            lambda: [line for line in service.lines("bot_is_late") if line["match"] == match],
            seconds=30,
            what="the clock notices",
        )
    until_true(lambda: log_version(service, match) > 8, seconds=30, what="the bots go on", pause=0.2)
    # It mended itself; the log keeps a trace.
    late = {found["match"]: found for found in doctor(service.data).wrong["match.bot_was_late"]}
    assert late[match]["version"] > 0
    assert "job was lost" in late[match]["means"]


def test_a_lost_due_entry_while_the_job_is_lost_too(service):
    """The match would wait for ever: only the doctor notices, and gets it going again."""
    with job_lost(service) as match, redis.Redis.from_url(service.log_store_url) as log:
        assert sum(log.zrem(key, match) for key in log.keys("tb:{s*}:due")) == 1
        seen = doctor(service.data, "--repair")
        assert seen.wrong["due.missing"][0]["match"] == match
    until_true(lambda: log_version(service, match) > 8, seconds=40, what="the bots go on", pause=0.2)


def log_version(service: RunningService, match: str) -> int:
    _, document, _ = service.ask(f"/api/v1/matches/{match}")
    return int(document.get("version", 0))


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("mount"), reason="only root can make a small disk")
def test_a_full_disk(tmp_path):
    disk = tmp_path / "s"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(disk)], check=False)
    if mounted.returncode:
        pytest.skip("this machine lets nobody make a small disk")
    try:
        with running_stores(disk / "d", purpose="tablee store") as stores:
            with redis.Redis.from_url(stores.log_store_url) as log:
                log.hset("tb:installation", mapping={"shards": 16, "layout": 1})
                with (disk / "filler").open("wb") as filler, contextlib.suppress(OSError):
                    filler.write(b"x" * 8_000_000)
                # The store ends rather than acknowledge what it cannot keep.
                with pytest.raises(redis.ConnectionError):
                    log.set("tb:filler", b"x" * 500_000)
        seen = doctor(disk / "d")
        assert seen.code == ACT
        assert str(disk / "d") in seen.wrong["disk.nearly_full"][0]["found"]
        assert "Never delete" in seen.wrong["disk.nearly_full"][0]["do"]
        (disk / "filler").unlink()
        room = doctor(disk / "d")
        assert set(room.wrong) == {"disk.nearly_full", "secret.missing"}
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)

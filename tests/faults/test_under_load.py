"""Three rounds of every fault, while people and bots play all three games at several tables.

Twenty rounds each: ``make faults``.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.faults.campaign import BOT_TURN_WITHIN, READY_WITHIN, Campaign
from tests.faults.crowd import Crowd
from tests.faults.log_check import Findings
from tests.faults.running_service import ROOT, RunningService
from tests.faults.strikes import (
    DOUBLED,
    EMPTIED,
    FROZEN_LOG_STORE,
    FROZEN_LOOPS,
    FROZEN_WORKER,
    KILLS,
    SOCKET_AWAY,
    Fault,
)

ROUNDS = 3

# On a machine that does other things too; what is measured is asserted below.
pytestmark = pytest.mark.timeout(400)


@contextmanager
def campaign(folder, *options) -> Iterator[tuple[Campaign, Crowd, RunningService]]:
    with RunningService(folder, *options) as service, Crowd(service.port) as crowd:
        yield Campaign(service, crowd, seed=3), crowd, service


def strike(running: Campaign, subtests, *faults: Fault) -> None:
    """Let one fault after the other strike, and all of them again."""
    for number in range(1, ROUNDS + 1):
        for fault in faults:
            with subtests.test(fault.name, round=number):
                done = running.run(fault)
                assert done.ready_after_work <= READY_WITHIN, done


def require_whole(findings: Findings) -> None:
    assert findings.lost == []
    assert findings.doubled == []
    assert findings.broken == []
    assert findings.matches >= 3
    assert findings.bot_turns
    assert findings.longest_bot_turn <= BOT_TURN_WITHIN


def test_killed_processes(tmp_path, subtests):
    with campaign(tmp_path) as (running, crowd, service):
        strike(running, subtests, *KILLS)
        require_whole(running.finish())
        require_verified(service)
    assert set(crowd.ledger.durability) == {""}, "answers must not warn of a durable log"


def test_lost_and_doubled_jobs_and_a_frozen_worker(tmp_path, subtests):
    with campaign(tmp_path, "--workers", "2") as (running, _, service):
        strike(running, subtests, EMPTIED, DOUBLED)
        # Half a minute for each round: so the three rounds are one, at three tables.
        with subtests.test(FROZEN_WORKER.name):
            running.run(FROZEN_WORKER)
        findings = running.finish()
        require_whole(findings)
        assert len({turn.match for turn in findings.bot_turns if turn.forced}) >= ROUNDS
        assert not service.lines("process killed")


def test_frozen_loops_are_replaced(tmp_path, subtests):
    with campaign(tmp_path) as (running, _, service):
        with subtests.test(FROZEN_LOOPS.name):
            assert running.run(FROZEN_LOOPS).ready_after_work <= READY_WITHIN
        require_whole(running.finish())
        (killed,) = service.lines("process killed")
        assert killed["child"] == "loops"
        assert "no sign of life" in killed["why"]


def test_a_log_store_that_does_not_answer(tmp_path, subtests):
    with campaign(tmp_path) as (running, crowd, _):
        strike(running, subtests, FROZEN_LOG_STORE, SOCKET_AWAY)
        require_whole(running.finish())
    refused = [trouble for trouble in crowd.ledger.troubles if trouble.status]
    assert {trouble.document["code"] for trouble in refused} <= {"store.unavailable", "outcome.unknown"}
    for trouble in refused:
        assert trouble.headers["content-type"] == "application/problem+json"
        assert trouble.headers["retry-after"] == "1"
        assert "Send the same request again" in trouble.document["help"]
        assert trouble.document["detail"]
        assert trouble.document["trace"]


def require_verified(service: RunningService) -> None:
    """The service's own check must agree: it also looks at seals and deals."""
    command = [sys.executable, "-m", "api.command_line.main", "verify", "--all", "--data", str(service.data)]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert told.returncode == 0, told.stdout + told.stderr

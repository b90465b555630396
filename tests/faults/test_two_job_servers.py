"""Of two servers for jobs one is killed while people play: its tables wait for the clock, the others for nobody."""

import time

import pytest

from services.jobs.servers import JobServers
from tests.conformance.servers import running, valkey_program
from tests.faults.crowd import Crowd, Table
from tests.faults.log_check import check_log
from tests.faults.running_service import RunningService
from tests.faults.test_planted import ACT, doctor
from tests.faults.waiting import until_true

pytestmark = pytest.mark.timeout(300)

PATIENCE = 75.0


def test_one_of_two_servers_for_jobs_is_killed(tmp_path):
    with running(valkey_program(), fsync="no") as one, running(valkey_program(), fsync="no") as other:
        servers = JobServers((one.url(), other.url()), 16)
        variables = {"TABLEE_JOB_STORE_URL": " ".join(servers.urls)}
        with (
            RunningService(tmp_path, "--workers", "2", **variables) as service,
            Crowd(service.port, tables=8) as crowd,
        ):

            def tables_of(index: int) -> list[Table]:
                return [table for table in crowd.tables if servers.index_of(table.match) == index]

            until_true(lambda: tables_of(0) and tables_of(1), seconds=PATIENCE, what="tables on both servers")
            other.kill()
            killed = time.monotonic()
            wait_for_moves_at(lambda: tables_of(0), killed)
            until_true(
                lambda: service.lines("bot_played_by_the_clock"),
                seconds=PATIENCE,
                what="a turn played by the clock",
            )
            # Those of the server that is left have played all the while.
            wait_for_moves_at(lambda: tables_of(0), time.monotonic() - 5)
            by_the_clock = {str(line["match"]) for line in service.lines("bot_played_by_the_clock")}
            assert {servers.index_of(match) for match in by_the_clock} == {1}
            told = service.readiness()
            assert told is not None
            assert (told["ready"], told["jobs"], told["jobs_away"]) == (True, "unreachable", [2])
            seen = doctor(service.data, TABLEE_JOB_STORE_URL=variables["TABLEE_JOB_STORE_URL"])
            assert seen.code == ACT
            (found,) = seen.wrong["jobs.unreachable"]
            assert servers.names[1] in found["found"]

            other.start()
            until_true(service.is_ready, seconds=PATIENCE, what="ready again")
            crowd.wait_for_moves(time.monotonic(), PATIENCE)
            crowd.stop()
            crowd.require_no_failure()
            crowd.settle()
            findings = check_log(service.log_store_url, crowd.ledger.acknowledged)
            assert (findings.lost, findings.doubled, findings.broken) == ([], [], [])


def wait_for_moves_at(tables, since: float) -> None:
    until_true(
        lambda: all(table.last_move_at > since for table in tables()),
        seconds=20,
        what="a move at every table of the server that is left",
    )

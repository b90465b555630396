"""A log's server that may lose acknowledged data is refused; if the operator accepts it, every answer says so.

``test_under_load`` tests that it is also refused if it becomes weak later, on a service that runs there anyway.
"""

import pytest

from tests.conformance.servers import redis_program, running, valkey_program
from tests.faults.door import Door
from tests.faults.ledger import Ledger
from tests.faults.running_service import RunningService
from tests.faults.weak_server import WEAK, configured, headers_of

pytestmark = pytest.mark.timeout(240)


@pytest.mark.parametrize(("setting", "value", "problem"), WEAK, ids=[value for _, value, _ in WEAK])
def test_a_weak_server_is_refused_at_the_start(tmp_path, setting, value, problem):
    del problem
    with running(valkey_program()) as server, configured(server.url(), (setting, value)):
        service = RunningService(tmp_path, "--redis", server.url())
        service.start(wait=False)
        assert service.wait() == 2
    told = service.log.read_text()
    assert f"may lose acknowledged moves ({setting} {value}: Set `{setting} " in told
    assert "TABLEE_ACCEPT_WEAK_DURABILITY=true" in told


def test_every_answer_tells_of_an_accepted_weak_server(tmp_path):
    accepted = {"TABLEE_ACCEPT_WEAK_DURABILITY": "true"}
    with (
        running(redis_program()) as server,
        configured(server.url(), *((setting, value) for setting, value, _ in WEAK)),
        RunningService(tmp_path, "--redis", server.url(), **accepted) as service,
    ):
        told = service.readiness()
        assert told is not None
        assert (told["status"], told["ready"], told["durability_accepted"]) == (200, True, True)
        problems = {point["code"] for point in told["durability"]["problems"]}
        assert problems == {problem for *_, problem in WEAK}

        for path in (
            "/health/live",
            "/health/ready",
            "/api/v1/games",
            "/api/v1/matches/none",
            "/nowhere",
            "/",
        ):
            assert headers_of(service, path)["tablee-durability"] == "weak", path

        ledger = Ledger()
        with Door(service.port, ledger) as door:
            made = door.make("/matches", {"game": "lama", "seats": [{}, {"bot": "steady"}], "start": "host"})
            taken = door.make(f"/matches/{made['match']}/seats", {})
            door.command(made["match"], "ready", taken["seat_token"], {})
            door.command(made["match"], "start", made["host_token"], {})
        assert set(ledger.durability) == {"weak"}

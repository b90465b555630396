"""One correlation id, from a request over its events to the bots' job, in the lines of every process."""

import http.client
import json
from contextlib import closing

import pytest
from click.testing import CliRunner

from api.command_line.main import cli
from tests.faults.crowd import _moves
from tests.faults.door import Door
from tests.faults.ledger import Ledger
from tests.faults.running_service import RunningService
from tests.faults.waiting import until_true

pytestmark = pytest.mark.timeout(120)

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


def tablee(*arguments: object) -> dict[str, list[dict[str, str]]]:
    done = CliRunner().invoke(cli, list(map(str, arguments)), catch_exceptions=False)
    assert done.exit_code in {0, 1}, done.output
    found: dict[str, list[dict[str, str]]] = json.loads(done.stdout)
    return found


def post(port: int, path: str, token: str, body: object, **headers: str) -> tuple[int, str, dict[str, str]]:
    given = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", **headers}
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request("POST", f"/api/v1{path}", json.dumps(body), given)
        answer = connection.getresponse()
        document = json.loads(answer.read())
    return answer.status, answer.getheader("X-Request-Id") or "", document


def require_counted(port: int) -> None:
    """What worker and loops have counted, and that they live, is told by the API."""

    def told() -> dict[str, float]:
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
            connection.request("GET", "/metrics")
            lines = connection.getresponse().read().decode().splitlines()
        return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines if line[0] != "#"}

    until_true(lambda: told().get("tablee_loops_live") == 1, seconds=20, what="a sign of life of the loops")
    found = told()
    assert found["tablee_workers"] == 1
    assert found['tablee_bot_turns_total{by="job"}'] >= 1
    assert found["tablee_log_went_back"] == 0
    assert found["tablee_log_durable"] == 1
    assert found['tablee_feed_lag{consumer="bots"}'] == 0
    assert found['tablee_matches{state="open"}'] == 1


def test_one_id_from_the_request_to_the_bots_move(tmp_path):
    with RunningService(tmp_path) as service, Door(service.port, Ledger()) as door:
        made = door.make("/matches", {"game": "lama", "seats": [{}, {"bot": "steady"}], "start": "host"})
        match = made["match"]
        token = door.make(f"/matches/{match}/seats", {"seat": 0})["seat_token"]
        door.command(match, "ready", token, {})
        door.command(match, "start", made["host_token"], {})
        path = f"/matches/{match}"
        until_true(lambda: door.get(path, token)["legal"] is not None, seconds=30, what="a turn")
        view = door.get(path, token)
        move = next(one for one in _moves("lama", view["legal"]) if one["type"] != "quit")
        headers = {"Idempotency-Key": "traced", "If-Match": f'"{view["version"]}"'}
        parent = {"traceparent": f"00-{TRACE}-00f067aa0ba902b7-01"}
        status, told, _ = post(service.port, f"{path}/moves", token, move, **headers, **parent)
        assert (status, told) == (200, TRACE)
        # A move that is refused can be quoted, and is found too.
        status, _, problem = post(
            service.port, f"{path}/moves", token, move, **headers | {"Idempotency-Key": "x"}, **parent
        )
        assert (status in {412, 422}, problem["trace"]) == (True, TRACE)

        found = {}

        def a_bot_has_moved() -> bool:
            found.update(tablee("trace", TRACE, "--json", "--data", service.data))
            return any(one["door"] == "bot" for one in found["events"])

        until_true(a_bot_has_moved, seconds=30, what="the bot's event under the same id")
        assert {"api", "bot"} == {one["door"] for one in found["events"]}
        assert {one["match"] for one in found["events"]} == {match}
        assert [one["command"] for one in found["refused"]] == ["x"]

        def processes(message: str) -> set[str]:
            return {line["process"] for line in service.lines(message) if line["correlation"] == TRACE}

        until_true(lambda: processes("bots_played"), seconds=10, what="the worker's line")
        assert (processes("bots_job_sent"), processes("bots_played")) == ({"loops"}, {"worker"})

        def requests() -> list[str]:
            return [
                line
                for line in service.log.read_text().splitlines()
                if '"api.access"' in line and TRACE in line
            ]

        # The access log is written in batches.
        until_true(lambda: len(requests()) == 2, seconds=10, what="the lines of both requests")
        require_counted(service.port)
        nothing = tablee("trace", "nobody-knows-it", "--json", "--data", service.data)
        assert not any(nothing[part] for part in ("events", "refused", "jobs"))

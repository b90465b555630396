"""A backup is made while people and bots play at several tables, and goes on living on a new machine."""

import json
import time
from typing import Any

import pytest
from click.testing import CliRunner

from api.command_line.main import cli
from tests.faults.crowd import Crowd, _moves
from tests.faults.door import Door
from tests.faults.ledger import Ledger
from tests.faults.log_check import check_log
from tests.faults.running_service import RunningService
from tests.faults.waiting import until_true

pytestmark = pytest.mark.timeout(240)


def tablee(*arguments: object, code: int = 0) -> str:
    done = CliRunner().invoke(cli, list(map(str, arguments)), catch_exceptions=False)
    assert done.exit_code == code, done.output
    return done.stdout


class Anna:
    """A person at a table with a bot, who keeps her token and remembers her last command."""

    def __init__(self, port: int) -> None:
        with Door(port, Ledger()) as door:
            made = door.make("/matches", {"game": "lama", "seats": [{}, {"bot": "steady"}], "start": "host"})
            self.match: str = made["match"]
            self.token: str = door.make(f"/matches/{self.match}/seats", {"seat": 0})["seat_token"]
            door.command(self.match, "ready", self.token, {})
            door.command(self.match, "start", made["host_token"], {})
        self.command: tuple[dict[str, str], dict[str, Any]] = {}, {}
        self.first_answer: dict[str, Any] = {}

    def look(self, door: Door) -> dict[str, Any]:
        return door.get(f"/matches/{self.match}", self.token)

    def is_asked(self, door: Door) -> bool:
        view = self.look(door)
        return view["lifecycle"]["phase"] != "playing" or view["legal"] is not None

    def move(self, port: int) -> None:
        with Door(port, Ledger()) as door:
            until_true(lambda: self.is_asked(door), seconds=30, what="Anna's turn")
            view = self.look(door)
            assert view["legal"] is not None, "the match went on"
            move = next(one for one in _moves("lama", view["legal"]) if one["type"] != "quit")
            headers = {"Idempotency-Key": f"anna-{view['version']}", "If-Match": f'"{view["version"]}"'}
            self.command = headers | {"Authorization": f"Bearer {self.token}"}, move
            self.first_answer = self.send_again(door)

    def send_again(self, door: Door) -> dict[str, Any]:
        return door._asked("POST", f"/matches/{self.match}/moves", *self.command)


def test_everything_acknowledged_before_it_began_lives_on_elsewhere(tmp_path):
    here, there, file = tmp_path / "h", tmp_path / "t", tmp_path / "backup.tar"
    for folder in (here, there):
        folder.mkdir()
    with RunningService(here) as service, Crowd(service.port, tables=2, seed=8) as crowd:
        anna = Anna(service.port)
        anna.move(service.port)
        while True:
            file.unlink(missing_ok=True)
            began = time.monotonic()
            told = json.loads(tablee("backup", file, "--json", "--data", service.data))
            ended = time.monotonic()
            if any(began <= one.answered < ended for one in crowd.ledger.acknowledged):
                break
            # Over so soon that nobody has moved meanwhile: once more.
        crowd.wait_for_moves(ended)
        crowd.stop()
        promised = [one for one in crowd.ledger.acknowledged if one.answered < began]
        kept = tmp_path / "digest.ndjson"
        kept.write_text(tablee("digest", "--make", "--data", service.data))
    assert (file.stat().st_mode & 0o777, told["bytes"]) == (0o600, file.stat().st_size)

    new = RunningService(there)
    restored = json.loads(tablee("restore", file, "--json", "--data", new.data))
    assert (restored["bad"], restored["matches"]) == ([], told["manifest"]["matches"])
    with new:
        found = check_log(new.log_store_url, promised)
        assert (found.lost, found.doubled, found.broken) == ([], [], [])
        # A command whose answer was lost with the old machine is carried out once.
        with Door(new.port, Ledger()) as door:
            again = anna.send_again(door)
            assert (again["duplicate"], again["last"]) == (True, anna.first_answer["last"])
            # Her token opens her seat, the bot has moved, and moves again.
            version = anna.look(door)["version"]
            anna.move(new.port)
            until_true(lambda: anna.look(door)["version"] > version + 1, seconds=30, what="the bot's answer")
        # What was played between the backup and the end of the old machine is missing, and members can tell.
        assert "BAD" in tablee("verify", "--against", kept, "--data", new.data, code=1)
        assert tablee("digest", "--make", "--data", new.data)
        assert " 0 bad" in tablee("verify", "--all", "--data", new.data)
    # And once more of a service that does not run.
    stopped = json.loads(tablee("backup", tmp_path / "again.tar", "--json", "--data", new.data))
    assert stopped["manifest"]["matches"] == told["manifest"]["matches"]
    assert stopped["manifest"]["events"] > told["manifest"]["events"]

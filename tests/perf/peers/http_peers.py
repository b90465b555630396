"""The two peers that are asked over HTTP: Tablée as `tablee up`, and the aggregate of `eventsourcing`."""

import contextlib
import http.client
import importlib.metadata
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

import uvloop

from tests.faults.running_service import free_port
from tests.kit.checkout import ROOT
from tests.kit.unlimited import UNLIMITED
from tests.perf.http_client import Client, Table
from tests.perf.peers.playing import Kills, OpenTable, Played, Sent, Stretch, flat_out, lost, until_gone
from tests.perf.peers.whole_matches import sent_by_eventsourcing, sent_by_tablee
from tests.perf.service import PATIENCE, Service, processor_time


class OurTable(Table):
    """A table of Tablée."""

    @property
    def match(self) -> str:
        return self.path.rpartition("/")[2]


class Tablee:
    """`tablee up` with its embedded stores."""

    name = "Tablée, tablee up"

    def __init__(self) -> None:
        self._service = Service(**UNLIMITED)

    def __enter__(self) -> Self:
        self._service.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._service.close()

    def flat_out(self, clients: int, seconds: float) -> Stretch:
        return uvloop.run(_flat_out(self._tables(clients), seconds, self._used))

    def stored(self) -> int:
        """Return the size of the log's files; they are rewritten, and then smaller, once they have doubled."""
        return _size(self._service.data / "log")

    def sent(self, matches: int) -> Sent:
        return uvloop.run(sent_by_tablee(self._service.port, matches))

    def killed(self, kills: int, clients: int) -> Kills:
        return _killed(self, kills, clients)

    def _used(self) -> float:
        return sum(self._service.processor_time().values())

    def _tables(self, count: int) -> list[Played]:
        return [OurTable(Client("127.0.0.1", self._service.port)) for _ in range(count)]

    def kill(self) -> None:
        self._service.kill()

    def start(self) -> None:
        self._service.start()
        self._service.published()

    def version_of(self, match: str) -> int:
        told = _got(self._service.port, f"/api/v1/matches/{match}")
        return int(told["version"]) if told else -1


class Eventsourcing:
    """The aggregate behind Litestar and granian."""

    def __init__(self) -> None:
        self.name = f"eventsourcing {importlib.metadata.version('eventsourcing')}, SQLite"
        self._folder = TemporaryDirectory(prefix="tb-")
        self._process: subprocess.Popen[bytes] | None = None
        self._port = 0

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._folder.cleanup()

    def flat_out(self, clients: int, seconds: float) -> Stretch:
        return uvloop.run(_flat_out(self._tables(clients), seconds, self._used))

    def stored(self) -> int:
        return _size(Path(self._folder.name))

    def sent(self, matches: int) -> Sent:
        return uvloop.run(sent_by_eventsourcing(self._port, matches))

    def killed(self, kills: int, clients: int) -> Kills:
        return _killed(self, kills, clients)

    def _used(self) -> float:
        assert self._process is not None
        return processor_time(self._process.pid)

    def _tables(self, count: int) -> list[Played]:
        return [OpenTable(Client("127.0.0.1", self._port)) for _ in range(count)]

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def start(self) -> None:
        self._port = free_port()
        file = str(Path(self._folder.name) / "events.db")
        command = [sys.executable, "-m", "tests.perf.peers.eventsourcing_server", str(self._port), file]
        self._process = subprocess.Popen(command, cwd=ROOT)
        end = time.monotonic() + PATIENCE
        while _got(self._port, "/health") is None:
            if self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError("the peer did not start")
            time.sleep(0.02)

    def version_of(self, match: str) -> int:
        told = _got(self._port, f"/matches/{match}")
        return int(told["version"]) if told else -1


async def _flat_out(tables: Sequence[Played], seconds: float, used: Callable[[], float]) -> Stretch:
    for table in tables:
        await table.open()
    return await flat_out(tables, seconds, used)


def _killed(peer: Tablee | Eventsourcing, kills: int, clients: int) -> Kills:
    async def once() -> dict[str, list[int]]:
        tables = peer._tables(clients)
        for table in tables:
            await table.open()
        return await until_gone(tables, random.uniform(0.5, 1.5), peer.kill)

    acknowledged = gone = 0
    for _ in range(kills):
        told = uvloop.run(once())
        peer.start()
        stored = {match: peer.version_of(match) for match in told}
        acknowledged += sum(map(len, told.values()))
        gone += lost(told, stored)
    return Kills(kills, acknowledged, gone)


def _got(port: int, path: str) -> Any:
    """Return the answer's body, or None if there is none."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    with contextlib.suppress(OSError, http.client.HTTPException):
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read()
        return json.loads(body) if answer.status < http.client.INTERNAL_SERVER_ERROR else None
    return None


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())

"""boardgame.io's server with its file storage. Its packages are kept in a folder of the user's cache, not here."""

import contextlib
import json
import os
import random
import shutil
import subprocess
import time
import urllib.request
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

from tests.faults.running_service import free_port
from tests.perf.peers.playing import Kills, Sent, Stretch, lost

_SOURCES = Path(__file__).with_name("boardgameio")
_PATIENCE = 60.0


class NotHere(Exception):
    """Node, or the packages, cannot be had on this machine."""


class BoardgameIo:
    """The server, as a context manager."""

    def __init__(self, **variables: str) -> None:
        packages = installed()
        self.name = f"boardgame.io {version(packages)}, FlatFile{', deltaState' * bool(variables)}"
        self._environment = {**os.environ, "NODE_PATH": str(packages / "node_modules"), **variables}
        self._folder = TemporaryDirectory(prefix="tb-")
        self._data = Path(self._folder.name) / "data"
        self._log = Path(self._folder.name) / "log"
        self._server: subprocess.Popen[bytes] | None = None
        self._port = 0

    def __enter__(self) -> Self:
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self._kill()
        self._folder.cleanup()

    def flat_out(self, clients: int, seconds: float) -> Stretch:
        assert self._server is not None
        told = self._asked("flat", clients, seconds, self._server.pid)
        return Stretch(told["times"], told["seconds"], told["server"], told["clients"])

    def stored(self) -> int:
        return sum(file.stat().st_size for file in self._data.iterdir())

    def sent(self, matches: int) -> Sent:
        told = self._asked("sent", matches)
        hidden = told["sync"] + told["update"] + told["patch"]
        return Sent(told["bytes"], told["moves"], told["matches"], hidden, told["guessed"])

    def killed(self, kills: int, clients: int) -> Kills:
        acknowledged = gone = 0
        for _ in range(kills):
            with self._loading("kill", clients, stdout=subprocess.PIPE) as load:
                assert load.stdout is not None
                load.stdout.readline()
                time.sleep(random.uniform(0.5, 1.5))
                self._kill()
                told: dict[str, list[int]] = json.loads(load.stdout.readline())
            self._start()
            stored = self._stored_versions(list(told))
            acknowledged += sum(map(len, told.values()))
            gone += lost(told, stored)
        return Kills(kills, acknowledged, gone)

    def _stored_versions(self, matches: list[str]) -> dict[str, int]:
        """Return in which state each match is; -1 where its file cannot be read, which ends the server each time."""
        stored: dict[str, int] = {}
        while left := [match for match in matches if match not in stored]:
            stored |= self._asked("look", given=json.dumps(left))
            self._kill()
            self._start()
        return stored

    def _start(self) -> None:
        self._port = free_port()
        with self._log.open("ab") as sink:
            self._server = subprocess.Popen(
                ["node", str(_SOURCES / "server.js"), str(self._port), str(self._data)],
                env={**self._environment, "NODE_ENV": "production"},
                stdout=sink,
                stderr=sink,
            )
        end = time.monotonic() + _PATIENCE
        while True:
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"http://127.0.0.1:{self._port}/games", timeout=5).read()
                return
            if self._server.poll() is not None or time.monotonic() > end:
                raise RuntimeError(self._log.read_text()[-3000:])
            time.sleep(0.05)

    def _kill(self) -> None:
        assert self._server is not None
        self._server.kill()
        self._server.wait()

    def _loading(self, mode: str, *arguments: object, **options: Any) -> "subprocess.Popen[bytes]":
        command = ["node", str(_SOURCES / "load.js"), mode, str(self._port), *map(str, arguments)]
        return subprocess.Popen(command, env=self._environment, **options)

    def _asked(self, mode: str, *arguments: object, given: str = "") -> Any:
        with self._loading(mode, *arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as load:
            told, _ = load.communicate(given.encode(), timeout=10 * _PATIENCE)
        if load.returncode:
            raise RuntimeError(
                f"the load generator ended with {load.returncode}: {self._log.read_text()[-3000:]}"
            )
        return json.loads(told)


def installed() -> Path:
    """Return the folder that has the packages; they are fetched from npm's registry at the first time.

    Raises:
        NotHere: There is no Node, or npm could not fetch them.
    """
    if shutil.which("node") is None or shutil.which("npm") is None:
        raise NotHere("there is no Node here")
    wanted = (_SOURCES / "package.json").read_text()
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tablee-bench"
    packages = base / "boardgameio"
    kept = packages / "package.json"
    if not (packages / "node_modules").is_dir() or kept.read_text() != wanted:
        shutil.rmtree(packages, ignore_errors=True)
        packages.mkdir(parents=True)
        kept.write_text(wanted)
        command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"]
        done = subprocess.run(command, cwd=packages, capture_output=True, text=True, check=False)
        if done.returncode:
            shutil.rmtree(packages, ignore_errors=True)
            raise NotHere(f"npm could not fetch the packages: {done.stderr[-300:]}")
    return packages


def version(packages: Path) -> str:
    """Return the version that is there."""
    told = json.loads((packages / "node_modules" / "boardgame.io" / "package.json").read_text())
    return str(told["version"])

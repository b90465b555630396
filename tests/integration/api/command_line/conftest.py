"""Real stores, real matches in them, and the command in this process or in one of its own."""

import asyncio
import contextlib
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner, Result
from redis import Redis

from api.command_line.main import cli
from api.command_line.purposes import STORE
from domain.games.registry import CURRENT
from domain.match.command_handler import CommandMetadata
from domain.match.commands import BeReady, Command, CreateMatch, SeatPlan, StartMatch, TakeSeat
from services.bootstrap.parts import Application, application
from services.log.embedded.processes import is_alive
from services.log.embedded.running import Running, find_running
from services.log.embedded.session import running_stores
from services.matches.service import Submission
from tests.kit.checkout import ROOT
from tests.kit.environment import settings_named, without_settings
from tests.kit.games import GAME_KEYS
from tests.kit.options import shortest
from tests.kit.store_dumps import dumped, put_back

PATIENCE = 60.0

SECRET = "a secret of thirty-two characters"
"""That of the installation with matches in it."""

Tablee = Callable[..., Result]


def until(condition: Callable[[], object], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.01)


@pytest.fixture(scope="session")
def folders(tmp_path_factory) -> Callable[[], Path]:
    """Makes names of data folders that do not exist yet, short enough for sockets."""

    def name() -> Path:
        folder: Path = tmp_path_factory.mktemp("t", numbered=True) / "d"
        return folder

    return name


@pytest.fixture
def data(folders: Callable[[], Path]) -> Path:
    return folders()


@pytest.fixture
def tablee(monkeypatch) -> Tablee:
    """Runs a command in this process."""
    for name in settings_named():
        monkeypatch.delenv(name)
    monkeypatch.setenv("LANGUAGE", "")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")

    def run(*arguments: object, said: str = "") -> Result:
        return CliRunner().invoke(cli, list(map(str, arguments)), input=said, catch_exceptions=False)

    return run


class Process:
    """A command in a process of its own."""

    def __init__(self, folder: Path, *arguments: object, **environment: str) -> None:
        self.folder = folder
        variables = without_settings()
        self.popen = subprocess.Popen(
            [sys.executable, "-m", "api.command_line.main", *map(str, arguments)],
            cwd=ROOT,
            env={**variables, "PYTHONUNBUFFERED": "1", **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def running(self) -> Running | None:
        found = find_running(self.folder)
        return found if found is not None and found.pid == self.popen.pid else None

    def wait_until_it_runs(self) -> Running:
        until(lambda: self.running() or self.popen.poll() is not None, "the service runs")
        running = self.running()
        assert running is not None, self.popen.communicate()
        return running

    def end(self, number: int) -> tuple[int, str, str]:
        """Send a signal; return exit status, output and errors."""
        self.popen.send_signal(number)
        out, errors = self.popen.communicate(timeout=PATIENCE)
        return self.popen.returncode, out, errors

    def kill(self) -> None:
        running = self.running()
        self.popen.kill()
        self.popen.wait()
        # Who was not asked for its output may have ended by itself.
        for pipe in (self.popen.stdout, self.popen.stderr):
            if pipe is not None:
                pipe.close()
        pids = running.pids.values() if running else ()
        until(lambda: not any(map(is_alive, pids)), "the kernel ends what the killed process has started")


@pytest.fixture
def start() -> Iterator[Callable[..., Process]]:
    """Starts commands, and kills what a failed test leaves behind."""
    with contextlib.ExitStack() as stack:

        def started(folder: Path, *arguments: object, **environment: str) -> Process:
            process = Process(folder, *arguments, **environment)
            stack.callback(process.kill)
            return process

        yield started


class Played(NamedTuple):
    """Stores with matches in them, as if `tablee store` ran.

    Attributes:
        folder: The data folder.
        url: The log's address.
        finished: Ids of finished matches by game.
        live: The id of a match of L.A.M.A. in which a person is to move.
    """

    folder: Path
    url: str
    finished: dict[str, str]
    live: str


@pytest.fixture(scope="session")
def played(folders) -> Iterator[Played]:
    folder = folders()
    with running_stores(folder, purpose=STORE) as stores:
        finished, live = asyncio.run(_play(stores.log_store_url, folder))
        yield Played(folder, stores.log_store_url, finished, live)


@contextlib.contextmanager
def as_before(played: Played) -> Iterator[Redis]:
    """Use the store of the matches; at the end it holds what it held, and there is no archive."""
    with Redis.from_url(played.url) as store:
        kept = dumped(store)
        try:
            yield store
        finally:
            put_back(store, kept)
            shutil.rmtree(played.folder / "archive", ignore_errors=True)


async def _play(url: str, folder: Path) -> tuple[dict[str, str], str]:
    archive = str(folder / "archive")
    async with application(url, 16, SECRET.encode(), archive) as parts:
        finished = {}
        for game in GAME_KEYS:
            finished[game] = f"finished-{game}"
            await _command(parts, finished[game], _table(game, "steady", "steady", "steady"), StartMatch())
            await parts.bots.play_turns(finished[game], trace="", seconds=PATIENCE)
        live = "live-lama"
        await _command(parts, live, _table("lama", "", "steady"), TakeSeat("anna"), BeReady(0), StartMatch())
        await parts.bots.play_turns(live, trace="", seconds=PATIENCE)
        return finished, live


def _table(game: str, *bots: str) -> CreateMatch:
    return CreateMatch(game, dict(shortest(CURRENT[game])), tuple(map(SeatPlan, bots)), "host", "5e" * 32)


async def _command(parts: Application, match: str, *commands: Command) -> None:
    for number, command in enumerate(commands):
        metadata = CommandMetadata("host", "api", f"command-{number}")
        await parts.service.execute(Submission(match, command, metadata, f"f{number}"))

"""The operator's pages, over a log in memory, or over real stores with everything that works on them."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import redis
from litestar import Litestar
from rq import Worker
from rq.serializers import JSONSerializer

from api.application import create_app
from domain.games.registry import CURRENT
from domain.match.clock import ClockTerms
from domain.match.command_handler import CommandMetadata
from domain.match.commands import BeReady, Command, CreateMatch, SeatPlan, StartMatch, TakeSeat
from services.bootstrap import present_instant
from services.bootstrap.parts import Application, application
from services.jobs.bots import bots_queue
from services.matches.reader import MatchReader
from services.matches.service import Submission
from services.process.settings import load_settings
from tests.conformance.backends import flushed
from tests.conformance.servers import Server, running, valkey_program
from tests.integration.api.conftest import started
from tests.integration.api.pages.conftest import Pages, durable, running_pages
from tests.integration.api.pages.reader import Reader
from tests.kit.options import shortest
from tests.kit.unlimited import UNLIMITED
from workers.projection_loop import ProjectionLoop

SHARDS = 4


async def enter(application: Application, reader: Reader) -> Reader:
    link = await application.operators.make_link(present_instant())
    await reader.get(f"/ops/enter/{link}")
    await reader.submit(f"/ops/enter/{link}")
    return reader


class OperatorPages(Pages):
    """The running application over a log in memory, and a way in."""

    async def operator(self, language: str = "en") -> Reader:
        """Return the browser of an operator."""
        return await enter(self.application, self.reader(language))


@pytest.fixture
async def ops() -> AsyncIterator[OperatorPages]:
    async with running_pages() as running:
        yield OperatorPages(running.app, running.people)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running(valkey_program(), fsync="no") as one:
        yield one


class House:
    """An installation on real stores: its pages, its log, its queue. Nothing runs by itself."""

    def __init__(self, app: Any, jobs: "redis.Redis") -> None:
        self.app = app
        self.jobs = jobs
        self.application: Application = app.state.parts.application
        parts = self.application
        self._loop = ProjectionLoop(parts.log_client, parts.store, parts.reader, present_instant)

    async def operator(self, language: str = "en") -> Reader:
        """Return the browser of an operator."""
        return await enter(self.application, self.reader(language))

    def reader(self, language: str = "en") -> Reader:
        """Return the browser of somebody."""
        return Reader(self.app, language)

    async def catch_up(self) -> None:
        """Bring the list of matches up to date."""
        while await self._loop.step(0) != 0:
            pass

    async def catch_up_anew(self) -> None:
        """Bring the list up to date as loops do that were just started, and remember no match."""
        parts = self.application
        loop = ProjectionLoop(parts.log_client, parts.store, MatchReader(parts.store), present_instant)
        while await loop.step(0) != 0:
            pass

    async def rebuild(self) -> None:
        """Do what the loops do when somebody has asked for a rebuild."""
        await self._loop.step(0)
        assert self._loop._rebuilding is not None
        await self._loop._rebuilding

    def hire(self) -> Worker:
        """Let a worker be there that has just given a sign of life."""
        worker = Worker([bots_queue(self.jobs)], connection=self.jobs, serializer=JSONSerializer)
        worker.register_birth()
        return worker

    async def play(self, match: str, *bots: str, clock: int = 0, game: str = "lama") -> str:
        """Begin a match: an empty text for each person who sits."""
        plan = CreateMatch(
            game,
            {**shortest(CURRENT[game]), **({"first": 0} if game == "lama" else {})},
            tuple(map(SeatPlan, bots)),
            "host",
            "5e" * 32,
            clock=ClockTerms(clock),
        )
        people = [seat for seat, bot in enumerate(bots) if not bot]
        await self._command(match, plan, *(TakeSeat(f"{match}-player-{seat}") for seat in people))
        await self._command(match, *(BeReady(seat) for seat in people), StartMatch(), first=100)
        return match

    async def _command(self, match: str, *commands: Command, first: int = 0) -> None:
        for number, command in enumerate(commands, first):
            metadata = CommandMetadata("host", "api", f"command-{number}")
            await self.application.service.execute(Submission(match, command, metadata, f"f{number}"))


@pytest.fixture
async def house(server, tmp_path: Path) -> AsyncIterator[House]:
    log, jobs = flushed(server, 0), flushed(server, 1)
    _PLACES.append((log, tmp_path))
    app = _app(jobs)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(started(app))
        client = stack.enter_context(redis.Redis.from_url(jobs))
        one = House(app, client)
        await one.catch_up()
        yield one


_PLACES: list[tuple[str, Path]] = []


@cache
def _app(jobs: str) -> Litestar:
    # Making it takes longer than most tests.
    def opening() -> AbstractAsyncContextManager[Application]:
        log, folder = _PLACES.pop()
        return application(log, SHARDS, b"a secret of the tests only, long enough", str(folder))

    return create_app(load_settings(UNLIMITED, job_store_url=jobs), opening, durable)

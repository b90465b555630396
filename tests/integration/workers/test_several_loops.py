"""Two processes of the loops share the work, and now one, now the other is killed: nothing is missed."""

import asyncio
import random
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from redis import Redis

from domain.match.command_handler import CommandMetadata
from domain.match.commands import Command, CreateMatch, SeatPlan, StartMatch
from services.bootstrap.parts import Application, application
from services.log.embedded.processes import start_dependent
from services.log.embedded.running import Running
from services.log.embedded.session import running_stores
from services.matches.service import Submission
from services.projections.standing import consumers
from tests.kit.environment import without_settings
from workers.loops import DUTIES

SECRET = "a secret of thirty-two characters"
SHARDS = 16
TABLES = 6
KILLS = 4
WITHIN_SECONDS = 10.0
"""How long the shards of a dead one may wait."""


class Loops:
    """Processes of the loops, and a worker, on some stores."""

    def __init__(self, folder: Path, stores: Running) -> None:
        self._variables = {
            **without_settings(),
            "TABLEE_DATA": str(folder),
            "TABLEE_LOG_STORE_URL": stores.log_store_url,
            "TABLEE_JOB_STORE_URL": stores.job_store_url,
            "TABLEE_SECRET": SECRET,
            "TABLEE_ARCHIVE_AFTER_DAYS": "0",
        }
        self.output = folder / "loops.log"
        self.running = [self.start("workers.loops") for _ in range(2)]
        self.worker = self.start("workers.rq_worker")

    def start(self, module: str) -> "subprocess.Popen[bytes]":
        return start_dependent(
            [sys.executable, "-m", module], environment=self._variables, output=self.output
        )

    def kill(self, number: int) -> None:
        self.running[number].kill()
        self.running[number].wait()

    def close(self) -> None:
        for process in (*self.running, self.worker):
            process.kill()
            process.wait()


async def until(
    question: Callable[[], Awaitable[bool]], within: float, what: str, loops: Loops | None = None
) -> float:
    began = time.monotonic()
    while not await question():
        said = "" if loops is None else loops.output.read_text(errors="replace")[-4000:]
        assert time.monotonic() - began < within, f"never: {what}\n{said}"
        await asyncio.sleep(0.1)
    return time.monotonic() - began


async def begin(parts: Application, match: str) -> None:
    table = CreateMatch("lama", {"limit": "single"}, (SeatPlan("steady"),) * 3, "host", "5e" * 32)
    commands: tuple[Command, ...] = (table, StartMatch())
    for number, command in enumerate(commands):
        metadata = CommandMetadata("host", "api", f"command-{number}")
        await parts.service.execute(Submission(match, command, metadata, f"f{number}"))


def holders(log: Redis) -> dict[tuple[int, str], str]:
    """By shard and duty, who holds it by the store's clock."""
    seconds, micro = log.time()
    found = {}
    for shard in range(SHARDS):
        leases: dict[bytes, bytes] = log.hgetall(f"tb:{{s{shard:02}}}:leases")  # type: ignore[assignment]
        for duty, value in leases.items():
            _, ends, member = value.decode().split(" ", 2)
            if int(ends) > seconds * 1000 + micro // 1000:
                found[shard, duty.decode()] = member
    return found


@pytest.mark.timeout(320)
async def test_the_work_goes_on_whoever_is_killed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("t") / "d"
    with running_stores(folder, purpose="a test") as stores, Redis.from_url(stores.log_store_url) as log:
        loops, chance = Loops(folder, stores), random.Random(5)
        everything = {(shard, duty) for shard in range(SHARDS) for duty in DUTIES}
        try:
            async with application(
                stores.log_store_url, SHARDS, SECRET.encode(), str(folder / "archive")
            ) as parts:

                async def shared() -> bool:
                    held = holders(log)
                    return everything <= held.keys() and len(set(held.values())) == 2

                await until(shared, 90, "both share all the work", loops)
                for number in range(TABLES):
                    await begin(parts, f"early-{number}")
                waited = []
                for number in range(KILLS):
                    dead = f"|{loops.running[number % 2].pid}|"
                    loops.kill(number % 2)

                    async def moved(dead: str = dead) -> bool:
                        held = holders(log)
                        return everything <= held.keys() and not any(dead in one for one in held.values())

                    waited.append(await until(moved, WITHIN_SECONDS, "the dead one's shards move"))
                    await begin(parts, f"late-{number}")
                    loops.running[number % 2] = loops.start("workers.loops")
                    await asyncio.sleep(chance.random() * 2)
                assert max(waited) < WITHIN_SECONDS, waited

                matches = [f"early-{n}" for n in range(TABLES)] + [f"late-{n}" for n in range(KILLS)]

                async def archived() -> bool:
                    metas = [await parts.live_store.meta(match) for match in matches]
                    return all(meta is not None and meta.status == "archived" for meta in metas)

                await until(archived, 180, "all are played to their end and archived", loops)

                async def caught_up() -> bool:
                    found = await consumers(parts.log_client, SHARDS)
                    return bool(found) and all(one.checkpoint == one.head for one in found)

                await until(caught_up, 30, "every consumer has read the feed to its end")
                assert await parts.closed.dead_letters() == []
                assert await parts.digests.latest() <= 1
        finally:
            loops.close()
    said = loops.output.read_text(errors="replace")
    assert "store_went_back" not in said
    assert "match_parked" not in said

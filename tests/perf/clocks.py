"""Five thousand clocks: how late they fire, what an outage costs to give back, and what idle clocks cost."""

import asyncio
import logging
import os
import time

import structlog
import uvloop

from domain.instants import Instant, after, instant_from_milliseconds, milliseconds_of
from domain.match.clock import ClockTerms
from domain.match.command_handler import CommandMetadata
from domain.match.commands import BeReady, Command, CreateMatch, SeatPlan, StartMatch, TakeSeat
from services.bootstrap.clients import SERVING, client
from services.log.event_store.redis_store import RedisEventStore
from services.log.watched import say_watched
from services.matches.bots import BotPlayer
from services.matches.outages import Outages
from services.matches.reader import MatchReader
from services.matches.service import MatchService, Submission
from services.people.identity import Identity
from tests.conformance.servers import running, valkey_program
from tests.kit.queue import FakeQueue
from tests.kit.table import SEED
from tests.perf.report import show
from workers.clock_loop import ClockLoop

MATCHES = int(os.environ.get("TABLEE_PERF_CLOCKS", "5000"))
GAMES = ("lama", "odin", "skyjo")
TURN = 3600
SPREAD_SECONDS = 60


class Time:
    """A clock that is set by hand and runs on from there."""

    def __init__(self) -> None:
        self.set(instant_from_milliseconds(round(time.time() * 1000)))

    def set(self, instant: Instant) -> None:
        """Let it be this instant now."""
        self._instant, self._at = instant, time.perf_counter()

    def elapsed(self) -> float:
        """Return the seconds that pass by this clock."""
        return milliseconds_of(self()) / 1000

    def __call__(self) -> Instant:
        """Return the present instant."""
        return after(self._instant, time.perf_counter() - self._at)


async def _begin(service: MatchService, number: int) -> None:
    match = f"clock-{number}"

    async def do(command: Command, actor: str, name: str) -> None:
        await service.execute(Submission(match, command, CommandMetadata(actor, "api", name), name))

    clock = ClockTerms(TURN)
    await do(CreateMatch(GAMES[number % 3], {}, (SeatPlan(),) * 2, "host", SEED, clock), "host", "create")
    for seat in range(2):
        await do(TakeSeat(f"player-{seat}", seat), f"player-{seat}", "sit")
        await do(BeReady(seat), f"player-{seat}", "ready")
    await do(StartMatch(), "host", "start")


async def _fill(service: MatchService, now: Time) -> None:
    """Begin all matches, spread over a minute."""
    begun = now()
    for first in range(0, MATCHES, 50):
        now.set(after(begun, first / MATCHES * SPREAD_SECONDS))
        await asyncio.gather(*(_begin(service, number) for number in range(first, min(first + 50, MATCHES))))


async def _measured() -> None:
    with running(valkey_program()) as server:
        store = await RedisEventStore.open(server.url(), shards=16)
        async with client(server.url(), SERVING) as redis:
            now = Time()
            await _fill(MatchService(store, MatchReader(store), now), now)
            await _rounds(store, redis, now)
        await store.close()


async def _rounds(store: RedisEventStore, redis: object, now: Time) -> None:
    reader = MatchReader(store)
    service = MatchService(store, reader, now)
    bots = BotPlayer(service, reader, Identity(b"s" * 32, redis))  # type: ignore[arg-type]
    outages = Outages(store, reader, service, redis, now, now.elapsed)  # type: ignore[arg-type]
    loop = ClockLoop(store, reader, service, bots, FakeQueue(), now, outages=outages)
    rows = []
    begun = now()

    await say_watched(redis, now())  # type: ignore[arg-type]
    await loop.step()
    cpu, wall = time.process_time(), time.perf_counter()
    while time.perf_counter() - wall < 5:
        await loop.step()
        await asyncio.sleep(await loop._pause())
    rows.append(("idle", f"{(time.process_time() - cpu) / 5:.2%} of a processor", "nothing"))

    now.set(after(begun, 3 * 86_400))
    cpu, wall = time.process_time(), time.perf_counter()
    credited = await outages.look()
    spent = time.perf_counter() - wall
    rows.append(
        (f"{credited} credits", f"{spent:.1f} s ({time.process_time() - cpu:.1f} s of processor)", "5 s")
    )

    # All at once: every deadline has passed, and nobody was away.
    now.set(after(begun, 3 * 86_400 + TURN + SPREAD_SECONDS))
    await say_watched(redis, now())  # type: ignore[arg-type]
    outages._said = None
    cpu, wall = time.process_time(), time.perf_counter()
    fired = 0
    while some := await loop.step():
        fired += some
    spent = time.perf_counter() - wall
    rows.append((f"{fired} clocks at once", f"{spent:.1f} s ({time.process_time() - cpu:.1f} s)", "5 s"))
    show(("what", "took", "budget"), rows)


def main() -> None:
    """Measure and print."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    uvloop.run(_measured())

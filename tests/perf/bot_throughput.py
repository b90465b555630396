"""How many turns workers play in a second while hundreds of tables of bots only run, and how long a person then waits.

Budgets: >= 300 turns a second on two cores at levels up to ``hard``; a person's bot answers within 100 ms (median) and
within a second (p99) meanwhile. What the processes use for a turn is told too: on a machine with other work that says
more than the rate, which depends on how much of the cores is left for the service.
"""

import asyncio
import secrets
import time
from typing import NamedTuple

import uvloop

from tests.kit.unlimited import UNLIMITED
from tests.perf.bot_answer import PAUSE, Seat
from tests.perf.http_client import Client
from tests.perf.report import judged, quantile, show
from tests.perf.service import Service, used_since

MATCHES = 500
SECONDS = 20.0
ANSWERS = 100
LEVELS = ("easy", "normal", "hard")
GAMES = ("lama", "odin", "skyjo")


async def _begin(port: int, number: int) -> str:
    client, level = Client("127.0.0.1", port), LEVELS[number % len(LEVELS)]
    body = {"game": GAMES[number % len(GAMES)], "seats": [{"bot": level}] * 4, "start": "host"}
    made = await client.ask("POST", "/api/v1/matches", body, Idempotency_Key=secrets.token_hex(16))
    if made.status >= 300:
        raise AssertionError(made)
    path, token = f"/api/v1/matches/{made.body['match']}", f"Bearer {made.body['host_token']}"
    await client.ask("POST", f"{path}/start", Authorization=token)
    return path


async def _versions(port: int, paths: list[str]) -> int:
    client, total = Client("127.0.0.1", port), 0
    for path in paths:
        total += (await client.ask("GET", path)).body["version"]
    return total


async def _answers(port: int, most: int) -> list[float]:
    seat, times = Seat(port), list[float]()
    view = await seat.sit()
    while len(times) < most:
        if not view["to_act"]:
            view = await seat.sit()
        await asyncio.sleep(PAUSE)
        seconds, view = await seat.answered(view)
        if seconds is not None:
            times.append(seconds)
    await seat.leave()
    return times


class Measured(NamedTuple):
    """What was measured.

    Attributes:
        rate: Events a second.
        answers: A person's waits, in milliseconds.
        spent: By process, seconds of a processor for each second.
    """

    rate: float
    answers: list[float]
    spent: dict[str, float]


async def _measure(service: Service) -> Measured:
    paths = [await _begin(service.port, number) for number in range(MATCHES)]
    sample = paths[:: MATCHES // 60]
    before, begun = await _versions(service.port, sample), time.perf_counter()
    used = service.processor_time()
    answers = asyncio.create_task(_answers(service.port, ANSWERS))
    await asyncio.sleep(SECONDS)
    after, passed = await _versions(service.port, sample), time.perf_counter() - begun
    spent = {name: seconds / passed for name, seconds in used_since(used, service.processor_time()).items()}
    # Nearly every turn is one event, some are two; the logs' growth counts events.
    return Measured((after - before) / passed * MATCHES / len(sample), await answers, spent)


def main() -> None:
    """Measure, and show."""
    with Service(TABLEE_WORKERS="2", **UNLIMITED) as service:
        rate, answers, spent = uvloop.run(_measure(service))
    p50, p99, all_of_it = quantile(answers, 0.5), quantile(answers, 0.99), sum(spent.values())
    show(
        ("while many tables of bots run", "measured", "budget"),
        (
            ("events a second", rate, judged(rate, 300, least=True)),
            ("a person's bot answers: median, ms", p50, judged(p50, 100)),
            ("p99, ms", p99, judged(p99, 1000)),
            ("cores that the service got", all_of_it, ""),
            ("ms of a processor for an event, all processes", 1000 * all_of_it / rate, ""),
            ("events a second with two cores to itself, by that", 2 * rate / all_of_it, ""),
        ),
    )
    show(
        ("process", "cores", "ms for an event"),
        [(name, share, 1000 * share / rate) for name, share in sorted(spent.items())],
    )


if __name__ == "__main__":
    main()

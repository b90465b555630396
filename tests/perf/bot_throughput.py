"""How many turns workers play in a second while hundreds of tables of bots only run, and how long a person then waits.

Budgets: >= 300 turns a second on two cores at levels up to ``hard``; a person's bot answers within 100 ms (median) and
within a second (p99) meanwhile.
"""

import asyncio
import secrets
import time

import uvloop

from tests.kit.unlimited import UNLIMITED
from tests.perf.bot_answer import PAUSE, Seat
from tests.perf.http_client import Client
from tests.perf.report import judged, quantile, show
from tests.perf.service import Service

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


async def _measure(service: Service) -> tuple[float, list[float]]:
    paths = [await _begin(service.port, number) for number in range(MATCHES)]
    sample = paths[:: MATCHES // 60]
    before, begun = await _versions(service.port, sample), time.perf_counter()
    answers = asyncio.create_task(_answers(service.port, ANSWERS))
    await asyncio.sleep(SECONDS)
    after, passed = await _versions(service.port, sample), time.perf_counter() - begun
    # Nearly every turn is one event, some are two; the logs' growth counts events.
    return (after - before) / passed * MATCHES / len(sample), await answers


def main() -> None:
    """Measure, and show."""
    with Service(TABLEE_WORKERS="2", **UNLIMITED) as service:
        rate, answers = uvloop.run(_measure(service))
    p50, p99 = quantile(answers, 0.5), quantile(answers, 0.99)
    show(
        ("while many tables of bots run", "measured", "budget"),
        (
            ("events a second", rate, judged(rate, 300, least=True)),
            ("a person's bot answers: median, ms", p50, judged(p50, 100)),
            ("p99, ms", p99, judged(p99, 1000)),
        ),
    )


if __name__ == "__main__":
    main()

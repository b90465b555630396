"""Full tables: how soon everybody at a table sees a move, while a thousand other matches wait.

Twenty tables of Skyjo with eight people, each with a stream of their own; 200 moves a second in all, at an even pace.
From when a move was due to its event at each of the seven others: 95 of 100 within 100 ms.
"""

import asyncio
import secrets
import time
from typing import Any

import uvloop

from tests.kit.unlimited import UNLIMITED
from tests.perf.http_client import Client, Table
from tests.perf.http_moves import Meter
from tests.perf.http_streams import Reader
from tests.perf.report import judged, quantile, show
from tests.perf.service import Service

TABLES = 20
SEATS = 8
IDLE = 1_000
PACE = 200
SECONDS = 10.0
TURNS = 3


class FullTable:
    """A match of Skyjo. People turn up their first hidden cards, and then swap every card that they draw."""

    def __init__(self, port: int) -> None:
        self._client = Client("127.0.0.1", port)
        self._view: dict[str, Any] = {}
        self.port = port
        self.path = ""
        self.tokens: list[str] = []

    @property
    def over(self) -> bool:
        return bool(self._view["lifecycle"]["phase"] != "playing")

    async def open(self) -> None:
        ask = self._client.ask
        body = {"game": "skyjo", "seats": [{}] * SEATS, "start": "host"}
        made = await ask("POST", "/api/v1/matches", body, Idempotency_Key=secrets.token_hex(16))
        self.path = f"/api/v1/matches/{made.body['match']}"
        for _ in range(SEATS):
            sat = await ask("POST", f"{self.path}/seats", {}, Idempotency_Key=secrets.token_hex(16))
            self.tokens.append(f"Bearer {sat.body['seat_token']}")
            await ask("POST", f"{self.path}/ready", Authorization=self.tokens[-1])
        begun = await ask("POST", f"{self.path}/start", Authorization=f"Bearer {made.body['host_token']}")
        self._view = begun.body["view"]

    async def move(self) -> tuple[int, int]:
        """Make a move; return who made it, and the version that everybody waits for."""
        seat = self._view["to_act"][0]
        answer = await self._client.ask(
            "POST",
            f"{self.path}/moves",
            self._wish(seat),
            Authorization=self.tokens[seat],
            Idempotency_Key=secrets.token_hex(8),
            If_Match=f'"{self._view["version"]}"',
        )
        if answer.status != 200:
            raise AssertionError(answer)
        self._view = answer.body["view"]
        return seat, int(answer.body["version"])

    def _wish(self, seat: int) -> dict[str, Any]:
        game = self._view["game"]
        hidden = [slot for slot, card in enumerate(game["boards"][seat]) if card is None]
        if game["phase"] == "reveal":
            return {"type": "reveal", "slots": hidden[:2]}
        if "drawn" not in game:
            return {"type": "draw"}
        there = [slot for slot, card in enumerate(game["boards"][seat]) if card != "gone"]
        return {"type": "swap", "slot": (hidden or there)[0]}


class Seen:
    """A move: when it was due, and at whom its event must arrive."""

    def __init__(self, due: float, version: int, others: list[Reader]) -> None:
        self._due, self._version, self._others = due, version, others

    async def times(self) -> list[float]:
        """Return how long it took to each of the others, once it has come to all."""
        while not all(self._version in eye.came for eye in self._others):
            await asyncio.sleep(0.01)
        return [eye.came[self._version] - self._due for eye in self._others]


async def _paced(tables: list[FullTable], eyes: list[list[Reader]]) -> list[float]:
    free: asyncio.Queue[int] = asyncio.Queue()
    for number in range(len(tables)):
        free.put_nowait(number)
    seen: list[Seen] = []

    async def one(due: float) -> None:
        number = await free.get()
        table = tables[number]
        seat, version = await table.move()
        seen.append(Seen(due, version, [eye for at, eye in enumerate(eyes[number]) if at != seat]))
        if not table.over:
            free.put_nowait(number)

    start, moves = time.perf_counter() + 0.1, []
    for number in range(int(PACE * SECONDS)):
        due = start + number / PACE
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        moves.append(asyncio.create_task(one(due)))
    await asyncio.gather(*moves)
    return [each for one in seen for each in await one.times()]


async def measured(service: Service) -> None:
    """Print a table."""
    # All on one connection: an address has a share of them only.
    client = Client("127.0.0.1", service.port)
    for _ in range(IDLE):
        await Table(client).open()
    rows = []
    for _ in range(TURNS):
        # Matches that have ended take no more moves: each turn has new ones.
        tables = [FullTable(service.port) for _ in range(TABLES)]
        for table in tables:
            await table.open()
        eyes = [[Reader(table.port, table.path, token) for token in table.tokens] for table in tables]
        reading = [await eye.open() for several in eyes for eye in several]
        meter = Meter(service)
        times = await _paced(tables, eyes)
        run = meter.run(times)
        moves = run.rate / (SEATS - 1)
        p95 = quantile(times, 0.95)
        rows.append(
            (
                moves,
                quantile(times, 0.5),
                p95,
                judged(p95, 100),
                quantile(times, 0.99),
                run.cores["API"],
                run.cores["log store"],
                run.cores["loops"],
                run.cores["clients"],
                run.cores["API"] / moves * 1e6,
            )
        )
        for task in reading:
            task.cancel()
    columns = ("moves/s", "p50, ms", "p95, ms", "budget", "p99, ms", "API, cores", "log store", "loops")
    show((*columns, "clients", "API, µs CPU per move and its news"), rows)
    client.close()


def main() -> None:
    """Measure."""
    with Service(**UNLIMITED) as service:
        uvloop.run(measured(service))


if __name__ == "__main__":
    main()

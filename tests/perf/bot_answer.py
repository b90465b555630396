"""From a person's move to the bot's answer, as the person's live stream shows it.

Budgets: median <= 100 ms, p99 <= 1 s. One person and one bot at a table of L.A.M.A.; the clock starts when the move
is sent, and stops when the bot's event arrives on the open stream. Then the same with experts, which answer after half
a second. One worker plays for all tables.
"""

import asyncio
import json
import secrets
import time
from typing import Any

import uvloop

from tests.kit.unlimited import UNLIMITED
from tests.perf.http_client import Client
from tests.perf.report import judged, quantile, show
from tests.perf.service import Service

ANSWERS = 160
EXPERTS_ANSWERS = 64
TABLES = (1, 8)
PAUSE = 0.05
"""Seconds that a person takes before the next move."""


class Seat:
    """A person at a table of L.A.M.A. with one bot, with an open stream."""

    def __init__(self, port: int, level: str = "steady") -> None:
        self._port, self._level = port, level
        self._client = Client("127.0.0.1", port)
        self._path = self._token = ""
        self._events: asyncio.Queue[tuple[float, dict[str, Any]]] = asyncio.Queue()
        self._reading: asyncio.Task[None] | None = None

    async def sit(self) -> dict[str, Any]:
        """Open a new table and return the view when it is this person's turn."""
        await self.leave()
        ask, key = self._client.ask, secrets.token_hex(16)
        body = {"game": "lama", "seats": [{}, {"bot": self._level}], "start": "host"}
        made = await ask("POST", "/api/v1/matches", body, Idempotency_Key=key)
        self._path = f"/api/v1/matches/{made.body['match']}"
        sat = await ask("POST", f"{self._path}/seats", {}, Idempotency_Key=key)
        self._token = f"Bearer {sat.body['seat_token']}"
        await ask("POST", f"{self._path}/ready", Authorization=self._token)
        self._events = asyncio.Queue()
        listening = asyncio.Event()
        self._reading = asyncio.create_task(self._listen(listening))
        await listening.wait()
        await ask("POST", f"{self._path}/start", Authorization=f"Bearer {made.body['host_token']}")
        return await self._turn()

    async def leave(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    async def answered(self, view: dict[str, Any]) -> tuple[float | None, dict[str, Any]]:
        """Move; return the seconds until the bot's answer (None if it was not asked) and the next view."""
        legal, key = view["legal"], secrets.token_hex(8)
        move: dict[str, Any] = {"type": "quit"}
        if legal.get("return_chips"):
            move = {"type": "return", "chip": legal["return_chips"][0]}
        elif legal.get("play"):
            move = {"type": "play", "card": legal["play"][0]}
        elif legal.get("draw"):
            move = {"type": "draw"}
        begun = time.perf_counter()
        answer = await self._client.ask(
            "POST",
            f"{self._path}/moves",
            move,
            Authorization=self._token,
            Idempotency_Key=key,
            If_Match=f'"{view["version"]}"',
        )
        if answer.status != 200:
            raise AssertionError(answer)
        after = answer.body["view"]
        if after["to_act"] != [1]:
            return None, after
        while True:
            arrived, envelope = await asyncio.wait_for(self._events.get(), 30)
            if envelope["v"] > after["version"] and envelope["door"] == "bot":
                return arrived - begun, await self._turn()

    async def _turn(self) -> dict[str, Any]:
        """Return the view once this person owes a move, or nobody does."""
        while True:
            view: dict[str, Any] = (await self._client.ask("GET", self._path, Authorization=self._token)).body
            if view["to_act"] in ([0], []):
                return view
            await asyncio.sleep(0.01)

    async def _listen(self, listening: asyncio.Event) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        head = f"GET {self._path}/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: {self._token}\r\n\r\n"
        writer.write(head.encode())
        try:
            await reader.readuntil(b"retry: ")
            listening.set()
            while True:
                line = await reader.readuntil(b"\n")
                if line.startswith(b'data: {"version'):
                    envelope = json.loads(json.loads(line[6:])["e"])
                    self._events.put_nowait((time.perf_counter(), envelope))
        except asyncio.IncompleteReadError:
            pass
        finally:
            writer.close()


async def _times(port: int, answers: int, level: str) -> list[float]:
    seat, times = Seat(port, level), list[float]()
    view = await seat.sit()
    while len(times) < answers:
        if not view["to_act"]:
            view = await seat.sit()
        await asyncio.sleep(PAUSE)
        took, view = await seat.answered(view)
        if took is not None:
            times.append(took)
    await seat.leave()
    return times


async def _measured(port: int, tables: int, answers: int, level: str = "steady") -> list[float]:
    rows = await asyncio.gather(*(_times(port, answers // tables, level) for _ in range(tables)))
    return [took for row in rows for took in row]


def main() -> None:
    """Measure."""
    rows = []
    with Service(**UNLIMITED) as service:
        uvloop.run(_measured(service.port, 1, 10))  # warm
        for tables in TABLES:
            times = uvloop.run(_measured(service.port, tables, ANSWERS))
            p50, p99 = quantile(times, 0.5), quantile(times, 0.99)
            budgets = (judged(p50, 100), judged(p99, 1000)) if tables == 1 else ("", "")
            rows.append(
                ("steady", str(tables), str(len(times)), p50, budgets[0], p99, budgets[1], max(times) * 1000)
            )
        for tables in TABLES:
            times = uvloop.run(_measured(service.port, tables, EXPERTS_ANSWERS, "expert"))
            p50, p99 = quantile(times, 0.5), quantile(times, 0.99)
            rows.append(("expert", str(tables), str(len(times)), p50, "", p99, "", max(times) * 1000))
    show(
        ("level", "tables at once", "answers", "median, ms", "budget", "p99, ms", "budget", "longest, ms"),
        rows,
    )


if __name__ == "__main__":
    main()

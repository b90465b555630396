"""What one address can do to a service in a few seconds, while somebody else plays there from another address.

Each attack comes from an address of its own (127.0.0.2 and so on), with many clients that ask again as soon as they are
answered. Once with the limits that a service has by default, and once without limits.
"""

import asyncio
import contextlib
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import uvloop

from services.bootstrap.parts import application
from services.process.settings import Settings
from tests.kit.unlimited import UNLIMITED
from tests.perf.busy_replays import LONG, long_match
from tests.perf.going_back import _adopted
from tests.perf.http_client import Client, Table
from tests.perf.report import quantile, show
from tests.perf.service import Service

SECONDS = 5.0
CLIENTS = 24
CONNECTIONS = 1500
STREAMS = 600
PACE = 0.02
"""Seconds between two questions of the one who plays."""

WITHOUT = {**UNLIMITED, "TABLEE_ADDRESS_CONNECTIONS": "0"}

_LIMITS: tuple[tuple[str, dict[str, str]], ...] = (("by default", {}), ("without limits", WITHOUT))

Said = Counter[str]
"""How often each answer came."""

Attack = Callable[[int, str, Said], Coroutine[Any, Any, None]]
"""Goes on until it is cancelled. Takes the port, the address to come from, and what counts the answers."""


async def _ask(
    client: Client, said: Said, method: str, path: str, body: object = None, **more: str
) -> dict[str, str]:
    answer = await client.ask(method, path, body, **more)
    said[str(answer.status)] += 1
    return answer.body if isinstance(answer.body, dict) else {}


def _key() -> str:
    return secrets.token_hex(16)


async def _tables(port: int, source: str, said: Said) -> None:
    async def one() -> None:
        client = Client("127.0.0.1", port, source)
        while True:
            body = {"game": "lama", "seats": [{}, {}]}
            await _ask(client, said, "POST", "/api/v1/matches", body, Idempotency_Key=_key())

    await _many(one)


async def _seats(port: int, source: str, said: Said) -> None:
    opener = Client("127.0.0.1", port)
    made = await opener.ask(
        "POST", "/api/v1/matches", {"game": "skyjo", "seats": [{}] * 8}, Idempotency_Key=_key()
    )
    path = f"/api/v1/matches/{made.body['match']}"

    async def one() -> None:
        client = Client("127.0.0.1", port, source)
        while True:
            sat = await _ask(client, said, "POST", f"{path}/seats", {}, Idempotency_Key=_key())
            if "seat_token" in sat:
                token = f"Bearer {sat['seat_token']}"
                await _ask(client, said, "POST", f"{path}/leave", Authorization=token)

    await _many(one)


async def _refusals(port: int, source: str, said: Said) -> None:
    table = Table(Client("127.0.0.1", port))
    await table.open()

    async def one() -> None:
        client = Client("127.0.0.1", port, source)
        while True:
            await _ask(client, said, "POST", f"{table.path}/ready", Authorization=table.tokens[0])

    await _many(one)


async def _replays(port: int, source: str, said: Said) -> None:
    async def one() -> None:
        client = Client("127.0.0.1", port, source)
        while True:
            answer = await client.fetch("GET", f"/api/v1/matches/{LONG}/replay")
            said[str(answer.status)] += 1

    await _many(one)


async def _connections(port: int, source: str, said: Said) -> None:
    open_ones: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
    try:
        while len(open_ones) < CONNECTIONS:
            open_ones.append(await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0)))
        while True:
            said["open"] = sum(not reader.at_eof() for reader, _ in open_ones)
            said["ended"] = CONNECTIONS - said["open"]
            await asyncio.sleep(0.2)
    finally:
        for _, writer in open_ones:
            writer.close()


async def _streams(port: int, source: str, said: Said) -> None:
    open_ones = []
    request = f"GET /api/v1/matches/{LONG}/stream HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    try:
        for _ in range(STREAMS):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
            open_ones.append(writer)
            writer.write(request)
            with contextlib.suppress(asyncio.IncompleteReadError):
                head = await reader.readuntil(b"\r\n")
                said[head.split()[1].decode()] += 1
        await asyncio.Event().wait()
    finally:
        for writer in open_ones:
            writer.close()


ATTACKS: dict[str, Attack] = {
    "making tables": _tables,
    "sitting down and leaving": _seats,
    "commands that are refused": _refusals,
    "replays of 10,000 events": _replays,
    f"{CONNECTIONS:,} silent connections": _connections,
    f"{STREAMS} streams": _streams,
}


async def _many(one: Callable[[], Awaitable[None]]) -> None:
    async with asyncio.TaskGroup() as group:
        for _ in range(CLIENTS):
            group.create_task(_patient(one))


async def _patient(one: Callable[[], Awaitable[None]]) -> None:
    while True:
        # Whom the service cuts off comes again.
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            await one()
        await asyncio.sleep(0.05)


class Player:
    """Somebody who plays and looks, at a pace of their own."""

    def __init__(self, port: int) -> None:
        self._client = Client("127.0.0.1", port)
        self._table = Table(self._client)
        self.views: list[float] = []
        self.moves: list[float] = []

    async def play(self, seconds: float) -> None:
        """Look and move in turn; every answer must be a good one."""
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            if self._table.over:
                await self._table.open()
            begun = time.perf_counter()
            answer = await self._client.fetch("GET", self._table.path, Authorization=self._table.tokens[0])
            assert answer.status == 200, answer
            self.views.append(time.perf_counter() - begun)
            await asyncio.sleep(PACE)
            begun = time.perf_counter()
            await self._table.move()
            self.moves.append(time.perf_counter() - begun)
            await asyncio.sleep(PACE)


async def _under(port: int, name: str, attack: Attack | None, source: str) -> tuple[object, ...]:
    player, said = Player(port), Said()
    task = asyncio.create_task(attack(port, source, said)) if attack is not None else None
    await asyncio.sleep(0.2)
    await player.play(SECONDS)
    if task is not None:
        if task.done():
            task.result()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    told = ", ".join(f"{count:,} x {answer}" for answer, count in sorted(said.items()))
    return name, quantile(player.views, 0.95), quantile(player.moves, 0.95), max(player.moves) * 1000, told


async def _measured(service: Service) -> list[tuple[object, ...]]:
    archive = Settings(data=str(service.data)).archive_address
    async with application(service.published().log_store_url, 16, b"s" * 32, archive) as parts:
        await _adopted(parts.store, LONG, long_match())
    rows = [await _under(service.port, "nothing else", None, "")]
    for number, (name, attack) in enumerate(ATTACKS.items(), 2):
        rows.append(await _under(service.port, name, attack, f"127.0.0.{number}"))
        await asyncio.sleep(1)
    return rows


def main() -> None:
    """Measure."""
    for told, variables in _LIMITS:
        with Service(**variables) as service:
            rows = uvloop.run(_measured(service))
        print(f"\nlimits: {told}\n")
        show(("meanwhile", "view p95, ms", "move p95, ms", "longest move, ms", "answers"), rows)


if __name__ == "__main__":
    main()

"""Whole matches between two players who play when they can, then draw, then quit; all that the first one is sent."""

import asyncio
import secrets
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from tests.perf.http_client import Client, Fetched, Table
from tests.perf.peers.eventsourcing_server import AFTER
from tests.perf.peers.playing import OpenTable, Sent

_ME = 0


class Watching:
    """The live stream of a seat, read to the last byte."""

    def __init__(self, port: int, path: str, token: str) -> None:
        self._port, self._path, self._token = port, path, token
        self.read = bytearray()
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        request = f"GET {self._path}/stream HTTP/1.1\r\nHost: x\r\nAuthorization: {self._token}\r\n\r\n"
        self._writer.write(request.encode())
        self.read += await reader.readuntil(b"retry: 2000\n\n")
        self._task = asyncio.create_task(self._follow(reader))

    async def reached(self, version: int) -> None:
        while b"\nid: %d\n" % version not in self.read:
            await asyncio.sleep(0.001)

    async def _follow(self, reader: asyncio.StreamReader) -> None:
        while data := await reader.read(65_536):
            self.read += data

    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self._writer.close()

    def openings(self) -> Iterator[Mapping[str, Any]]:
        """Yield what was opened to this seat."""
        for line in bytes(self.read).split(b"\n"):
            if line.startswith(b"data: "):
                yield from msgspec.json.decode(line[6:]).get("openings", ())


async def sent_by_tablee(port: int, matches: int) -> Sent:
    """Play at Tablée: the first player has a live stream open, and asks for the view when it is their turn."""
    total = moves = hidden = 0
    for _ in range(matches):
        clients = [Client("127.0.0.1", port) for _ in range(2)]
        table = Table(clients[1])
        await table.open()
        watching, answers = Watching(port, table.path, table.tokens[_ME]), list[Fetched]()
        await watching.open()
        version, over, to_act = 0, False, list[int]()
        while not over:
            if not to_act:
                view = msgspec.json.decode((await clients[1].fetch("GET", table.path)).content)
                to_act = view["to_act"]
            seat = to_act[0]
            looked = await clients[seat].fetch("GET", table.path, Authorization=table.tokens[seat])
            view = msgspec.json.decode(looked.content)
            answer = await clients[seat].fetch(
                "POST",
                f"{table.path}/moves",
                _move(view["legal"]),
                Authorization=table.tokens[seat],
                Idempotency_Key=secrets.token_hex(8),
                If_Match=f'"{view["version"]}"',
            )
            told = msgspec.json.decode(answer.content)
            if answer.status != 200:
                raise AssertionError(told)
            answers += [looked, answer] if seat == _ME else []
            view, version, moves = told["view"], told["version"], moves + 1
            to_act, over = view["to_act"], view["lifecycle"]["phase"] != "playing"
            await watching.reached(version)
        total += len(watching.read) + sum(len(one.head) + len(one.content) for one in answers)
        hidden += sum(_ME not in one["seats"] for one in watching.openings() if one["seats"])
        hidden += sum(_hidden(msgspec.json.decode(one.content)) for one in answers)
        watching.close()
        for client in clients:
            client.close()
    return Sent(total, moves, matches, hidden)


async def sent_by_eventsourcing(port: int, matches: int) -> Sent:
    """Play at the other service, which has no streams: the first player looks when it is their turn."""
    total = moves = hidden = 0
    for _ in range(matches):
        client = Client("127.0.0.1", port)
        table = OpenTable(client)
        await table.open()
        while not table.over:
            seat = int(str(table.view["turn"]))
            headers = {"Authorization": f"Bearer {table.tokens[seat]}"}
            path = f"/matches/{table.match}"
            looked = await client.fetch("GET", path, **headers)
            answer = await client.fetch(
                "POST", f"{path}/moves", _choice(msgspec.json.decode(looked.content)), **headers
            )
            table.view = msgspec.json.decode(answer.content)
            if answer.status != 200:
                raise AssertionError(table.view)
            moves += 1
            if seat == _ME:
                total += sum(len(one.head) + len(one.content) for one in (looked, answer))
        client.close()
    return Sent(total, moves, matches, hidden)


def _hidden(told: Mapping[str, Any]) -> int:
    """Return how many cards of others, or of the pile, an answer to the first player shows."""
    game = told.get("view", told)["game"]
    if game["phase"] != "play":
        return 0  # hands are shown at the end of a round, the pile at the end of the match
    others = sum(len(hand) for seat, hand in enumerate(game["hands"]) if seat != _ME and hand)
    return others + len(game["pile"] or ())


def _move(legal: Mapping[str, Any]) -> dict[str, Any]:
    if legal.get("return_chips"):
        return {"type": "return", "chip": legal["return_chips"][0]}
    if legal.get("play"):
        return {"type": "play", "card": legal["play"][0]}
    return {"type": "draw" if legal.get("draw") else "quit"}


def _choice(view: Mapping[str, Any]) -> dict[str, str]:
    playable = [card for card in view["hand"] if card in (view["top"], AFTER[view["top"]])]
    if playable:
        return {"type": "play", "card": playable[0]}
    return {"type": "draw" if view["pile_size"] and not view["quit"] else "quit"}

"""Reading live streams in tests, in the same loop as the application, byte by byte as it sends them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from litestar import Litestar

from tests.integration.api.tables import BASE


class Told(msgspec.Struct):
    """One server-sent event."""

    id: str = ""
    event: str = "message"
    data: str = ""


class Reader:
    """The client's end of one answer."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.begun = asyncio.Event()
        self.ended = asyncio.Event()
        self.reading = asyncio.Event()
        self.reading.set()
        self.pieces: asyncio.Queue[bytes] = asyncio.Queue()
        self.left = asyncio.Event()
        self._asked = False
        self._rest = b""

    async def receive(self) -> Any:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
            self.begun.set()
            return
        await self.reading.wait()
        if message.get("body"):
            self.pieces.put_nowait(message["body"])
        if not message.get("more_body", False):
            self.ended.set()

    async def block(self) -> str:
        """Return the next block of lines."""
        while b"\n\n" not in self._rest:
            self._rest += await asyncio.wait_for(self.pieces.get(), 5)
        block, _, self._rest = self._rest.partition(b"\n\n")
        return block.decode()

    async def next(self) -> Told:
        """Return the next event."""
        told = Told()
        for line in (await self.block()).splitlines():
            name, _, value = line.partition(": ")
            if name in {"id", "event", "data"}:
                setattr(told, name, value)
        return told if told.data else await self.next()

    async def versions(self, count: int) -> list[int]:
        return [int((await self.next()).id) for _ in range(count)]

    @property
    def quiet(self) -> bool:
        return self.pieces.empty() and b"\n\n" not in self._rest


@contextlib.asynccontextmanager
async def reading(
    app: Litestar, path: str, query: str = "", *, client: str = "192.0.2.1", **headers: str
) -> AsyncIterator[Reader]:
    """Open a stream; closes it at the end as a reader does who goes away."""
    reader = Reader()
    scope: Any = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": BASE + path,
        "raw_path": (BASE + path).encode(),
        "query_string": query.encode(),
        "headers": [
            (name.replace("_", "-").lower().encode(), value.encode()) for name, value in headers.items()
        ],
        "client": (client, 1),
        "server": ("tablee.test", 80),
        "root_path": "",
        "state": {},
    }
    task = asyncio.create_task(app(scope, reader.receive, reader.send))
    try:
        await asyncio.wait_for(reader.begun.wait(), 5)
        yield reader
    finally:
        reader.left.set()
        reader.reading.set()
        await asyncio.wait_for(task, 5)

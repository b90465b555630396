"""Writing an open stream: it ends with its pieces, its reader or the hub, and never hangs on a stalled reader."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from api.streams import sending
from api.streams.open_streams import SLOW, Looker, Watcher
from api.streams.sending import send_piece, send_while_open

END = {"type": "http.response.body", "body": b"", "more_body": False}


class Client:
    """The other end of an answer."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.accepts = asyncio.Event()
        self.accepts.set()
        self.left = asyncio.Event()

    async def send(self, message: Any) -> None:
        await self.accepts.wait()
        self.sent.append(message)

    async def receive(self) -> Any:
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def gets(self, pieces: Coroutine[Any, Any, None], stream: Watcher | None = None) -> list[Any]:
        async with asyncio.timeout(5):
            await send_while_open(stream or watcher(), pieces, self.send, self.receive)
        return self.sent


def watcher() -> Watcher:
    return Watcher(Looker())


async def for_ever() -> None:
    await asyncio.Event().wait()


async def test_the_answer_ends_behind_the_last_piece():
    client = Client()
    (piece, end) = await client.gets(send_piece(client.send, b"news"))
    assert (piece["body"], end) == (b"news", END)


async def test_a_reader_who_has_gone_is_sent_nothing_more():
    client = Client()
    client.left.set()
    assert await client.gets(for_ever()) == []


async def test_the_hub_ends_a_stream_and_cuts_a_slow_reader_off():
    stopped, slow = watcher(), watcher()
    stopped.end("the service stops")
    slow.end(SLOW)
    assert await Client().gets(for_ever(), stopped) == [END]
    assert await Client().gets(for_ever(), slow) == []


async def test_a_reader_who_accepts_nothing_holds_no_stream_for_ever(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sending, "READ_PATIENCE", 0.01)
    client = Client()
    client.accepts.clear()
    assert await client.gets(send_piece(client.send, b"news")) == []


async def test_a_stream_that_fails_breaks_off():
    async def failing() -> None:
        raise ValueError("the log cannot be read")

    assert await Client().gets(failing()) == [END]

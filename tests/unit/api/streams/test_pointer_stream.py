"""A browser's stream of pointers, which looks now and then what its person watches by now."""

import asyncio
from contextlib import suppress
from typing import Any

from api.pages.stream import PointerStream
from api.streams.hub import StreamHub
from api.streams.open_streams import Looker
from tests.kit.memory_store import MemoryEventStore


async def test_a_table_that_somebody_got_meanwhile_is_told(monkeypatch):
    monkeypatch.setattr("api.pages.stream.KEEP_ALIVE_AFTER", 0.01)
    mine, sent = {"one"}, bytearray()
    told = asyncio.Event()

    async def matches() -> set[str]:
        return set(mine)

    async def head() -> int:
        return 0

    async def send(message: Any) -> None:
        sent.extend(message["body"])
        if b"keep-alive" in sent:
            mine.add("other")
        if b"moved" in sent:
            told.set()

    async def receive() -> Any:
        await told.wait()
        return {"type": "http.disconnect"}

    stream = PointerStream(StreamHub(MemoryEventStore(16)), matches, head, "", 0, Looker())
    with suppress(TimeoutError):
        async with asyncio.timeout(5):
            await stream.send_body(send, receive)
    assert sent.count(b"event: moved") == 1
    assert b'"match":"other"' in sent

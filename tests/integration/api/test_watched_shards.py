"""Whoever follows a match gets each event once and in order, whenever they come and go, in whichever shard."""

import asyncio
import random
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest

from api.streams.answer import EventStream
from api.streams.hub import StreamHub
from api.streams.messages import Eyes
from api.streams.open_streams import Looker
from domain.chain import link
from domain.entries import CommandMark, Envelope, StoredEntry, encode_envelope
from services.errors import StoreUnavailable
from services.log.event_store.contract import EventStore, Pointer
from services.log.event_store.errors import FeedGap
from services.log.event_store.keys import shard_of
from tests.conformance.backends import SHARDS, Backend, opened
from tests.conformance.journal import Journal
from tests.conformance.servers import running, valkey_program
from tests.kit.instants import at

MATCHES = [f"m{number}" for number in range(12)]
_VERSION = re.compile(rb"^id: ([0-9]+)$", re.MULTILINE).findall


class Told(Journal):
    """A match whose events can be told."""

    def command(self, events: int = 1, **changes: Any) -> Any:
        entries, head = [], self.head
        for number in range(self.version + 1, self.version + events + 1):
            envelope = Envelope(
                number, "Played", at(0), "p_ada", "api", CommandMark("c", number, number), msgspec.Raw(b"{}")
            )
            body = encode_envelope(envelope)
            head = link(head, body)
            entries.append(StoredEntry(number, body, b"", head))
        return msgspec.structs.replace(super().command(events, **changes), entries=tuple(entries))


class Moody:
    """A store whose feed fails now and then."""

    def __init__(self, store: EventStore, chance: random.Random) -> None:
        self._store, self._chance = store, chance

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def feed(self, after: Mapping[int, int], count: int, block: float) -> list[Pointer]:
        pointers = await self._store.feed(after, count, block)
        if self._chance.random() < 0.1:
            shard = self._chance.choice(list(after))
            raise self._chance.choice([StoreUnavailable("away"), FeedGap(shard, 1, 2)])
        return pointers


class Follower:
    """Somebody who follows a match, is cut off now and then, and goes on behind the last event they have."""

    def __init__(self, hub: StreamHub, match: str, seen: int) -> None:
        self._hub, self._match, self.seen = hub, match, seen
        self._left = asyncio.Event()

    async def follow(self, chance: random.Random, journal: Journal, over: asyncio.Event) -> None:
        while self.seen < journal.version or not over.is_set():
            self._left.clear()
            scope: Any = {}
            stream = EventStream(self._hub, self._match, Eyes(None), self.seen, Looker(), _still)
            answer = asyncio.create_task(stream(scope, self._receive, self._take))
            try:
                async with asyncio.timeout(chance.random() / 5):
                    await over.wait()
                # The last look: all that there is must come by itself.
                async with asyncio.timeout(10):
                    while self.seen < journal.version:
                        await asyncio.sleep(0.01)
            except TimeoutError:
                assert not over.is_set() or self.seen == journal.version, (self._match, self.seen)
            self._left.set()
            await answer
            await asyncio.sleep(chance.random() / 50)

    async def _receive(self) -> Any:
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _take(self, message: Any) -> None:
        for version in map(int, _VERSION(message.get("body", b""))):
            assert version == self.seen + 1, (self._match, self.seen, version)
            self.seen = version


async def _still() -> bool:
    return True


@asynccontextmanager
async def following(hub: StreamHub) -> AsyncIterator[None]:
    task = asyncio.create_task(hub.run())
    try:
        yield
    finally:
        assert not task.done()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.mark.parametrize("backend", [Backend.MEMORY, Backend.VALKEY, Backend.CLUSTER])
async def test_each_event_comes_once_and_in_order(backend: Backend, request, monkeypatch):
    monkeypatch.setattr("api.streams.hub._PAUSE", 0.01)
    if backend is Backend.VALKEY:
        with running(valkey_program(), fsync="no") as server:
            await come_and_go(backend, server)
    else:
        await come_and_go(backend, request.getfixturevalue("cluster") if backend is Backend.CLUSTER else None)


async def come_and_go(backend: Backend, server: Any) -> None:
    chance, journals = random.Random(7), {match: Told(match) for match in MATCHES}
    assert len({shard_of(match, SHARDS[-1]) for match in MATCHES}) > 6
    async with opened(backend, SHARDS[-1], server) as open_store:
        store = await open_store()
        moody: Any = Moody(await open_store(), chance)
        hub = StreamHub(moody)
        for journal in journals.values():
            await journal.write(store)
        over = asyncio.Event()

        async def play() -> None:
            for _ in range(300):
                await journals[chance.choice(MATCHES)].write(store, chance.choice((1, 1, 3)))
                await asyncio.sleep(chance.choice((0, 0, 0.005)))
            over.set()

        async with following(hub), asyncio.timeout(60), asyncio.TaskGroup() as group:
            group.create_task(play())
            for match in chance.choices(MATCHES, k=20):
                group.create_task(Follower(hub, match, 0).follow(chance, journals[match], over))

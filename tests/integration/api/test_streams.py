import asyncio
import hashlib
import random
from contextlib import AsyncExitStack
from typing import Any
from unittest.mock import AsyncMock

import msgspec
import pytest

from api.streams.answer import EventStream
from api.streams.messages import Eyes
from api.streams.open_streams import Looker
from domain.entries import StoredEntry
from domain.match.verification import verify
from services.bootstrap import present_instant
from services.errors import StoreUnavailable
from services.log.event_store.errors import FeedGap
from tests.integration.api.streaming import Reader, reading
from tests.integration.api.tables import Api, Table, fresh_key


def bearer(table: Table, seat: int) -> dict[str, str]:
    return {"Authorization": f"Bearer {table.seats[seat]}"}


async def test_who_looks_on_is_told_what_happens_as_it_happens(api: Api):
    table = await Table.started(api)
    async with reading(api.app, f"{table.path}/stream") as stream:
        assert stream.status == 200
        assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert stream.headers["cache-control"] == "no-store"
        assert stream.headers["x-accel-buffering"] == "no"
        done = (await table.play(lambda moves: moves[-2])).json()
        told = await stream.next()
        assert (told.event, told.id) == ("message", str(done["first"]))
        stored = (await api.application.store.read(table.id, after=done["first"] - 1))[0]
        line = msgspec.json.decode(told.data)
        assert line["version"] == done["first"]
        assert line["e"].encode() == stored.e
        assert line["h"] == stored.h.hex()


async def test_a_stream_goes_on_where_its_reader_stopped(api: Api):
    table = await Table.started(api)
    head = (await table.view())["version"]
    async with reading(api.app, f"{table.path}/stream", Last_Event_ID="3") as stream:
        assert await stream.versions(head - 3) == list(range(4, head + 1))
        await table.play(lambda moves: moves[-2])
        assert await stream.versions(1) == [head + 1]
    async with reading(api.app, f"{table.path}/stream", query="after=0") as stream:
        assert await stream.versions(head + 1) == list(range(1, head + 2))
    async with reading(api.app, f"{table.path}/stream", query="after=0", Last_Event_ID=str(head)) as stream:
        assert await stream.versions(1) == [head + 1]


async def test_readers_get_the_same_log_each_with_his_own_openings(api: Api):
    table = await Table.started(api)
    streams: dict[int | None, Reader] = {}
    async with (
        reading(api.app, f"{table.path}/stream", "after=0") as streams[None],
        reading(api.app, f"{table.path}/stream", "after=0", **bearer(table, 0)) as streams[0],
        reading(api.app, f"{table.path}/stream", "after=0", **bearer(table, 1)) as streams[1],
    ):
        await table.play_some(random.Random(8), 6)
        head = (await table.view())["version"]
        for seat, stream in streams.items():
            lines = [msgspec.json.decode((await stream.next()).data) for _ in range(head)]
            openings = [opening for line in lines for opening in line["openings"]]
            assert all(seat in opening.get("seats", []) for opening in openings)
            assert bool(openings) is (seat is not None)
            entries = [
                StoredEntry(
                    line["version"],
                    line["e"].encode(),
                    msgspec.json.encode(line["openings"]),
                    bytes.fromhex(line["h"]),
                )
                for line in lines
            ]
            assert verify(table.id, entries, complete=False).good


async def test_the_end_of_a_match_ends_its_streams_and_opens_everything(api: Api):
    table = await Table.started(api)
    async with reading(api.app, f"{table.path}/stream") as stream:
        done = (await api.post(f"{table.path}/abandon", token=table.host)).json()
        assert (await stream.next()).id == str(done["last"])
        assert (await stream.next()).event == "over"
        await asyncio.wait_for(stream.ended.wait(), 5)
    async with reading(api.app, f"{table.path}/stream", Last_Event_ID=str(done["last"])) as stream:
        assert stream.status == 204
    async with reading(api.app, f"{table.path}/stream", "after=0") as stream:
        lines = [msgspec.json.decode((await stream.next()).data) for _ in range(done["last"])]
        assert lines[0]["openings"][0]["field"] == "seed"
        assert (await stream.next()).event == "over"


async def test_who_leaves_his_seat_loses_its_eyes(api: Api):
    table = await Table.make(api)
    seat = await table.sit()
    async with reading(api.app, f"{table.path}/stream", **bearer(table, seat)) as stream:
        async with reading(api.app, f"{table.path}/stream") as spectator:
            await api.post(f"{table.path}/leave", token=table.seats[seat])
            assert (await stream.next()).id == "3"
            assert (await stream.next()).event == "over"
            await table.sit()
            assert await spectator.versions(2) == [3, 4]
        assert stream.quiet
        assert stream.ended.is_set()


async def test_who_looks_on_at_a_private_table_is_shown_out_when_it_starts(api: Api):
    table = await Table.make(api, visibility="private")
    async with (
        reading(api.app, f"{table.path}/stream") as guest,
        reading(api.app, f"{table.path}/stream", Authorization=f"Bearer {table.host}") as host,
    ):
        await table.begin()
        gathered = [event["e"] for event in (await events(table))]
        started = next(number for number, e in enumerate(gathered, 1) if "MatchStarted" in e)
        assert await guest.versions(started - 2) == list(range(2, started))
        assert (await guest.next()).event == "over"
        await asyncio.wait_for(guest.ended.wait(), 5)
        assert await host.versions(len(gathered) - 1) == list(range(2, len(gathered) + 1))
    async with reading(api.app, f"{table.path}/stream", Last_Event_ID=str(started - 1)) as again:
        assert again.status == 403


async def events(table: Table) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = (await table.api.get(f"{table.path}/events", token=table.host)).json()[
        "events"
    ]
    return told


async def test_a_seat_that_is_now_somebody_elses_is_followed_no_longer(api: Api, monkeypatch):
    monkeypatch.setattr("api.streams.answer.KEEP_ALIVE_AFTER", 0.02)
    people = api.application
    table = await Table.make(api)
    anna = (await api.post("/me", key=fresh_key(), json={"name": "Anna"})).json()["token"]
    bert = await people.persons.create(present_instant(), "Bert")
    await api.post(f"{table.path}/seats", token=anna, key=fresh_key(), json={})
    async with reading(api.app, f"{table.path}/stream", Authorization=f"Bearer {anna}") as stream:
        assert (await stream.next()).event == "keep-alive"
        person = await people.sessions.person(anna, present_instant())
        (seat,) = await people.memberships.of(person)
        await people.memberships.collect(bert.id, seat.holder, present_instant())
        while (told := await stream.next()).event == "keep-alive":
            pass
        assert told.event == "over"


async def test_streams_open_to_the_same_people_as_views(api: Api):
    private = await Table.started(api, visibility="private")
    other = await Table.started(api)
    for headers, status in (
        ({}, 403),
        (bearer(other, 0), 401),
        (bearer(private, 0), 200),
        ({"Authorization": f"Bearer {private.host}"}, 200),
    ):
        async with reading(api.app, f"{private.path}/stream", **headers) as stream:
            assert stream.status == status
    async with reading(api.app, "/matches/nowhere/stream") as stream:
        assert stream.status == 404


@pytest.mark.parametrize(
    ("query", "last", "status"),
    [
        ("after=x", None, 400),
        ("after=1&after=2", None, 400),
        ("", "x", 400),
        ("", "-1", 400),
        ("", "9" * 20, 400),
        ("after=99", None, 412),
        ("", "99", 412),
        ("", "", 200),
    ],
)
async def test_odd_places_to_begin(api: Api, query, last, status):
    table = await Table.make(api)
    headers = {} if last is None else {"Last_Event_ID": last}
    async with reading(api.app, f"{table.path}/stream", query, **headers) as stream:
        assert stream.status == status


async def test_silence_is_filled_with_events_that_no_page_listens_for(api: Api, monkeypatch):
    monkeypatch.setattr("api.streams.answer.KEEP_ALIVE_AFTER", 0.02)
    table = await Table.make(api)
    async with reading(api.app, f"{table.path}/stream") as stream:
        for _ in range(3):
            told = await stream.next()
            assert (told.event, told.id) == ("keep-alive", "")
        await table.sit()
        while (told := await stream.next()).event == "keep-alive":
            pass
        assert told.id == "2"


async def test_a_slow_reader_is_cut_off_and_the_others_are_not(api: Api, monkeypatch):
    monkeypatch.setattr("api.streams.open_streams.MOST_WAITING", 2)
    monkeypatch.setattr("api.streams.hub._GATHER", 0)
    table = await Table.started(api)
    async with (
        reading(api.app, f"{table.path}/stream") as slow,
        reading(api.app, f"{table.path}/stream") as quick,
    ):
        await slow.block()
        slow.reading.clear()
        head = (await table.view())["version"]
        for version in range(head + 1, head + 9):
            await table.play(lambda moves: next(one for one in moves if one["type"] != "quit"))
            assert await quick.versions(1) == [version]
        async with asyncio.timeout(5):
            while api.parts.streams.open > 1:
                await asyncio.sleep(0.01)
        assert not slow.ended.is_set()
        assert not quick.left.is_set()


async def test_nothing_is_held_for_readers_who_have_gone(api: Api):
    table = await Table.make(api)
    for _ in range(20):
        async with reading(api.app, f"{table.path}/stream"):
            pass
    assert api.parts.streams.open == 0
    assert api.parts.streams._subscribers == {}
    never_sent = EventStream(api.parts.streams, table.id, Eyes(), 0, Looker(), AsyncMock())
    assert never_sent.status_code == 200
    assert api.parts.streams.open == 0


async def test_there_is_an_end_to_how_many_streams_a_process_serves(api: Api, monkeypatch):
    monkeypatch.setattr("api.streams.hub.MOST_STREAMS", 1)
    table = await Table.make(api)
    async with reading(api.app, f"{table.path}/stream"):
        async with reading(api.app, f"{table.path}/stream") as refused:
            assert refused.status == 503
            assert refused.headers["retry-after"] == "1"
            problem: Any = msgspec.json.decode(await refused.pieces.get())
            assert problem["code"] == "streams.full"


@pytest.mark.parametrize("share", ["MOST_OF_ADDRESS", "MOST_OF_PERSON"])
async def test_one_address_and_one_person_have_a_share_of_the_streams(api: Api, monkeypatch, share):
    monkeypatch.setattr(f"api.streams.open_streams.{share}", 1)
    table = await Table.started(api)
    one, other = table.seats.values()
    async with reading(api.app, f"{table.path}/stream", authorization=f"Bearer {one}") as first:
        assert first.status == 200
        async with reading(api.app, f"{table.path}/stream", authorization=f"Bearer {one}") as refused:
            assert refused.status == 429
            assert refused.headers["retry-after"] == "15"
            problem: Any = msgspec.json.decode(await refused.pieces.get())
            assert problem["code"] == "streams.too_many"
        async with reading(
            api.app, f"{table.path}/stream", authorization=f"Bearer {other}", client="203.0.113.9"
        ) as others:
            assert others.status == 200
    async with reading(api.app, f"{table.path}/stream", authorization=f"Bearer {one}") as again:
        assert again.status == 200


async def test_all_streams_end_when_the_service_stops(api: Api):
    table = await Table.make(api)
    async with reading(api.app, f"{table.path}/stream") as stream:
        api.parts.streams.close()
        await asyncio.wait_for(stream.ended.wait(), 5)
    async with reading(api.app, f"{table.path}/stream") as stream:
        assert stream.status == 503


@pytest.mark.parametrize("failure", [StoreUnavailable("away"), FeedGap(3, 7, 9)])
async def test_what_the_feed_does_not_tell_is_read_from_the_log(api: Api, monkeypatch, failure):
    monkeypatch.setattr("api.streams.hub._PAUSE", 0.01)
    store, table = api.application.store, await Table.started(api)
    feed, broken = store.feed, asyncio.Event()

    async def failing(*arguments: Any) -> Any:
        if not broken.is_set():
            pointers = await feed(*arguments)
            if not pointers:
                return pointers
            # Pointers are lost on their way: what they told must reach the streams all the same.
            broken.set()
            raise failure
        return await feed(*arguments)

    monkeypatch.setattr(store, "feed", failing)
    head = (await table.view())["version"]
    async with reading(api.app, f"{table.path}/stream") as stream:
        await stream.block()
        await table.play(lambda moves: moves[0])  # wakes the follower, which still waits for the true feed
        await stream.versions(1)
        await table.play(lambda moves: next(one for one in moves if one["type"] != "quit"))
        async with asyncio.timeout(5):
            while not broken.is_set():
                await asyncio.sleep(0.01)
        assert await stream.versions(1) == [head + 2]


async def test_a_hundred_readers_of_one_match_take_one_reading(api: Api, monkeypatch):
    table = await Table.started(api)
    store, reads = api.application.store, 0
    read = store.read

    async def counted(*arguments: Any, **more: Any) -> Any:
        nonlocal reads
        reads += 1
        return await read(*arguments, **more)

    async with AsyncExitStack() as stack:
        streams = [
            await stack.enter_async_context(reading(api.app, f"{table.path}/stream")) for _ in range(100)
        ]
        for stream in streams:
            await stream.block()
        await asyncio.sleep(0.05)
        monkeypatch.setattr(store, "read", counted)
        done = (await table.play(lambda moves: moves[0])).json()
        answers = {hashlib.sha256((await stream.block()).encode()).digest() for stream in streams}
        assert len(answers) == 1
        assert done["last"]
        assert reads < 10

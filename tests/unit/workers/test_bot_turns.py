"""The job itself, with the service's parts in memory instead of on servers."""

import asyncio
import time
from contextlib import asynccontextmanager
from types import SimpleNamespace

import fakeredis
import pytest

from domain.entries import decode_envelope
from domain.match.due import bots_to_act
from services.errors import OutcomeUnknown, StoreUnavailable
from services.jobs.errors import JobStoreUnavailable
from services.matches import pacing
from services.process.counts import Counts
from services.process.settings import Settings
from tests.kit.house import House
from tests.kit.queue import FakeQueue
from workers import bot_turns, open_house
from workers.open_house import OpenHouse


@pytest.fixture
def house() -> House:
    return House()


@pytest.fixture
def queue(house, monkeypatch) -> FakeQueue:
    """Put the house in the place of the servers, and return the queue that jobs would go to."""
    queue = FakeQueue()

    @asynccontextmanager
    async def application(*_):
        yield SimpleNamespace(bots=house.beside().bots, counts=Counts())

    settings = Settings(log_store_url="redis://log", job_store_url="redis://jobs", secret="s" * 32)
    monkeypatch.setattr(bot_turns, "opening_of", lambda _: application)
    monkeypatch.setattr(bot_turns, "load_settings", lambda: settings)
    monkeypatch.setattr(bot_turns, "present_instant", house.clock)
    monkeypatch.setattr(open_house, "blocking_client", lambda *_: fakeredis.FakeRedis())
    monkeypatch.setattr(bot_turns, "blocking_client_of_log", lambda *_: fakeredis.FakeRedis())
    monkeypatch.setattr(bot_turns, "BotsQueue", lambda _: queue)
    return queue


def test_it_plays_all_turns_of_bots_in_a_row(house, queue, monkeypatch):
    asyncio.run(house.begin("lama", 3, bots=3, options={"limit": "single"}))
    monkeypatch.setattr(bot_turns, "PLAY_SECONDS", 60.0)
    assert bot_turns.play("m1", "t1") > 0
    assert asyncio.run(house.head()).state.lifecycle.phase == "finished"
    assert queue.sent == []


@pytest.mark.usefixtures("queue")
def test_a_job_whose_turn_is_played_opens_nothing(house, monkeypatch):
    asyncio.run(house.begin("lama", 2, bots=2))
    accepted: list[tuple[object, ...]] = []

    def has_accepted(*asked: object) -> bool:
        accepted.append(asked)
        return True

    monkeypatch.setattr(bot_turns, "has_accepted", has_accepted)
    monkeypatch.setattr(bot_turns, "opening_of", None)
    monkeypatch.setattr(
        bot_turns, "get_current_job", lambda: SimpleNamespace(id="bot-m-1-7-1-2", origin="bots")
    )
    assert bot_turns.play("m-1", "t1") == 0
    assert [asked[1:] for asked in accepted] == [(16, "m-1", "bot-1", "bot-m-1-7-1")]


@pytest.mark.parametrize("name", ["", "bot-m1-7-0", "some-job-1-0", "bot-m1-7-x-0", "bot-m1-7-0-x"])
def test_a_job_of_another_name_is_done(house, queue, monkeypatch, name):
    asyncio.run(house.begin("lama", 2, bots=2))
    monkeypatch.setattr(bot_turns, "get_current_job", lambda: SimpleNamespace(id=name, origin="bots"))
    monkeypatch.setattr(bot_turns, "has_accepted", lambda *asked: asked[-1] != "bot-m1-7")
    assert bot_turns.play("m1", "t1") > 0
    assert queue.away is False


def test_a_match_that_does_not_exist_is_no_failure(queue):
    assert bot_turns.play("m9", "") == 0
    assert queue.sent == []


def test_what_is_left_when_its_time_is_up_is_played_by_the_next_job(house, queue, monkeypatch):
    monkeypatch.setattr(bot_turns, "PLAY_SECONDS", 0.0)
    asyncio.run(house.begin("lama", 3, bots=3))
    assert bot_turns.play("m1", "t1") == 1
    assert queue.matches == ["m1"]


def test_a_queue_that_is_away_is_left_to_the_clock(house, queue, monkeypatch):
    monkeypatch.setattr(bot_turns, "PLAY_SECONDS", 0.0)
    queue.away = True
    asyncio.run(house.begin("lama", 3, bots=3))
    assert bot_turns.play("m1", "t1") == 1
    with pytest.raises(JobStoreUnavailable):
        queue.was_emptied()


@pytest.mark.usefixtures("queue")
@pytest.mark.parametrize("error", [StoreUnavailable("away"), OutcomeUnknown("who knows")])
def test_a_log_that_is_away_for_a_moment_is_waited_for(house, monkeypatch, error):
    asyncio.run(house.begin("lama", 3, bots=3, options={"limit": "single"}))
    opened, failures = vars(bot_turns)["opening_of"](None), [error, error]

    def application(*_):
        if failures:
            raise failures.pop()
        return opened()

    monkeypatch.setattr(bot_turns, "opening_of", lambda _: application)
    monkeypatch.setattr(bot_turns, "RETRY_SECONDS", 0.0)
    assert bot_turns.play("m1", "t1") > 0
    assert failures == []


def test_a_log_that_stays_away_is_left_to_the_next_attempt(queue, monkeypatch):
    def application(*_):
        raise StoreUnavailable("away")

    monkeypatch.setattr(bot_turns, "opening_of", lambda _: application)
    monkeypatch.setattr(bot_turns, "PATIENCE_SECONDS", 0.1)
    monkeypatch.setattr(bot_turns, "RETRY_SECONDS", 0.02)
    with pytest.raises(StoreUnavailable):
        bot_turns.play("m1", "t1")
    assert queue.sent == []


@pytest.mark.usefixtures("queue")
def test_without_a_log_there_is_nothing_to_play(monkeypatch):
    monkeypatch.setattr(bot_turns, "load_settings", Settings)
    with pytest.raises(StoreUnavailable):
        bot_turns.play("m1", "")


def test_an_expert_who_waits_for_the_pace_keeps_no_worker_from_other_tables(house, queue, monkeypatch):
    """The job ends when the move is chosen. The move is made when its time has come, and then the next one is asked."""
    monkeypatch.setattr(pacing, "pace_of", lambda _: 0.5)
    worker = OpenHouse()
    worker.stays = True
    monkeypatch.setattr(bot_turns, "HOUSE", worker)
    for match in ("m1", "m2", "m3"):
        asyncio.run(house.begin("lama", 3, bots=2, match=match))
        while not bots_to_act(asyncio.run(house.head(match)).state):
            asyncio.run(house.move(match=match))
    before = {match: asyncio.run(house.head(match)).version for match in ("m1", "m2", "m3")}
    began = time.monotonic()
    for match in before:
        bot_turns.play(match, "t1")
    worker.close()
    # One after the other they would have waited for three paces.
    assert 0.5 <= time.monotonic() - began < 1.5
    moved = [asyncio.run(house.head(match)) for match in before]
    for position in moved:
        envelopes = [decode_envelope(one.e) for one in asyncio.run(house.store.read(position.match))]
        mine = [one for one in envelopes if one.v > before[position.match]]
        assert {one.door for one in mine} == {"bot"}
        assert {one.note for one in mine} == {""}
        assert len({one.command.id for one in mine}) == 1
    assert sorted(queue.matches) == sorted(one.match for one in moved if bots_to_act(one.state))

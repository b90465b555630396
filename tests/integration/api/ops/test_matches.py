"""The list of matches, and what needs attention in front of it."""

import msgspec
import pytest

import api.ops.matches
from domain.games.registry import CURRENT
from domain.instants import after
from services.bootstrap import present_instant
from services.log.archive.closed_matches import ArchiveFailure, ClosedMatches
from services.log.event_store.keys import Keyspace, shard_of
from services.log.high_water_mark import HighWaterMarkFile
from services.projections.generations import Generations
from services.projections.ledger import Failure, Ledger
from tests.integration.api.ops.conftest import SHARDS

BOTS = ("steady", "steady")


@pytest.fixture
def later(monkeypatch):
    """Lets the page be looked at some seconds from now."""

    def to(seconds):
        monkeypatch.setattr(api.ops.matches, "present_instant", lambda: after(present_instant(), seconds))

    return to


async def test_an_empty_installation_says_how_to_begin(house):
    house.hire()
    page = (await (await house.operator()).get("/ops")).text
    assert "There is no match yet" in page
    assert any(f"tablee demo {game}<" in page for game in CURRENT)
    assert "Nothing: no match is put aside" in page


async def test_the_list_tells_who_plays_what_and_who_is_to_move(house):
    await house.play("one", "", "steady", "steady")
    await house.application.names.give("one-player-0", "Anna <b>")
    await house.catch_up()
    anna = await house.operator()
    page = (await anna.get("/ops")).text
    assert 'href="/ops/m/one"' in page
    assert "L.A.M.A." in page
    assert "Anna &lt;b&gt;" in page
    assert "being played, round 1" in page
    assert page.count("(to move)") == 1
    french = (await (await house.operator("fr")).get("/ops")).text
    assert "(doit jouer)" in french


FILTERS = {
    "game=odin": {"two"},
    "game=": {"one", "two", "three"},
    "player=one-player-0": {"one"},
    "player=nobody": set(),
    "state=playing&game=lama": {"one", "three"},
    "state=finished": set(),
    "since=2099-01-01T00:00": set(),
    "until=2099-01-01T00:00&since=2000-01-01T00:00": {"one", "two", "three"},
}


async def test_filters(house):
    await house.play("one", "", "steady")
    await house.play("two", *BOTS, game="odin")
    await house.play("three", *BOTS)
    await house.catch_up()
    anna = await house.operator()
    for question, found in FILTERS.items():
        page = (await anna.get(f"/ops?{question}")).text
        shown = {match for match in ("one", "two", "three") if f'href="/ops/m/{match}"' in page}
        assert shown == found, question
        assert ("No match fits these filters." in page) == (not found), question


async def test_pages_follow_each_other_with_their_filter(house, monkeypatch):
    monkeypatch.setattr(api.ops.matches, "ROWS_SHOWN", 2)
    for number in range(5):
        await house.play(f"m{number}", *BOTS)
    await house.catch_up()
    anna = await house.operator()
    seen, address = [], "/ops?game=lama"
    while address:
        page = (await anna.get(address)).text
        seen += [
            f"m{number}"
            for number in reversed(range(5))
            if f'<td><a class="id" href="/ops/m/m{number}"' in page
        ]
        assert 'value="lama" selected' in page
        _, link, rest = page.partition('" rel="next"')
        address = page[: -len(link + rest)].rpartition('href="')[2].replace("&amp;", "&") if link else ""
    assert seen == ["m4", "m3", "m2", "m1", "m0"]


async def test_an_id_leads_to_its_match(house):
    anna = await house.operator()
    anna.client.follow_redirects = False
    answer = await anna.get("/ops?match=%20some-match%20")
    assert (answer.status_code, answer.headers["location"]) == (303, "/ops/m/some-match")


async def test_what_cannot_be_read_is_refused_on_a_page(house):
    anna = await house.operator()
    for question in (
        "since=yesterday",
        "until=2026-13-01",
        "since=%00",
        "since=0001-01-01T00:00",
        "until=9999-12-31T23:59-23:00",
        "state=odd",
        "after=odd",
        "match=../x",
        "match=a%0ab",
    ):
        answer = await anna.get(f"/ops?{question}")
        assert answer.status_code == 400, question
        assert "cannot be read" in answer.text, question


class TestAllMatchesAtOnce:
    """Nothing is called well that was not looked at, and what concerns all matches is said in front of each."""

    async def test_without_a_worker_it_says_so_at_once(self, house):
        page = (await (await house.operator()).get("/ops")).text
        assert "No worker takes jobs." in page
        assert "Nothing: no match" not in page

    async def test_a_worker_that_is_silent_does_not_count(self, house):
        worker = house.hire()
        house.jobs.hset(worker.key, "last_heartbeat", "2026-01-01T00:00:00.000000Z")
        assert "No worker takes jobs." in (await (await house.operator()).get("/ops")).text

    async def test_what_is_not_proven_here_is_not_claimed(self, house):
        house.hire()
        page = (await (await house.operator()).get("/ops")).text
        assert "every match can be read" not in page
        assert "tablee verify --all" in page

    async def test_a_store_that_is_older_than_it_was(self, house, tmp_path, monkeypatch):
        house.hire()
        await house.play("one", "", "steady")
        await house.catch_up()
        parts = house.app.state.parts
        settings = msgspec.structs.replace(parts.settings, data=str(tmp_path))
        monkeypatch.setattr(house.app.state, "parts", msgspec.structs.replace(parts, settings=settings))
        mark = HighWaterMarkFile(tmp_path, "")
        positions = await house.application.store.positions()
        mark.note(positions, present_instant())
        anna = await house.operator()
        assert "older than it was" not in (await anna.get("/ops")).text
        mark.note({shard: place + 3 for shard, place in positions.items()}, present_instant())
        for address in ("/ops", "/ops/queues"):
            page = (await anna.get(address)).text
            assert "The store is older than it was: moves that were acknowledged are lost." in page
            assert "Nothing: no match" not in page
            assert "keeps what it has acknowledged." not in page


class TestAttention:
    async def test_a_healthy_table_needs_none(self, house):
        house.hire()
        await house.play("bots", *BOTS)
        await house.play("person", "", "steady", clock=60)
        await house.play("calm", "", "steady")
        await house.catch_up()
        page = (await (await house.operator()).get("/ops")).text
        assert "Nothing: no match is put aside" in page

    async def test_a_bot_that_owes_its_move_for_long(self, house, later):
        await house.play("bots", *BOTS)
        await house.play("fresh", "", "steady")
        await house.catch_up()
        later(45)
        page = (await (await house.operator()).get("/ops")).text
        assert "A bot has owed its move for 45 seconds (seat " in page
        assert page.count('class="alarm" data-row') == 1
        assert page.index('href="/ops/m/bots"') < page.index("All matches")
        assert "<code>tablee doctor</code>" in page

    async def test_time_that_ran_out(self, house, later):
        house.hire()
        await house.play("late", "", "", clock=60)
        await house.catch_up()
        later(64)
        assert "Nothing: no match" in (await (await house.operator()).get("/ops")).text
        later(130)
        page = (await (await house.operator()).get("/ops")).text
        assert "Time ran out 1 minute ago, and nothing followed" in page

    async def test_a_match_that_the_clock_has_forgotten(self, house):
        match = await house.play("lost", *BOTS)
        await house.catch_up()
        client = house.application.log_client
        await client.zrem(Keyspace(SHARDS).of_shard_of(match).due, match)
        page = (await (await house.operator()).get("/ops")).text
        assert "The clock does not know that it is to come" in page
        assert "tablee doctor --repair" in page

    async def test_a_log_that_cannot_be_read(self, house, later):
        match = await house.play("torn", *BOTS)
        await house.catch_up()
        await house.application.log_client.xdel(Keyspace(SHARDS).of_match(match).events, "2-0")
        later(20)
        page = (await (await house.operator()).get("/ops")).text
        assert "Its log cannot be read" in page
        assert f"tablee verify {match}" in page

    async def test_a_match_that_a_projection_put_aside(self, house):
        parts = house.application
        ledger = Ledger(parts.log_client, SHARDS)
        generation = (await Generations(parts.log_client, SHARDS).standing()).readable or 0
        parking = Failure(7, "ValueError: <odd>", present_instant())
        key = ledger.of(generation).dead_letters(shard_of("odd", SHARDS))
        await parts.log_client.hset(key, "odd", msgspec.json.encode(parking))
        page = (await (await house.operator()).get("/ops")).text
        assert "Put aside by matches" in page
        assert "ValueError: &lt;odd&gt;" in page
        assert 0 < page.index("tablee verify odd") < page.index("tablee rebuild matches")

    async def test_a_match_with_two_concerns_is_one_match_and_one_stop_for_the_keys(self, house, later):
        match = await house.play("torn", *BOTS)
        await house.catch_up()
        events = Keyspace(SHARDS).of_match(match).events
        await house.application.log_client.xdel(events, "2-0")
        closed = ClosedMatches(house.application.log_client, SHARDS)
        await closed.set_aside(ArchiveFailure(match, "log.gap", "event 2: log.gap", present_instant()))
        later(20)
        page = (await (await house.operator()).get("/ops")).text
        assert page.count('class="alarm"') > page.count('class="alarm" data-row') == 1
        assert "1 match needs attention." in page

    async def test_a_broken_log_that_was_put_aside_is_told_with_its_event(self, house):
        match = await house.play("torn", *BOTS)
        await house.application.log_client.xdel(Keyspace(SHARDS).of_match(match).events, "2-0")
        await house.catch_up_anew()
        anna = await house.operator()
        page = (await anna.get("/ops")).text
        assert "Put aside by matches" in page
        assert "Its log is broken at event 2 (log." in page
        assert "tablee verify torn" in page
        assert "(version 2)" in (await anna.get("/ops/queues")).text


async def test_no_odd_question_is_more_than_refused(house):
    await house.play("one", "", "steady")
    await house.catch_up()
    anna = await house.operator()
    odd = (
        "",
        "x" * 9000,
        "%00",
        "%ff%fe",
        "é",
        "a,b",
        "-1",
        "999999999999999.~",
        "1.one",
        "[]",
        "1970-01-01",
        "9998-12-31T23:59",
    )
    for name in ("player", "game", "state", "since", "until", "after", "match"):
        for value in odd:
            answer = await anna.client.get(f"/ops?{name}={value}&{name}=twice", follow_redirects=False)
            assert answer.status_code in {200, 303, 400}, (name, value)

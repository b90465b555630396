"""Replays: every stop has an address, and going there by changes shows what the address shows."""

import random
import re

import pytest

from api.pages.games import page_of
from api.pages.stops import changes_of, stops_of
from domain.match.fold import beginning, positions
from domain.match.view import match_view
from domain.viewers import EVERYTHING, seat_viewer
from services.matches.history import lines_of
from tests.integration.api.pages.conftest import Pages
from tests.integration.api.pages.scenes import NAMES, Played
from tests.kit.games import every_key


@every_key
@pytest.mark.parametrize("viewer", [EVERYTHING, seat_viewer(1)], ids=["all", "seat"])
def test_the_changes_lead_to_what_each_stop_shows(game, viewer):
    played = Played(game, 2).begin().play(60, chance=random.Random(2))
    lines = list(lines_of(played.entries, viewer, game, NAMES[:2], "fr"))
    told = changes_of("golden", played.entries, lines, viewer, NAMES[:2], "fr")
    shown = dict(zip(told.places, told.start, strict=True))
    stops = iter(zip(told.versions, [[], *told.steps], strict=True))
    checked = 0
    for position in positions(beginning("golden"), played.entries):
        if position.version not in told.versions:
            continue
        version, changes = next(stops)
        assert version == position.version
        shown.update((told.places[number], content) for number, content in changes)
        places = page_of(game).places(match_view(position, viewer).game, NAMES[:2], "fr")
        assert shown == {
            name: content if isinstance(content, str) else list(content) for name, content in places.items()
        }
        checked += 1
    assert checked == len(told.versions) == len(told.lines) > 5
    assert set(told.rounds) <= set(told.versions)


def test_a_round_s_end_is_a_stop_of_its_own():
    played = Played("lama", 2, options={"first": 0}).begin().play(2, lambda moves: moves[-1])
    lines = list(lines_of(played.entries, EVERYTHING, "lama", NAMES[:2], "en"))
    scored = next(line.version for line in lines if line.type == "RoundEnded")
    stops = stops_of(lines)
    assert scored in stops.versions
    assert stops.nearest(scored) == scored
    assert len(stops.rounds) == 2


async def test_a_running_match_shows_its_reader_s_own_view(pages: Pages):
    anna = pages.reader()
    match = await anna.make_table("lama", "me", "bot")
    await anna.get(f"/m/{match}/replay")
    assert anna.page.status_code == 200
    assert "Round 1" in anna.page.text
    await anna.get(f"/m/{match}/replay?at=9999")
    assert anna.page.status_code == 200
    stranger = pages.reader()
    await stranger.get(f"/m/{match}/changes")
    assert stranger.page.headers["cache-control"] == "no-store"
    hands = [name for name in stranger.page.json()["places"] if name.startswith("hand-")]
    assert len(hands) == 2
    start = dict(zip(stranger.page.json()["places"], stranger.page.json()["start"], strict=True))
    assert all(start[hand] == [] for hand in hands)


async def test_before_the_start_there_is_nothing_to_replay(pages: Pages):
    anna = pages.reader()
    match = await anna.make_table("lama", "me", "person")
    await anna.get(f"/m/{match}/replay")
    assert anna.page.url.path == f"/m/{match}"


async def test_the_address_of_a_replay_is_the_position_that_is_shown(pages: Pages):
    anna = pages.reader("fr")
    match = await anna.make_table("lama", "me", "bot")
    await pages.play_bots(match)
    first = await anna.get(f"/m/{match}/replay?at=1")
    assert [answer.status_code for answer in first.history] == [303]
    at = int(first.url.params["at"])
    assert at > 1
    assert not (await anna.get(f"/m/{match}/replay?at={at}")).history
    beyond = await anna.get(f"/m/{match}/replay?at=99999")
    assert [answer.status_code for answer in beyond.history] == [303]


async def test_an_address_that_cannot_be_read_is_refused_in_the_reader_s_language(pages: Pages):
    anna = pages.reader("fr")
    match = await anna.make_table("lama", "me", "bot")
    answer = await anna.get(f"/m/{match}/replay?at=abc")
    assert answer.status_code == 400
    assert "Vérifie l\N{RIGHT SINGLE QUOTATION MARK}adresse." in answer.text
    assert "whole number" not in answer.text


async def test_a_long_history_comes_in_pages_and_each_line_stands_on_one(pages: Pages, monkeypatch):
    anna = pages.reader()
    match = await anna.make_table("lama", "me", "bot")
    await pages.play_bots(match)
    whole = re.findall(r"<li>.*?</li>", (await anna.get(f"/m/{match}/history")).text)
    assert "rel=" not in anna.page.text.partition("<main")[2]
    monkeypatch.setattr("api.pages.table_pages.EVENTS_ON_A_PAGE", 3)
    lines: list[str] = []
    address = f"/m/{match}/history"
    while address:
        text = (await anna.get(address)).text
        lines += re.findall(r"<li>.*?</li>", text)
        later = re.search(r'href="([^"]+)" rel="next"', text)
        address = f"/m/{match}/history{later[1]}" if later else ""
    assert lines == whole
    assert 'rel="prev"' in anna.page.text
    assert (await anna.get(f"/m/{match}/history?page=0")).status_code == 400
    assert (await anna.get(f"/m/{match}/history?page=99999")).status_code == 200


async def test_a_replay_is_told_to_be_busy_and_not_broken(pages: Pages, monkeypatch):
    anna = pages.reader()
    match = await anna.make_table("lama", "me", "bot")
    await pages.play_bots(match)
    monkeypatch.setattr("services.matches.whole_matches.MOST_WAITING", 0)
    answer = await anna.get(f"/m/{match}/replay")
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "2"
    assert "Try again in a few seconds." in answer.text


async def test_only_the_reader_s_own_eyes_are_theirs_while_it_is_played(pages: Pages):
    anna, stranger = pages.reader(), pages.reader()
    match = await anna.make_table("lama", "me", "bot")
    await pages.play_bots(match)
    for reader, query, status in (
        (anna, "", 200),
        (anna, "as=seat0", 200),
        (anna, "as=spectator", 200),
        (anna, "as=seat1", 403),
        (anna, "as=all", 403),
        (anna, "as=seat9", 400),
        (anna, "as=me", 400),
        (stranger, "as=seat0", 403),
        (stranger, "as=all", 403),
    ):
        for address in ("replay", "changes"):
            answer = await reader.get(f"/m/{match}/{address}?{query}")
            assert answer.status_code == status, (query, address)
    seen = [
        (await anna.get(f"/m/{match}/changes?as={one}")).json()["start"] for one in ("seat0", "spectator")
    ]
    assert seen[0] != seen[1]
    assert seen[1] == (await stranger.get(f"/m/{match}/changes")).json()["start"]
    await anna.get(f"/m/{match}")
    await anna.submit(f"/m/{match}/resign")
    for query in ("as=seat1", "as=all", "as=spectator", "as=seat0"):
        assert (await stranger.get(f"/m/{match}/replay?{query}")).status_code == 200


async def moved(pages: Pages, reader, match: str, move: str) -> int:
    """Make a move of a form's button; return the version after it and after what the bots made of it."""
    await reader.get(f"/m/{match}")
    fields = reader.form(f"/m/{match}/move")["fields"]
    await reader.post(f"/m/{match}/move", [*fields, ("move", move)])
    version = (await pages.application.reader.head(match)).version
    await pages.play_bots(match)
    return version


async def test_what_was_taken_back_is_shown_on_demand_and_to_who_was_sent_there(pages: Pages):
    anna = pages.reader()
    match = await anna.make_table("lama", "me", "bot", undo="practice", **{"option-first": "0"})
    head = await moved(pages, anna, match, "draw")
    await anna.get(f"/m/{match}")
    await anna.submit(f"/m/{match}/undo")
    without = (await anna.get(f"/m/{match}/changes")).json()
    with_it = (await anna.get(f"/m/{match}/changes?undone=1")).json()
    assert set(without["versions"]) < set(with_it["versions"])
    assert head in with_it["versions"]
    assert head not in without["versions"]
    sent = await anna.get(f"/m/{match}/replay?at={head}")
    assert (sent.url.params["undone"], sent.url.params["at"]) == ("1", str(head))
    assert "with what was taken back" in sent.text


async def test_the_score_has_its_table_and_leads_to_the_rounds(pages: Pages):
    anna = pages.reader()
    match = await anna.make_table("lama", "me", "bot", **{"option-limit": "single", "option-first": "0"})
    await moved(pages, anna, match, "quit")
    await anna.get(f"/m/{match}/replay")
    assert "The score" in anna.page.text
    assert re.search(rf'href="/m/{match}/replay\?at=\d+">after round', anna.page.text)

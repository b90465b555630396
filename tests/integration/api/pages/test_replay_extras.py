"""Beside the replay: where a card moved, what would have come, and the score on paper."""

import re

import pytest

from api.pages.games import page_of
from domain.games.registry import CURRENT
from domain.match.fold import beginning, fold
from domain.match.view import match_view
from domain.viewers import EVERYTHING, SPECTATOR
from services.log.event_store.contract import Status
from services.matches.cards_moved import cards_moved
from services.matches.history import lines_of
from services.matches.moments import moments_of
from services.words.names import card_name
from tests.integration.api.pages.conftest import Pages
from tests.kit.games import every_key
from tests.kit.logs import finished, put, running

NAMES = ("Anna", "Bert", "Cleo")


def labels(text: str) -> list[str]:
    return re.findall(r'<svg class="card[^"]*"[^>]*aria-label="([^"]*)"', text)


@every_key
async def test_each_step_of_a_card_is_a_link_to_where_it_moved(pages: Pages, game: str):
    log = await put(pages.application.store, "m1", finished(game, 3), game=game)
    lines = list(lines_of(log, SPECTATOR, game, NAMES, "en"))
    moved = next(line for line in lines if cards_moved(line, game))
    card = cards_moved(moved, game)[0]
    reader = pages.reader()
    page = (await reader.get(f"/m/m1/cards?card={card}&as=spectator")).text
    assert card_name(game, card, "en") in page
    links = re.findall(r'<li><a href="(/m/m1/replay\?at=\d+&amp;as=spectator)">([^<]+)</a>', page)
    assert len(links) == sum(card in cards_moved(line, game) for line in lines)
    for address, _ in links[:3]:
        assert (await reader.get(address.replace("&amp;", "&"))).status_code == 200
    assert 'href="/m/m1/cards?card=' in page, "other cards are a link away"


@pytest.mark.parametrize("game", ["lama", "skyjo"])
async def test_a_card_that_one_may_not_know_is_not_found(pages: Pages, game: str):
    log = await put(pages.application.store, "m1", running(game, 3), Status.OPEN, game=game)
    drawn = [line for line in lines_of(log, EVERYTHING, game, NAMES, "en") if line.type == "CardDrawn"]
    assert drawn, "somebody has drawn a card"
    for line in lines_of(log, SPECTATOR, game, NAMES, "en"):
        if line.type == "CardDrawn":
            assert cards_moved(line, game) == ()
    steps = len(
        re.findall(r'<li><a href="/m/m1/replay', (await pages.reader().get("/m/m1/cards?card=1")).text)
    )
    known = list(lines_of(log, SPECTATOR, game, NAMES, "en"))
    assert steps == sum(str(card) == "1" for line in known for card in cards_moved(line, game))


@pytest.mark.parametrize("game", ["lama", "skyjo"])
async def test_what_would_have_come_is_told_at_each_step_once_a_match_is_over(pages: Pages, game: str):
    log = await put(pages.application.store, "m1", finished(game, 3), game=game)
    at = next(
        line.version for line in lines_of(log, EVERYTHING, game, NAMES, "en") if cards_moved(line, game)
    )
    view = match_view(fold(beginning("m1"), log[:at]), EVERYTHING).game
    coming = page_of(game).coming
    assert coming is not None
    expected = [page_of(game).face(card, "en").label for card in coming(view)[:12]]
    reader = pages.reader()
    assert labels((await reader.get(f"/m/m1/coming?at={at}")).text) == expected
    page = (await reader.get(f"/m/m1/replay?at={at}&as=seat1")).text
    told = re.search(r'<details id="coming"(?! open)[^>]*>(.*?)</details>', page, re.DOTALL)
    assert told is not None, "folded: nobody sees it who did not ask"
    assert labels(told[1]) == expected


@every_key
async def test_of_a_running_match_nothing_tells_what_comes(pages: Pages, game: str):
    await put(pages.application.store, "m1", running(game, 3), Status.OPEN, game=game)
    reader = pages.reader()
    assert (await reader.get("/m/m1/coming?at=9")).status_code == 403
    assert 'id="coming"' not in (await reader.get("/m/m1/replay")).text


async def test_a_game_without_a_draw_pile_says_nothing_of_it(pages: Pages):
    await put(pages.application.store, "m1", finished("odin", 3), game="odin")
    assert 'id="coming"' not in (await pages.reader().get("/m/m1/replay")).text


@every_key
async def test_the_sheet_has_each_round_s_points_and_totals_and_the_result(pages: Pages, game: str):
    log = await put(pages.application.store, "m1", finished(game, 3, whole=True), game=game)
    lines = list(lines_of(log, EVERYTHING, game, ("Player 1", "Bot 2", "Bot 3"), "en"))
    page = (await pages.reader().get("/m/m1/sheet")).text
    rows = re.findall(r"<tr>\s*<th scope=\"row\"><a[^>]*>(\d+)</a></th>(.*?)</tr>", page, re.DOTALL)
    scored = [line for line in lines if line.scores_round]
    assert [int(number) for number, _ in rows] == [line.data["round"] for line in scored]
    totals = [int(total) for total in re.findall(r"<b>(-?\d+)</b>", rows[-1][1].replace("\u2212", "-"))]
    end = fold(beginning("m1"), log).state.lifecycle
    assert totals == list(end.totals)
    assert '<li value="1">' in page
    for line in lines:
        if line.settles_score:
            assert line.text in page.replace("&#39;", "'")
    assert "Player 1" in page
    assert not labels(page), "no card is on it"


async def test_the_sheet_says_who_ended_a_round_and_what_was_doubled(pages: Pages):
    log = await put(pages.application.store, "m1", finished("skyjo", 3, whole=True), game="skyjo")
    closers = [
        line.about for line in lines_of(log, EVERYTHING, "skyjo", NAMES, "en") if line.type == "RoundClosed"
    ]
    page = (await pages.reader().get("/m/m1/sheet")).text
    names = ("Player 1", "Bot 2", "Bot 3")
    told = re.findall(r'<td class="said">([^<]*)', page)
    assert [one.strip() for one in told] == [names[seat or 0] for seat in closers]
    assert (">doubled<" in page) == any(b'"doubled":' in entry.e for entry in log)


async def test_the_sheet_of_a_running_match_is_as_far_as_it_is(pages: Pages):
    await put(pages.application.store, "m1", running("lama", 3), Status.OPEN)
    page = await pages.reader("fr").get("/m/m1/sheet")
    assert page.status_code == 200
    assert "est pas finie" in page.text
    private = await put(pages.application.store, "m2", running("lama", 3, visibility="private"), Status.OPEN)
    assert private
    assert (await pages.reader().get("/m/m2/sheet")).status_code == 403


@every_key
async def test_every_question_that_a_match_answers_is_a_link_to_its_moment(pages: Pages, game: str):
    answered = set()
    for number in range(3):
        match = f"m{number}"
        log = await put(pages.application.store, match, finished(game, 3, number, whole=True), game=game)
        moments = moments_of(log, SPECTATOR)
        answered |= {moment.question for moment in moments}
        table = (await pages.reader().get(f"/m/{match}")).text
        replay = (await pages.reader().get(f"/m/{match}/replay?as=spectator")).text
        for moment in moments:
            address = f"/m/{match}/replay?at={moment.version}"
            assert f'href="{address}"' in table, moment
            assert f'href="{address}&amp;as=spectator"' in replay, "whoever looks keeps their eyes"
    # Whom nobody lets play for a whole round is rare.
    assert {one.name for one in CURRENT[game].questions} - answered <= {"never_played"}

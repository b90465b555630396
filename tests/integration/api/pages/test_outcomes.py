"""The end of a match: who won, how the score went, and what decided it."""

import re

import pytest

from api.pages.table import render_table
from domain.games.registry import CURRENT
from domain.match.commands import AskToEnd
from tests.integration.api.pages.conftest import Pages
from tests.integration.api.pages.scenes import NAMES, NOW, Played


@pytest.mark.parametrize("game", CURRENT)
async def test_the_result_shows_how_the_score_went_and_leads_to_what_decided_it(pages: Pages, game: str):
    host = pages.reader("fr")
    match = await host.make_table(game, "bot", "bot")
    await pages.play_bots(match)
    result = (await host.get(f"/m/{match}/fragment")).text.partition('class="sheet result"')[2]
    assert "<polyline" in result
    rounds = re.findall(rf'<th scope="row"><a href="/m/{match}/replay\?at=(\d+)">\d+</a></th>', result)
    assert len(rounds) > 1
    decided = re.search(
        rf'class="decided"><strong>[^<]*</strong>\s*[^<]*<a href="(/m/{match}/replay\?at=\d+)"', result
    )
    assert decided is not None
    assert (await host.get(decided[1])).status_code == 200
    await host.get(f"/m/{match}/replay")
    assert [f"at={version}" in host.page.text for version in rounds] == [True] * len(rounds)


@pytest.mark.parametrize("game", CURRENT)
def test_a_line_is_signed_by_whom_it_tells_of_and_by_nobody_else(game: str):
    lines = Played(game).begin().play(200).scene(None).lines
    signed = [line for line in lines if line.about is not None]
    assert signed
    assert [line.text for line in signed if NAMES[line.about or 0] not in line.text] == []


def test_what_somebody_asks_is_one_line_that_opens_for_whoever_is_to_answer():
    asked = Played("lama").begin().do(AskToEnd(1, "r1"), "p1")
    mine, theirs = (str(render_table(asked.scene(seat, now=NOW))["requests"]) for seat in (1, 0))
    assert '<details class="request" id="request-r1" open>' in theirs
    assert '<details class="request" id="request-r1">' in mine
    assert 'id="withdraw"' in mine

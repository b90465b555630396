"""The end of a match: who won, how the score went, and what decided it."""

import re

import pytest

from domain.games.registry import CURRENT
from tests.integration.api.pages.conftest import Pages


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

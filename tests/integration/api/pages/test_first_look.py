"""The first look: painted tiles, one press to a first move, a guide, and what a chat shows of an address."""

import re

import pytest

from api.pages.static_files import static_files
from domain.games.registry import CURRENT
from tests.integration.api.pages.conftest import Pages
from tests.integration.api.pages.reader import Reader


def preview(page: str) -> dict[str, str]:
    return dict(re.findall(r'<meta property="og:([a-z:]+)" content="([^"]*)">', page))


async def test_one_press_on_the_first_page_leads_to_a_first_move(pages: Pages):
    anna = pages.reader()
    page = await anna.get("/")
    for game in CURRENT:
        assert f'name="game" value="{game}"' in page.text
    page = await anna.submit("/play", ("game", "odin"))
    assert page.status_code == 200
    assert 'class="guide"' in page.text
    assert 'id="board"' in page.text


async def test_a_guide_comes_until_it_is_skipped_and_again_when_asked_for(pages: Pages):
    anna = pages.reader()
    await anna.get("/")
    await anna.submit("/play", ("game", "lama"))
    page = await anna.submit("/guide")
    assert str(page.url).startswith("http://tablee.test/m/")
    assert 'class="guide"' not in page.text
    await anna.get("/")
    assert 'class="guide"' in (await anna.submit("/play", ("game", "skyjo"))).text, (
        "another game is new again"
    )
    await anna.get("/")
    assert 'class="guide"' not in (await anna.submit("/play", ("game", "lama"))).text
    assert 'action="/guide"' not in (await anna.get("/rules/odin")).text
    await anna.get("/rules/lama")
    await anna.submit("/guide")
    await anna.get("/")
    assert 'class="guide"' in (await anna.submit("/play", ("game", "lama"))).text


@pytest.mark.parametrize("game", ["", "chess", "../lama"])
async def test_a_guide_of_no_game_is_skipped_without_a_trace(pages: Pages, game: str):
    anna = pages.reader()
    await anna.get("/")
    await anna.submit("/play", ("game", "lama"))
    await anna.submit("/guide", game=game, back="//elsewhere.test")
    assert str(anna.page.url) == "http://tablee.test/"
    assert not anna.client.cookies.get("tablee_guided")


async def test_a_chat_is_shown_the_game_and_the_free_seats_but_no_name(pages: Pages):
    anna = pages.reader()
    match = await anna.make_table("skyjo", "me", "person", "person", name="Anna")
    stranger = pages.reader("fr")
    shown = preview((await stranger.get(f"/m/{match}/sit")).text)
    assert shown["title"] == "Prendre place : Skyjo".replace(" :", "\N{NO-BREAK SPACE}:")
    assert shown["description"].startswith("2 places libres sur 3.")
    assert shown["url"] == f"http://tablee.test/m/{match}/sit"
    assert not any("Anna" in value for value in shown.values())
    picture = await stranger.get(shown["image"])
    assert picture.headers["content-type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")
    assert preview((await stranger.get("/")).text)["title"].startswith("Tablée")


async def test_a_preview_tells_no_more_of_a_match_than_that_it_is_played(pages: Pages):
    anna = pages.reader()
    match = await _alone(anna)
    shown = preview((await anna.get(f"/m/{match}")).text)
    assert shown["title"] == "A match of L.A.M.A."
    assert shown["description"].startswith("It is being played: look on.")


async def _alone(anna: Reader) -> str:
    await anna.get("/")
    page = await anna.submit("/play", ("game", "lama"))
    return str(page.url.path).rpartition("/")[2]


def test_every_built_in_game_has_its_pictures():
    for game in ("lama", "odin", "skyjo", "any"):
        assert static_files()[f"tile_{game}.svg"].content.startswith(b"<svg")
        assert len(static_files()[f"tile_{game}.png"].content) < 40_000

"""The page of all the matches that I have played."""

import httpx

from tests.integration.api.pages.conftest import Pages
from tests.integration.api.tables import Api


async def test_what_i_have_played_stands_there_and_is_found_again(pages: Pages):
    anna = pages.reader()
    await anna.get("/me/matches")
    assert "You have not played a match to its end yet." in anna.page.text
    match = await anna.make_table("lama", "me", "bot", name="Anna")
    await pages.play_bots(match)
    await anna.get(f"/m/{match}")
    await anna.submit(f"/m/{match}/resign")
    async with httpx.AsyncClient() as client:
        await Api(client, pages.app).list_anew()
    await anna.get("/me/matches")
    assert f'href="/m/{match}/replay"' in anna.page.text
    await anna.get("/me/matches?game=lama&result=lost")
    assert f'href="/m/{match}"' in anna.page.text
    await anna.get("/me/matches?game=odin")
    assert "No match fits." in anna.page.text
    stranger = pages.reader("fr")
    await stranger.get("/me/matches")
    assert match not in stranger.page.text

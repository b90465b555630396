"""Keeping positions on the replay page, and sharing a note."""

import re

import httpx

from tests.integration.api.pages.conftest import Pages
from tests.integration.api.tables import Api


async def test_a_position_is_kept_in_the_replay_and_its_note_shared(pages: Pages):
    anna, ben = pages.reader(), pages.reader("fr")
    match = await anna.make_table("lama", "me", "bot", name="Anna", visibility="private")
    await pages.play_bots(match)
    await anna.get(f"/m/{match}/replay")
    at = dict(anna.form(f"/m/{match}/bookmark")["fields"])["at"]
    await anna.submit(f"/m/{match}/bookmark", ("note", "Was <that> wise?"), ("shared", "1"))
    assert anna.page.url.path == f"/m/{match}/replay"
    assert "Was &lt;that&gt; wise?" in anna.page.text
    shared = re.search(r'value="(http[^"]*/b/[^"]+)"', anna.page.text)
    assert shared
    note = "/b/" + shared[1].rpartition("/")[2]
    await ben.get(note)
    assert "Was &lt;that&gt; wise?" in ben.page.text
    assert "Anna" in ben.page.text
    # The note opens no match.
    assert (await ben.get(f"/m/{match}/replay?at={at}")).status_code == 403
    async with httpx.AsyncClient() as client:
        await Api(client, pages.app).list_anew()
    await anna.get("/me/bookmarks")
    assert f"/m/{match}/replay?at={at}" in anna.page.text
    assert "L.A.M.A. · Bot 2" in anna.page.text
    await anna.submit("/me/bookmarks/remove", ("at", at))
    assert "None yet." in anna.page.text
    assert (await ben.get(note)).status_code == 404


async def test_whoever_is_not_known_keeps_nothing(pages: Pages):
    anna, stranger = pages.reader(), pages.reader()
    match = await anna.make_table("lama", "me", "bot", name="Anna")
    await pages.play_bots(match)
    await stranger.get(f"/m/{match}/replay")
    assert not stranger.has_form(f"/m/{match}/bookmark")
    await stranger.get("/me/bookmarks")
    assert "None yet." in stranger.page.text

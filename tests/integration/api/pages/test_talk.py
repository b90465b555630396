"""Table talk on a table's page: a folded part, for the people at the table."""

import asyncio
import re

import httpx

from api.streams.open_streams import Looker
from tests.integration.api.pages.conftest import Pages
from tests.integration.api.pages.reader import Reader


async def two(pages: Pages) -> tuple[str, Reader, Reader]:
    anna, bert = pages.reader(), pages.reader("fr")
    match = await anna.make_table("lama", "me", "person", "person", name="Anna")
    await bert.sit(match, name="Bert")
    await anna.get(f"/m/{match}")
    return match, anna, bert


async def say(reader: Reader, match: str, **fields: str) -> httpx.Response:
    await reader.get(f"/m/{match}")
    token = dict(reader.form("/language")["fields"])["form"]
    return await reader.post(f"/m/{match}/talk", {"form": token, **fields}.items())


async def test_what_is_said_is_read_at_the_table_and_never_html(pages: Pages):
    match, anna, bert = await two(pages)
    page = await say(anna, match, text='<b onclick="x">Hello</b>')
    assert page.url.path == f"/m/{match}"
    await say(bert, match, reaction="thanks")
    page = await anna.get(f"/m/{match}")
    assert "&lt;b onclick=&#34;x&#34;&gt;Hello&lt;/b&gt;" in page.text
    assert "🙏 Thank you!" in page.text
    assert "🙏 Merci" in (await bert.get(f"/m/{match}")).text
    assert page.text.index('id="talk"') > page.text.index('id="menu"')
    assert '<details id="talk-fold">' in page.text  # folded, out of the way


async def test_an_onlooker_sees_nothing_of_it(pages: Pages):
    match, anna, _ = await two(pages)
    await say(anna, match, text="between us")
    stranger = pages.reader()
    page = await stranger.get(f"/m/{match}")
    assert "between us" not in page.text
    assert 'id="talk"' not in page.text
    answer = await stranger.get(f"/m/{match}/talk", headers={"X-Fragment": "1"})
    assert answer.status_code == 403
    assert "between us" not in answer.text


async def test_the_parts_live_module_gets_the_talk_alone(pages: Pages):
    match, anna, bert = await two(pages)
    await say(bert, match, text="Salut")
    answer = await anna.get(f"/m/{match}/talk", headers={"X-Fragment": "1"})
    assert "Salut" in answer.text
    assert "<main" not in answer.text


async def test_deleting_muting_and_switching_off_from_the_page(pages: Pages):
    match, anna, bert = await two(pages)
    await say(anna, match, text="mine")
    await say(bert, match, text="yours")
    page = await anna.get(f"/m/{match}")
    mine, yours = re.findall(r'<details id="said-([0-9-]+)">', page.text)
    await say(anna, match, do="mute", message=yours)
    assert "yours" not in anna.page.text
    assert "You do not read Bert." in anna.page.text
    await say(anna, match, do="hear", message=yours)
    assert "yours" in anna.page.text
    refused = await say(bert, match, do="delete", message=mine)
    assert refused.status_code == 403
    await say(anna, match, do="delete", message=yours)
    assert "yours" not in anna.page.text
    assert (await say(bert, match, do="close")).status_code == 403
    await say(anna, match, do="close")
    assert "The host wants no talk at this table." in anna.page.text
    assert (await say(bert, match, text="but")).status_code == 403
    await say(anna, match, do="open")
    await say(bert, match, text="again")
    assert "again" in bert.page.text


async def test_a_stream_tells_people_at_the_table_and_no_onlooker(pages: Pages):
    match, _, _ = await two(pages)
    hub = pages.app.state.parts.streams
    talk = pages.application.talk
    at_table, onlooker = (hub.watch({match}, Looker("", name)) for name in ("a", "b"))
    at_table.partaking = {match}
    try:
        # The hub begins with the feed's present end.
        async with asyncio.timeout(20):
            while not at_table.talked:
                await talk.switch(match, on=True)
                await asyncio.sleep(0.1)
        assert at_table.talked == {match}
        assert onlooker.talked == set()
    finally:
        hub.leave(at_table)
        hub.leave(onlooker)

"""The page on which people make keys for their own bots."""

import re

from tests.integration.api.pages.conftest import Pages
from tests.integration.api.tables import BASE, fresh_key


async def test_a_key_is_shown_once_used_and_revoked(pages: Pages):
    anna = pages.reader()
    match = await anna.make_table("lama", "me", "person", name="Anna <i>")
    await anna.get("/me/keys")
    form = anna.form("/me/keys")
    fields = [*form["fields"], ("scope", "bot"), ("name", "Robo <b>")]
    fields = [pair for pair in fields if pair != ("name", "")]
    page = await anna.post("/me/keys", fields)
    (token,) = re.findall(r'value="(tablee_[A-Za-z0-9_-]+)"', page.text)
    assert page.headers["Cache-Control"] == "no-store"
    # Loaded anew, the form makes no second key, and the page shows the first no longer.
    assert token in (await anna.post("/me/keys", fields)).text
    assert "tablee_" not in (await anna.get("/me/keys")).text
    assert page.text.count("/me/keys/revoke") == 1
    sat = await anna.client.post(
        f"{BASE}/matches/{match}/seats",
        json={},
        headers={"Authorization": f"Bearer {token}", "Idempotency-Key": fresh_key()},
    )
    assert sat.status_code == 201, sat.text
    table = await anna.get(f"/m/{match}")
    assert "Bot Robo &lt;b&gt; (Anna &lt;i&gt;)" in table.text
    page = await anna.get("/me/keys")
    assert f'href="/m/{match}"' in page.text
    (key_id,) = re.findall(r'name="key" value="(k[a-z2-7]{20})"', page.text)
    await anna.submit("/me/keys/revoke", ("key", key_id))
    assert "/me/keys/revoke" not in anna.page.text
    assert "Robo" not in (await anna.get(f"/m/{match}")).text.partition('id="board"')[2].partition("</ol>")[0]


async def test_whoever_is_not_known_is_told_how_to_begin(pages: Pages):
    reader = pages.reader("fr")
    page = await reader.get("/me/keys")
    assert not reader.has_form("/me/keys")
    assert 'href="/new"' in page.text


async def test_a_key_needs_a_name(pages: Pages):
    anna = pages.reader()
    await anna.make_table("lama", "me", "bot", name="Anna")
    await anna.get("/me/keys")
    fields = [*anna.form("/me/keys")["fields"], ("scope", "bot")]
    assert (await anna.post("/me/keys", fields)).status_code == 400

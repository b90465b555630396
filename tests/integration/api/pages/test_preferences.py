"""How somebody wants their pages goes with them; a browser that nobody knows yet remembers it by itself."""

from tests.integration.api.pages.conftest import Pages


async def test_what_a_newcomer_chose_holds_at_their_first_table(pages: Pages):
    anna = pages.reader()
    await anna.get("/me")
    await anna.submit("/me/display", theme="dark", confirm="always")
    assert 'data-theme="dark"' in anna.page.text
    match = await anna.make_table("lama", "me", "bot", name="Anna")
    assert 'data-theme="dark"' in (await anna.get(f"/m/{match}")).text
    assert "confirm" in anna.page.text


async def test_what_a_person_chose_holds_on_their_other_devices(pages: Pages):
    anna, phone = pages.reader(), pages.reader()
    await phone.get("/me")
    await phone.submit("/me/display", theme="light")
    await anna.make_table("lama", "me", "bot", name="Anna")
    await anna.get("/me/link")
    await anna.submit("/me/link")
    link = next(part for part in anna.page.text.split('"') if "/s/" in part)
    await anna.get("/me")
    await anna.submit("/me/display", theme="contrast", motion="off")
    token = link.rpartition("/s/")[2]
    await phone.get(f"/s/{token}")
    await phone.submit(token)
    page = (await phone.get("/me")).text
    assert 'data-theme="contrast"' in page
    assert 'data-motion="off"' in page
    await phone.submit("/me/display", theme="", motion="")
    assert "data-theme" not in (await anna.get("/me")).text


async def test_what_nobody_can_choose_changes_nothing(pages: Pages):
    anna = pages.reader()
    await anna.get("/me")
    await anna.submit("/me/display", theme="pink", sound="<b>", back="//elsewhere.example")
    assert anna.page.url.path == "/"
    page = (await anna.get("/me")).text
    assert "data-theme" not in page
    assert "data-sound" not in page
    anna.client.cookies.set("tablee_display", "dark.<script>..on.x")
    assert "<script>" not in (await anna.get("/me")).text.replace('<script type="module"', "")

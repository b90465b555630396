"""The page of a club's records."""

from tests.integration.api.pages.conftest import Pages


async def test_an_empty_hall_is_told_what_to_do(pages: Pages):
    anna = pages.reader()
    await anna.make_table("lama", "me", "bot", name="Anna")
    await anna.get("/c")
    await anna.submit("/c", club="Thursday")
    club = "/c/" + anna.page.url.path.split("/")[2]
    assert "Nobody has set a record yet." in (await anna.get(f"{club}/records")).text
    assert (await anna.get(f"{club}/records.csv")).text.startswith("record,title")
    stranger = pages.reader()
    assert (await stranger.get(f"{club}/records")).status_code in {403, 404}

"""``/guide`` is there for everybody, in their language, with its pictures."""

import re

import pytest

from api.pages.handbook import READERS
from tests.integration.api.pages.conftest import Pages


@pytest.mark.parametrize(("language", "heading"), [("en", "Guide for hosts"), ("fr", "Guide pour les hôtes")])
async def test_a_part_is_read_in_the_readers_language_without_scripts(pages: Pages, language, heading):
    anna = pages.reader()
    page = await anna.client.get("/guide/hosts", headers={"Accept-Language": language})
    assert page.status_code == 200
    assert f"<h1>{heading}</h1>" in page.text
    assert "<script" not in page.text
    assert re.search(r'href="/guide/hosts" aria-current="page"', page.text)


async def test_every_link_and_picture_of_the_guide_is_answered(pages: Pages):
    anna = pages.reader()
    found = set()
    for address in ("/guide", *(f"/guide/{reader}" for reader in READERS)):
        page = await anna.get(address)
        found |= set(re.findall(r'(?:href|src)="(/[^"#]*)', page.text))
    assert any(address.endswith(".avif") for address in found)
    for address in sorted(found):
        answer = await anna.client.get(address)
        assert answer.status_code == 200, address
        if address.endswith(".avif"):
            assert answer.headers["Content-Type"] == "image/avif"
            assert "immutable" in answer.headers["Cache-Control"]


async def test_the_guide_is_found_from_the_first_page_and_from_a_table(pages: Pages):
    anna = pages.reader()
    home = await anna.get("/")
    assert home.text.count('href="/guide') == 2
    await anna.submit("/play", ("game", "odin"))
    assert 'href="/guide/players"' in anna.page.text


@pytest.mark.parametrize(
    "address", ["/guide/cooks", "/guide/pictures/x/none.avif", "/guide/pictures/x/players.en.md"]
)
async def test_what_the_guide_has_not_is_not_found(pages: Pages, address):
    assert (await pages.reader().client.get(address)).status_code == 404


async def test_a_picture_that_has_changed_is_not_kept_under_its_old_address(pages: Pages):
    answer = await pages.reader().client.get("/guide/pictures/other/home.en.avif")
    assert answer.headers["Cache-Control"] == "no-cache"

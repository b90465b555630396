"""My tables, and the next one that waits for me."""

import re

import pytest

from services.people.persons import Wish
from tests.integration.api.pages.conftest import Pages
from tests.integration.api.pages.reader import Reader


async def playing(anna: Reader, bert: Reader, game: str = "lama") -> str:
    """Return a match in which Anna is to move."""
    match = await anna.make_table(game, "me", "person", name="Anna", **{"option-first": "0"})
    await bert.sit(match, name="Bert <b>")
    await begin(match, bert, anna)
    return match


async def begin(match: str, *people: Reader) -> None:
    for somebody in people:
        await somebody.get(f"/m/{match}")
        if somebody.has_form("/ready"):
            await somebody.submit("/ready")


def sections(page: str) -> dict[str, list[str]]:
    """Return the matches in each list of the page."""
    parts = re.split(r'<h2 id="(\w+)">', page)[1:]
    return {
        name: re.findall(r'<a href="/m/([a-z0-9]+)">', text)
        for name, text in zip(parts[::2], parts[1::2], strict=True)
    }


async def test_tables_are_listed_by_what_they_wait_for(pages: Pages):
    anna, bert = pages.reader(), pages.reader("fr")
    first = await playing(anna, bert)
    second = await playing(anna, bert)
    page = await anna.get("/")
    assert sections(page.text)["turns"] == [first, second]
    assert "<title>● Your turn (2)</title>" in page.text
    assert "Bert &lt;b&gt;" in page.text
    assert "round 1: you (0), Bert &lt;b&gt; (0)" in page.text
    assert sections((await bert.get("/")).text) == {"waiting": [second, first]}
    assert "attend Anna" in bert.page.text
    await anna.get(f"/m/{first}")
    await anna.submit("/hand-to-bot")
    assert sections((await anna.get("/")).text) == {"turns": [second], "waiting": [first]}
    assert sections((await bert.get("/")).text) == {"moved": [first], "waiting": [second]}
    await bert.get(f"/m/{first}")
    assert sections((await bert.get("/")).text) == {"waiting": [first, second]}


async def test_deadlines_are_dates_where_the_reader_lives(pages: Pages):
    anna, bert = pages.reader(), pages.reader()
    match = await anna.make_table("lama", "me", "person", name="Anna", clock="86400")
    await bert.sit(match, name="Bert")
    await begin(match, bert, anna)
    (reader,) = [one for one in (anna, bert) if 'class="mine"' in (await one.get("/")).text]
    day = r"until (\w+ )?(\d+ \w+ )?\d\d:\d\d"
    assert re.search(rf'<time datetime="[0-9TZ:.-]+">{day} UTC</time>', reader.page.text)
    assert re.search(r"\((23|24) hours left\)|\(1 day left\)", reader.page.text)
    state = (await pages.application.reader.head(match)).state
    for person in await pages.application.memberships.persons_of([seat.player for seat in state.seats]):
        await pages.application.persons.change(person, Wish(time_zone="Europe/Paris"))
    assert re.search(rf"{day}</time>", (await reader.get("/")).text)


async def test_the_next_table_is_one_press_away_on_every_table(pages: Pages):
    anna, bert = pages.reader(), pages.reader()
    matches = [await playing(anna, bert) for _ in range(3)]
    for number, match in enumerate(matches):
        page = await anna.get(f"/m/{match}")
        assert "Next table (2)" in page.text
        assert (await anna.get(f"/next?at={match}")).url.path == f"/m/{matches[(number + 1) % 3]}"
    assert "Next table" not in (await bert.get(f"/m/{matches[0]}")).text
    assert (await bert.get("/next")).url.path == "/"
    # The live module asks for the button alone, and for all parts when its own table has moved.
    assert "Next table (3)" in (await anna.get("/next/count?at=elsewhere")).text
    fragment = await anna.get(f"/m/{matches[0]}/fragment?after=0")
    assert 'id="next"' in fragment.text
    assert "Next table (2)" in fragment.text


async def test_a_stranger_has_no_next_table(pages: Pages):
    reader = pages.reader()
    assert (await reader.get("/next")).url.path == "/"
    assert (await reader.get("/next/count?at=x")).text.strip() == ""


async def test_finished_tables_are_found_by_who_played(pages: Pages):
    anna, bert, zoe = pages.reader(), pages.reader(), pages.reader()
    one = await playing(anna, bert)
    two = await playing(anna, zoe)
    for match in (one, two):
        await anna.get(f"/m/{match}")
        await anna.submit("/abandon")
    assert sections((await anna.get("/")).text) == {"finished": [two, one]}
    assert "ended without a result" in anna.page.text
    found = await anna.get("/?find=nobody")
    assert sections(found.text) == {"finished": []}
    assert "Try fewer, or show all" in found.text
    assert sections((await anna.get("/?find=bert+lama")).text) == {"finished": [two, one]}
    # Who waited for the other's move is told of the end, until they have seen it.
    assert sections((await bert.get("/")).text) == {"moved": [one]}
    await bert.get(f"/m/{one}")
    assert sections((await bert.get("/")).text) == {"finished": [one]}


async def test_nobody_is_to_move_at_a_table_that_has_ended(pages: Pages):
    anna, bert = pages.reader(), pages.reader()
    match = await playing(anna, bert)
    assert "to move" in (await bert.get(f"/m/{match}")).text
    await anna.get(f"/m/{match}")
    await anna.submit("/abandon")
    assert "to move" not in (await bert.get(f"/m/{match}")).text
    last = (await pages.application.reader.head(match)).version
    assert "to move" not in (await bert.get(f"/m/{match}/replay?at={last}")).text


@pytest.mark.parametrize("given", ["/?from=x", "/?find=a&find=b"])
async def test_an_address_that_cannot_be_read_is_refused_on_a_page(pages: Pages, given):
    anna = pages.reader()
    await playing(anna, pages.reader())
    page = await anna.get(given)
    assert (page.status_code, "<main" in page.text) == (400, True)


async def test_what_is_sought_is_never_html(pages: Pages):
    anna, bert = pages.reader(), pages.reader()
    match = await playing(anna, bert)
    await anna.get(f"/m/{match}")
    await anna.submit("/abandon")
    page = await anna.get('/?find="><script>alert(1)</script>')
    assert "<script>alert" not in page.text
    assert "&gt;&lt;script&gt;" in page.text

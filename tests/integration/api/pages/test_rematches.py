"""Playing again with the same people: one press, one table, and seats kept for them."""

from domain.match.state import Match
from tests.integration.api.pages.conftest import Pages
from tests.integration.api.pages.reader import Reader


async def ended(pages: Pages) -> tuple[str, Reader, Reader]:
    anna, bert = pages.reader(), pages.reader()
    match = await anna.make_table("lama", "me", "person", "bot", name="Anna")
    await bert.sit(match, name="Bert")
    await bert.submit("/ready")
    await anna.get(f"/m/{match}")
    await anna.submit("/abandon")
    return match, anna, bert


async def state_of(pages: Pages, match: str) -> Match:
    return (await pages.application.reader.head(match)).state


async def test_the_first_who_presses_makes_it_and_the_other_finds_a_seat_kept(pages: Pages):
    match, anna, bert = await ended(pages)
    await anna.get(f"/m/{match}")
    form = anna.form("/rematch")
    for _ in range(2):
        await anna.post(form["action"], form["fields"])
    rematch = anna.page.url.path.rpartition("/")[2]
    state = await state_of(pages, rematch)
    assert [(seat.kind, bool(seat.kept), seat.ready) for seat in state.seats] == [
        ("person", False, True),
        ("open", True, False),
        ("bot", False, True),
    ]
    assert state.terms is not None
    assert (state.terms.rematch_of, state.terms.visibility) == (match, "public")

    stranger = pages.reader()
    await stranger.get(f"/m/{rematch}/sit")
    assert "taken or kept for others" in stranger.page.text
    assert not stranger.has_form("/sit")

    await bert.get("/")
    assert f'href="/m/{rematch}/sit"' in bert.page.text
    await bert.get(f"/m/{match}")
    assert "a seat is kept for you" in bert.page.text
    await bert.submit("/rematch")
    assert bert.page.url.path == f"/m/{rematch}"
    assert (await state_of(pages, rematch)).lifecycle.phase == "playing"


async def test_the_host_opens_a_kept_seat(pages: Pages):
    match, anna, _ = await ended(pages)
    await anna.get(f"/m/{match}")
    await anna.submit("/rematch")
    rematch = anna.page.url.path.rpartition("/")[2]
    await anna.submit("/open-seat", ("seat", "1"))
    cleo = pages.reader()
    await cleo.sit(rematch, name="Cleo", seat="1")
    assert (await state_of(pages, rematch)).seats[1].kind == "person"


async def test_it_is_for_people_of_a_match_that_is_over(pages: Pages):
    match, anna, bert = await ended(pages)
    stranger = pages.reader()
    await stranger.get(f"/m/{match}")
    assert not stranger.has_form("/rematch")
    fields = dict(stranger.form("/language")["fields"])
    await stranger.post(f"/m/{match}/rematch", [("form", fields["form"]), ("key", "0" * 32)])
    assert stranger.page.status_code == 403
    running = await anna.make_table("lama", "me", "bot", name="Anna")
    fields = dict(anna.form("/language")["fields"])
    await anna.post(f"/m/{running}/rematch", [("form", fields["form"]), ("key", "0" * 32)])
    assert anna.page.status_code == 409
    del bert

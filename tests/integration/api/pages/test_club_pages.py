"""The pages of clubs, in a browser without scripts."""

import re

import pytest

from services.bootstrap import present_instant
from services.people.clubs.club import Club
from tests.integration.api.pages.conftest import Pages
from tests.integration.api.pages.reader import Reader, _Forms, seats_asked

ADDRESS = re.compile(r'value="http://tablee\.test(/i/[A-Za-z0-9_-]{43})"')


async def host_of_club(pages: Pages, language: str = "en") -> tuple[Reader, str]:
    """Somebody with a new club, and its address."""
    hanna = pages.reader(language)
    await hanna.get("/c")
    await hanna.submit("/c", club="Thursday", name="Hanna")
    assert hanna.page.status_code == 200, hanna.page.text
    return hanna, hanna.page.url.path


async def invitation(host: Reader, club: str, **fields: str) -> str:
    """Make an invitation; return its path."""
    await host.get(f"{club}/settings")
    await host.submit("/invitations", **{"role": "member", "days": "7", **fields})
    (path,) = set(ADDRESS.findall(host.page.text))
    return str(path)


async def joined(pages: Pages, path: str, name: str) -> Reader:
    reader = pages.reader()
    await reader.get(path)
    await reader.submit(path, name=name)
    return reader


async def kept(pages: Pages, club: str) -> Club:
    found = await pages.application.clubs.of(club.rpartition("/")[2])
    assert found is not None
    return found


async def person_of(pages: Pages, reader: Reader) -> str:
    return await pages.application.sessions.person(reader.client.cookies["tablee"], present_instant())


async def test_a_club_is_made_and_says_what_to_do_next(pages: Pages):
    hanna, club = await host_of_club(pages)
    assert "<h1>Thursday</h1>" in hanna.page.text
    assert "you are alone here. Invite the others first" in hanna.page.text
    assert "the club closes by itself on" in hanna.page.text
    await hanna.get("/")
    assert f'href="{club}"' in hanna.page.text
    await hanna.get("/c")
    assert "club host, 1 member" in hanna.page.text


async def test_who_has_no_club_is_offered_one_line(pages: Pages):
    reader = pages.reader()
    assert (await reader.get("/")).text.count("Clubs") == 1
    assert "For whom" not in (await reader.get("/new?game=lama")).text
    assert "You are in no club, and need none" in (await reader.get("/c")).text


async def test_an_invitation_is_shown_once_with_its_code_and_joins_by_a_button(pages: Pages):
    hanna, club = await host_of_club(pages)
    path = await invitation(hanna, club, uses="1")
    assert 'aria-label="The address of the invitation as a QR code"' in hanna.page.text
    assert hanna.page.headers["Cache-Control"] == "no-store"
    assert path not in (await hanna.get(f"{club}/settings")).text
    assert "0 of 1 used" in hanna.page.text
    max_ = pages.reader()
    for _ in range(3):
        shown = (await max_.get(path)).text
        assert "Nothing has happened yet" in shown
    assert (await kept(pages, club)).invitations[0].used == 0
    await max_.submit(path, name="Max")
    assert max_.page.url.path == club
    assert "<strong>Max</strong> (you)" in max_.page.text
    assert "You are in this club already." in (await max_.get(path)).text
    late = pages.reader()
    assert "All places of this invitation are taken." in (await late.get(path)).text
    assert not late.has_form(path)


async def test_the_last_place_taken_while_one_reads_is_told_and_makes_nobody(pages: Pages):
    hanna, club = await host_of_club(pages)
    path = await invitation(hanna, club, uses="1")
    late = pages.reader()
    await late.get(path)
    await joined(pages, path, "Max")
    await late.submit(path, name="Zoe")
    assert late.page.status_code == 409
    assert "All places of this invitation are taken." in late.page.text
    assert await person_of(pages, late) == ""
    assert len((await kept(pages, club)).members) == 2


async def test_an_invitation_that_was_taken_back_and_one_that_never_was(pages: Pages):
    hanna, club = await host_of_club(pages)
    path = await invitation(hanna, club)
    revoke = (await kept(pages, club)).invitations[0].id
    await hanna.get(f"{club}/settings")
    await hanna.submit(revoke)
    assert "taken back" in hanna.page.text
    reader = pages.reader()
    assert "This invitation was taken back." in (await reader.get(path)).text
    for wrong in ("/i/" + "x" * 43, "/i/x"):
        assert (await reader.get(wrong)).status_code == 404
        assert "leads nowhere" in reader.page.text


@pytest.mark.parametrize("path", ["", "/settings"])
async def test_strangers_find_no_club(pages: Pages, path):
    _, club = await host_of_club(pages)
    other, _ = await host_of_club(pages)
    for reader in (pages.reader(), other):
        answer = await reader.get(club + path)
        assert answer.status_code == 404
        assert "Thursday" not in answer.text
        assert "There is no such club, or you are not in it." in answer.text


async def test_settings_are_for_hosts(pages: Pages):
    hanna, club = await host_of_club(pages)
    gino = await joined(pages, await invitation(hanna, club, role="guest"), "Gino")
    assert "/settings" not in gino.page.text
    assert "New table for the club" not in gino.page.text
    answer = await gino.get(f"{club}/settings")
    assert (answer.status_code, "Your role in the club does not allow this." in answer.text) == (403, True)
    fields = [("form", form_token(await gino.get(club))), ("club", "Mine"), ("about", "name")]
    for form in ("settings", "close", "invitations", f"members/{(await kept(pages, club)).members[0].id}"):
        await gino.post(
            f"{club}/{form}",
            [*fields, ("sure", "yes"), ("role", "guest"), ("uses", "1"), ("days", "1"), ("key", "0" * 32)],
        )
        assert gino.page.status_code == 403, form
    assert (await kept(pages, club)).name == "Thursday"


def form_token(page) -> str:
    (token, *_) = re.findall(r'name="form" value="([0-9a-f]+)"', page.text)
    return str(token)


async def test_a_table_of_the_club_is_listed_played_and_remembered(pages: Pages):
    hanna, club = await host_of_club(pages)
    max_ = await joined(pages, await invitation(hanna, club), "Max")
    await max_.get(f"/new?club={club.rpartition('/')[2]}")
    (choice,) = re.findall(r'href="(/new\?game=lama&amp;club=[^"]+)"', max_.page.text) or ["missing"]
    await max_.get(choice.replace("&amp;", "&"))
    fields = {name: value for name, value in max_.form("/new")["fields"] if not name.startswith("bots-")}
    await max_.post("/new", [*{**fields, **seats_asked(("me", "person", "bot"))}.items()])
    match = max_.page.url.path.rpartition("/")[2]
    await hanna.get(club)
    assert f'href="/m/{match}/sit"' in hanna.page.text
    assert "1 seat is free" in hanna.page.text
    assert "Max, Bot 3</a>" in hanna.page.text
    stranger = pages.reader()
    for address in (f"/m/{match}", f"/m/{match}/sit"):
        answer = await stranger.get(address)
        assert (answer.status_code, "This table is for a club." in answer.text) == (403, True)
    await hanna.get(f"/m/{match}/sit")
    await hanna.submit("/sit")  # their name is known
    assert hanna.page.status_code == 200
    if hanna.has_form("/ready"):
        await hanna.submit("/ready")
    watcher = await joined(pages, await invitation(hanna, club, role="guest"), "Gino")
    assert (await watcher.get(f"/m/{match}")).status_code == 200
    await hanna.get(f"/m/{match}")
    await hanna.submit("/resign")
    await max_.get(f"/m/{match}")
    if max_.has_form("/resign"):
        await max_.submit("/resign")
    shown = (await watcher.get(club)).text
    assert "won by Bot 3" in shown
    assert "No table is open." in shown


async def test_a_seat_is_kept_for_a_member_who_is_chosen_by_name(pages: Pages):
    hanna, club = await host_of_club(pages)
    max_ = await joined(pages, await invitation(hanna, club), "Max")
    zoe = await joined(pages, await invitation(hanna, club), "Zoe")
    members = [one.id for one in (await kept(pages, club)).members]
    await hanna.get(f"/new?game=lama&club={club.rpartition('/')[2]}")
    fields = {name: value for name, value in hanna.form("/new")["fields"] if not name.startswith("bots-")}
    assert members[0] not in hanna.page.text  # one keeps no seat for oneself
    asked = {**fields, **seats_asked(("me",)), "member": members[1]}
    await hanna.post("/new", [*asked.items()])
    match = hanna.page.url.path.rpartition("/")[2]
    await zoe.get(f"/m/{match}/sit")
    if zoe.has_form("/sit"):
        await zoe.submit("/sit")
    state = (await pages.application.reader.head(match)).state
    assert [bool(seat.player) for seat in state.seats] == [True, False]
    await max_.get(f"/m/{match}/sit")
    await max_.submit("/sit")
    state = (await pages.application.reader.head(match)).state
    assert all(seat.player for seat in state.seats)
    log = b"".join(bytes(entry.e) for entry in await pages.application.store.read(match))
    assert (await person_of(pages, max_)).encode() not in log
    assert members[1].encode() not in log


async def test_new_tables_take_what_the_club_has_chosen(pages: Pages):
    hanna, club = await host_of_club(pages)
    await hanna.get(f"{club}/settings")
    defaults = next(
        form
        for form in forms_of(hanna)
        if form["action"].endswith("/settings") and ("about", "defaults") in form["fields"]
    )
    chosen = {"clock": "3600", "undo": "consent", "visibility": "public", "option-lama-limit": "single"}
    await hanna.post(defaults["action"], [*{**dict(defaults["fields"]), **chosen}.items()])
    assert hanna.page.url.path == f"{club}/settings"
    await hanna.get(f"/new?game=lama&club={club.rpartition('/')[2]}")
    fields = dict(hanna.form("/new")["fields"])
    assert (fields["clock"], fields["undo"], fields.get("visibility", "public")) == (
        "3600",
        "consent",
        "public",
    )
    assert fields["option-limit"] == "single"
    fields = dict((await hanna.get("/new?game=lama"), hanna.form("/new")["fields"])[1])
    assert fields["club"] == ""
    assert fields.get("clock", "0") == "0"


def forms_of(reader: Reader):
    parser = _Forms()
    parser.feed(reader.page.text)
    return parser.forms


async def test_nobody_makes_tables_for_a_club_of_others(pages: Pages):
    _, club = await host_of_club(pages)
    other, _ = await host_of_club(pages)
    await other.get(f"/new?game=lama&club={club.rpartition('/')[2]}")
    assert dict(other.form("/new")["fields"])["club"] == ""
    await other.submit("/new", club=club.rpartition("/")[2])
    assert other.page.status_code == 404


async def test_roles_are_given_and_the_club_is_passed_on(pages: Pages):
    hanna, club = await host_of_club(pages)
    max_ = await joined(pages, await invitation(hanna, club), "Max")
    member = (await kept(pages, club)).members[1].id
    await hanna.get(f"{club}/settings")
    await hanna.submit(member, ("does", "role"), role="guest")
    assert (await kept(pages, club)).members[1].role == "guest"
    await hanna.get(f"{club}/settings")
    await hanna.submit(member, ("does", "pass_on"))
    assert hanna.page.url.path == club
    assert [one.role for one in (await kept(pages, club)).members] == ["member", "host"]
    mine = (await kept(pages, club)).members[1].id
    await max_.get(f"{club}/settings")
    await max_.submit(mine, ("does", "role"), role="member")
    assert max_.page.status_code == 409
    assert "You are the last host of the club." in max_.page.text
    await max_.get(f"{club}/settings")
    await max_.submit((await kept(pages, club)).members[0].id, ("does", "remove"))
    assert (await hanna.get(club)).status_code == 404


async def test_leaving_and_closing(pages: Pages):
    hanna, club = await host_of_club(pages)
    max_ = await joined(pages, await invitation(hanna, club), "Max")
    await hanna.get(club)
    await hanna.submit("/leave")
    assert (hanna.page.status_code, "You are the last host of the club." in hanna.page.text) == (409, True)
    await max_.submit("/leave")
    assert max_.page.url.path == "/c"
    await hanna.get(f"{club}/settings")
    await hanna.submit("/close")
    assert "The box was not ticked, so the club is still there." in hanna.page.text
    await hanna.get(f"{club}/settings")
    await hanna.submit("/close", ("sure", "yes"))
    assert hanna.page.url.path == "/c"
    assert (await hanna.get(club)).status_code == 404


async def test_a_club_has_a_name(pages: Pages):
    hanna = pages.reader()
    await hanna.get("/c")
    await hanna.submit("/c", club="  ", name="Hanna")
    assert (hanna.page.status_code, "The club has no name." in hanna.page.text) == (422, True)
    assert await person_of(pages, hanna) == ""


async def test_the_form_posted_twice_makes_one_club(pages: Pages):
    hanna = pages.reader()
    await hanna.get("/c")
    form = hanna.form("/c")
    fields = [*{**dict(form["fields"]), "club": "Thursday"}.items()]
    first = (await hanna.post("/c", fields)).url
    assert (await hanna.post("/c", fields)).url == first


@pytest.mark.parametrize("language", ["en", "fr"])
async def test_no_page_shows_a_person_or_something_untranslated(pages: Pages, language):
    hanna, club = await host_of_club(pages, language)
    path = await invitation(hanna, club)
    for address in (club, f"{club}/settings", path, "/c", f"/new?game=lama&club={club.rpartition('/')[2]}"):
        page = (await hanna.get(address)).text
        assert await person_of(pages, hanna) not in page
        assert f'<html lang="{language}">' in page
        assert "style=" not in page
        assert ("Members" in page) <= (language == "en")

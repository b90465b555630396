"""Coming back in by pages: links, codes, devices, seats that were lost; and what opens nothing."""

import re
from html import unescape

import pytest

from domain.instants import instant_from_milliseconds, milliseconds_of
from services.bootstrap import present_instant
from services.people.links import PERSON_SECONDS
from tests.integration.api.pages.conftest import Pages
from tests.integration.api.pages.reader import Reader
from tests.integration.api.pages.test_dossiers import kept, person_of

CODE = re.compile(r"<strong>([0-9A-Z]{5}(?:-[0-9A-Z]{5}){3})</strong>")
LINK = re.compile(r'value="http://tablee\.test(/s/[A-Za-z0-9_-]{43})"')


async def anna_at_a_table(pages: Pages, name: str = "Anna", *seats: str) -> tuple[Reader, str]:
    anna = pages.reader()
    return anna, await anna.make_table("lama", *(seats or ("me", "bot")), name=name)


async def link_of(reader: Reader) -> str:
    await reader.get("/me/link")
    page = await reader.submit("/me/link")
    assert page.status_code == 200, page.text
    assert page.headers["cache-control"] == "no-store"
    found = LINK.search(page.text)
    assert found is not None
    return found[1]


async def code_of(reader: Reader) -> str:
    await reader.get("/me/code")
    page = await reader.submit("/me/code")
    assert page.headers["cache-control"] == "no-store"
    found = CODE.search(page.text)
    assert found is not None
    return found[1]


class TestLinks:
    async def test_a_phone_continues_by_the_laptops_link_once(self, pages: Pages):
        laptop, match = await anna_at_a_table(pages)
        link = await link_of(laptop)
        assert '<svg role="img"' in laptop.page.text
        assert "style=" not in laptop.page.text
        phone = pages.reader()
        page = await phone.get(link)
        assert "Continue as Anna" in page.text
        await phone.submit(link)
        assert f"/m/{match}" in phone.page.text
        assert (await phone.get(f"/m/{match}")).text.count("(you)") == 1
        late = await pages.reader().get(link)
        assert (late.status_code, "was used already" in late.text) == (410, True)

    async def test_a_scanner_that_opens_every_link_changes_nothing(self, pages: Pages):
        laptop, _ = await anna_at_a_table(pages)
        link = await link_of(laptop)
        before, scanner = await kept(pages), pages.reader()
        for address in (link, link, f"{link}/", "/back", "/me", "/me/devices", "/me/erase", "/me/link"):
            await scanner.get(address)
            await scanner.client.head(address)
        assert await kept(pages) == before
        phone = pages.reader()
        await phone.get(link)
        assert (await phone.submit(link)).status_code == 200
        assert await person_of(pages, phone) == await person_of(pages, laptop)

    async def test_a_form_from_elsewhere_lets_nobody_in(self, pages: Pages):
        laptop, _ = await anna_at_a_table(pages)
        link = await link_of(laptop)
        phone = pages.reader()
        await phone.get(link)
        for fields in ([("join", "no")], [("form", "0" * 64)]):
            assert (await phone.post(link, fields)).status_code == 403
        assert await person_of(pages, phone) == ""

    @pytest.mark.parametrize("state", ["expired", "revoked", "unknown"])
    async def test_what_opens_nothing_says_why_and_what_to_do(self, pages: Pages, state: str, monkeypatch):
        laptop, _ = await anna_at_a_table(pages)
        link, phone = await link_of(laptop), pages.reader()
        if state == "revoked":
            await laptop.submit("/me/link/revoke")
        elif state == "unknown":
            link = "/s/" + "x" * 43
        else:
            later = milliseconds_of(present_instant()) + PERSON_SECONDS * 1000
            monkeypatch.setattr(
                "api.pages.ways_back.present_instant", lambda: instant_from_milliseconds(later)
            )
        page = await phone.get(link)
        assert page.status_code == (404 if state == "unknown" else 410)
        assert 'href="/back"' in page.text
        token = phone.form("/language")["fields"][0][1]
        assert (await phone.post(link, [("form", token)])).status_code in {404, 410}
        assert await person_of(pages, phone) == ""

    async def test_a_device_of_somebody_else_chooses_between_bringing_along_and_switching(self, pages: Pages):
        laptop, mine = await anna_at_a_table(pages)
        phone, theirs = await anna_at_a_table(pages, "Phone")
        link = await link_of(laptop)
        page = await phone.get(link)
        assert "signed in as somebody else: Phone" in page.text
        fields = [*phone.form(link)["fields"], ("join", "no")]
        await phone.post(link, fields)
        assert f"/m/{mine}" in phone.page.text
        assert f"/m/{theirs}" not in phone.page.text

        tablet, third = await anna_at_a_table(pages, "Tablet")
        link = await link_of(laptop)
        await tablet.get(link)
        await tablet.post(link, [*tablet.form(link)["fields"], ("join", "yes")])
        for match in (mine, third):
            assert f"/m/{match}" in tablet.page.text

    async def test_who_sits_at_one_table_twice_is_told_so_and_nothing_happens(self, pages: Pages):
        laptop, match = await anna_at_a_table(pages, "Anna", "me", "person")
        phone = pages.reader()
        await phone.sit(match, name="Phone")
        link = await link_of(laptop)
        await phone.get(link)
        page = await phone.post(link, [*phone.form(link)["fields"], ("join", "yes")])
        assert (page.status_code, "You sit at one table twice" in page.text) == (403, True)
        assert (await pages.reader().get(link)).status_code == 200  # not used up


class TestRecovery:
    async def test_who_has_lost_everything_comes_back_with_the_code(self, pages: Pages):
        anna, match = await anna_at_a_table(pages)
        code = await code_of(anna)
        elsewhere = pages.reader()
        await elsewhere.get(f"/back?table={match}")
        await elsewhere.submit("/back", way=code.lower().replace("-", " "))
        assert elsewhere.page.url.path == f"/m/{match}"
        assert "(you)" in elsewhere.page.text
        assert "came back with it" in (await anna.get("/me")).text

    async def test_a_replaced_code_opens_nothing(self, pages: Pages):
        anna, _ = await anna_at_a_table(pages)
        old = await code_of(anna)
        await code_of(anna)
        elsewhere = pages.reader()
        await elsewhere.get("/back")
        page = await elsewhere.submit("/back", way=old)
        assert (page.status_code, "nobody's recovery code" in unescape(page.text)) == (404, True)
        page = await elsewhere.submit("/back", way="what?")
        assert (page.status_code, "This is no link" in page.text) == (404, True)

    async def test_the_same_form_posted_twice_makes_one_code(self, pages: Pages):
        anna, _ = await anna_at_a_table(pages)
        await anna.get("/me/code")
        form = anna.form("/me/code")
        codes = [CODE.search((await anna.post("/me/code", form["fields"])).text) for _ in range(2)]
        assert codes[0] is not None
        assert codes[1] is not None
        assert codes[0][1] == codes[1][1]

    async def test_a_device_of_somebody_else_is_asked_before_it_switches(self, pages: Pages):
        anna, match = await anna_at_a_table(pages)
        code = await code_of(anna)
        bert, _ = await anna_at_a_table(pages, "Bert")
        await bert.get("/back")
        page = await bert.submit("/back", way=code)
        assert "This code belongs to Anna" in page.text
        await bert.post("/back", [*bert.form("/back")["fields"], ("join", "no")])
        assert f"/m/{match}" in bert.page.text

    async def test_it_is_offered_at_the_first_seat_until_it_is_taken_or_declined(self, pages: Pages):
        anna, match = await anna_at_a_table(pages)
        assert "Never lose your seat" in (await anna.get(f"/m/{match}")).text
        await anna.submit("/me/later")
        assert anna.page.url.path == f"/m/{match}"
        assert "Never lose your seat" not in anna.page.text
        bert, other = await anna_at_a_table(pages, "Bert")
        await code_of(bert)
        assert "Never lose your seat" not in (await bert.get(f"/m/{other}")).text


class TestSeats:
    @pytest.mark.parametrize("phase", ["gathering", "playing", "over"])
    @pytest.mark.parametrize("visibility", ["public", "private"])
    async def test_an_outsider_finds_the_way_to_their_seat_at_any_phase(
        self, pages: Pages, phase: str, visibility: str
    ):
        anna = pages.reader()
        others = ("person",) if phase == "gathering" else ("bot",)
        match = await anna.make_table("lama", "me", *others, name="Anna", visibility=visibility)
        if phase == "over":
            await anna.get(f"/m/{match}")
            await anna.submit("/abandon")
        outsider = pages.reader()
        page = await outsider.get(f"/m/{match}")
        assert f'href="/back?table={match}"' in page.text
        assert (await outsider.get(f"/back?table={match}")).status_code == 200

    async def test_an_old_token_of_a_seat_is_a_way_in(self, pages: Pages):
        anna, match = await anna_at_a_table(pages, "Anna", "me", "person")
        headers = {"Idempotency-Key": "0123456789abcdef0123456789abcdef"}
        seated = await anna.client.post(f"/api/v1/matches/{match}/seats", json={}, headers=headers)
        token = seated.json()["seat_token"]
        bert = pages.reader()
        await bert.get("/back")
        await bert.submit("/back", way=token)
        assert bert.page.url.path == f"/s/{token}"
        await bert.submit(f"/s/{token}")
        assert bert.page.url.path == f"/m/{match}"
        assert "(you)" in bert.page.text or "you, not ready" in bert.page.text
        # Anna has a seat there already: two would show her two hands.
        await anna.get(f"/s/{token}")
        assert (await anna.submit(f"/s/{token}")).status_code == 403

    async def test_the_host_lets_somebody_back_until_the_cards_are_dealt(self, pages: Pages):
        anna, match = await anna_at_a_table(pages, "Anna", "me", "person")
        bert = pages.reader()
        await bert.sit(match, name="Bert")
        lost = bert.client.cookies["tablee"]
        await anna.get(f"/m/{match}")
        assert f"/m/{match}/link?seat=1" in unescape(anna.page.text)
        await anna.get(f"/m/{match}/link?seat=1")
        page = await anna.submit("/link")
        found = LINK.search(page.text)
        assert found is not None
        again = pages.reader()
        await again.get(found[1])
        assert "Continue on the seat of Bert" in again.page.text
        await again.submit(found[1])
        assert again.page.url.path == f"/m/{match}"
        bert.client.cookies.set("tablee", lost)
        old = await bert.get(f"/m/{match}")
        assert f'href="/back?table={match}"' in old.text  # an outsider now
        notes = await pages.application.reissues.of(match)
        assert [(note.seat, note.by) for note in notes] == [(1, "host")]

    async def test_nobody_but_the_host_and_not_after_the_deal(self, pages: Pages):
        anna, match = await anna_at_a_table(pages)
        bert = pages.reader()
        await bert.get(f"/m/{match}")
        token = bert.form("/language")["fields"][0][1]
        fields = [("form", token), ("key", "0" * 32), ("seat", "0")]
        assert (await bert.post(f"/m/{match}/link", fields)).status_code == 403
        await anna.get(f"/m/{match}")
        token = anna.form("/language")["fields"][0][1]
        page = await anna.post(f"/m/{match}/link", [("form", token), ("key", "0" * 32), ("seat", "0")])
        assert page.status_code == 422
        assert "The cards are dealt" in page.text


class TestMe:
    async def test_a_person_changes_name_language_and_time_zone(self, pages: Pages):
        anna, _ = await anna_at_a_table(pages)
        await anna.get("/me")
        await anna.submit("/me", ("time_zone", "Europe/Paris"), ("language", "fr"), name="Anna B.")
        known = await pages.application.persons.of(await person_of(pages, anna))
        assert known is not None
        assert (known.name, known.language, known.time_zone) == ("Anna B.", "fr", "Europe/Paris")
        assert 'lang="fr"' in anna.page.text[:60]
        page = await anna.submit("/me", ("time_zone", "Mars/Olympus"))
        assert page.status_code == 400

    async def test_the_time_zone_that_the_browser_guesses_is_kept_at_the_first_seat(self, pages: Pages):
        anna, bert = pages.reader(), pages.reader()
        match = await anna.make_table("lama", "me", "person", name="Anna", time_zone="Europe/Paris")
        await bert.sit(match, name="Bert", time_zone="Mars/Olympus")
        for reader, zone in ((anna, "Europe/Paris"), (bert, "")):
            known = await pages.application.persons.of(await person_of(pages, reader))
            assert known is not None
            assert known.time_zone == zone
        await anna.get("/")
        await anna.post("/language", [*anna.form("/language")["fields"], ("language", "fr")])
        known = await pages.application.persons.of(await person_of(pages, anna))
        assert known is not None
        assert known.language == "fr"

    async def test_devices_are_listed_and_signed_out(self, pages: Pages):
        anna, match = await anna_at_a_table(pages)
        phone = pages.reader()
        link = await link_of(anna)
        await phone.get(link)
        await phone.submit(link)
        page = await anna.get("/me/devices")
        assert page.text.count("Sign out</button>") == 2
        await anna.submit("/me/devices", ("end", "others"))
        assert await person_of(pages, phone) == ""
        assert f"/m/{match}" not in (await phone.get("/")).text
        assert (await phone.get("/me/devices")).status_code == 403
        # Nobody signs out the device of another.
        bert, _ = await anna_at_a_table(pages, "Bert")
        mine = (await pages.application.sessions.of(await person_of(pages, anna)))[0].id
        await bert.get("/me/devices")
        await bert.submit("/me/devices", ("end", mine))
        assert await person_of(pages, anna) != ""

    async def test_leaving_a_device_keeps_the_person(self, pages: Pages):
        anna, match = await anna_at_a_table(pages)
        code = await code_of(anna)
        await anna.get("/me")
        await anna.submit("/me/leave")
        assert f"/m/{match}" not in anna.page.text
        await anna.get("/back")
        await anna.submit("/back", way=code)
        assert f"/m/{match}" in anna.page.text

    async def test_the_file_holds_everything_and_no_secret(self, pages: Pages):
        anna, match = await anna_at_a_table(pages)
        code, session = await code_of(anna), anna.client.cookies["tablee"]
        answer = await anna.get("/me/file")
        assert answer.headers["content-disposition"].startswith("attachment")
        assert answer.json()["tables"][0]["match"] == match
        assert not any(secret in answer.text for secret in (code, session))

    async def test_erasing_oneself_takes_two_clicks(self, pages: Pages):
        anna, match = await anna_at_a_table(pages, "Anna Quince")
        person = await person_of(pages, anna)
        await anna.get("/me/erase")
        assert "You still play at 1 table" in anna.page.text
        await anna.submit("/me/erase")
        assert await person_of(pages, anna) == person
        await anna.submit("/me/erase", ("sure", "yes"))
        assert anna.page.url.path == "/"
        left = await kept(pages)
        assert person not in left
        assert "Anna Quince" not in left
        assert (await pages.application.reader.head(match)).state.lifecycle.phase == "finished"

    @pytest.mark.parametrize("address", ["/me", "/privacy", "/back"])
    async def test_pages_are_there_for_who_is_not_known(self, pages: Pages, address: str):
        for language in ("en", "fr"):
            page = await pages.reader(language).get(address)
            assert page.status_code == 200
            assert f'lang="{language}"' in page.text

"""The page of one's notices, the secret addresses, and stopping by one click."""

import re

from services.bootstrap import present_instant
from services.notices.channels.feed import Feed
from services.notices.messages import Item, Message
from services.notices.outbox import Outbox
from services.people.contacts import Contact
from services.people.persons import Person
from tests.integration.api.pages.conftest import Pages
from tests.integration.api.pages.reader import Reader


async def anna(pages: Pages, language: str = "en") -> tuple[Reader, Person]:
    reader = pages.reader(language)
    await reader.make_table("lama", "me", "person", name="Anna")
    persons = pages.application.persons
    session = reader.client.cookies["tablee"]
    person = await persons.of(await pages.application.sessions.person(session, present_instant()))
    assert person is not None
    return reader, person


def address_in(text: str, end: str) -> str:
    found = re.search(rf"http://tablee\.test(/feeds/[\w-]+/{end})", text)
    assert found, text
    return found[1]


async def told(pages: Pages, person: Person, lines: tuple[str, ...] = ()) -> Message:
    item = Item("m1", "turn", "turn-7", "Your turn: L.A.M.A.", people="Bert <b>", lines=lines)
    message = Message("id1", person.id, "feed", "en", item.title, (item,), present_instant())
    contact = Contact("feed", "", "", present_instant())
    await Feed(pages.application.log_client).deliver(message, contact)
    return message


class TestThePage:
    async def test_tells_a_stranger_how_to_begin(self, pages: Pages):
        reader = pages.reader()
        await reader.get("/me/notices")
        assert "New table" in reader.page.text

    async def test_keeps_what_is_chosen(self, pages: Pages):
        reader, person = await anna(pages)
        await reader.get("/me/notices")
        given = [field for field in reader.form("/me/notices")["fields"] if "quiet" not in field[0]]
        fields = [field for field in given if field != ("notice", "turn.feed")]
        fields += [("quiet", "hours"), ("quiet_from", "21"), ("quiet_to", "9"), ("reminder", "24")]
        await reader.post("/me/notices", fields)
        known = await pages.application.persons.of(person.id)
        assert known is not None
        assert known.preferences["notice.turn.feed"] == "off"
        assert known.preferences["notice.answer.feed"] == "on"
        assert known.preferences["notice.quiet"] == "21-9"
        assert known.preferences["notice.reminders"] == "3,24"
        assert 'value="turn.feed" checked' not in reader.page.text
        assert 'value="answer.feed" checked' in reader.page.text

    async def test_takes_no_form_from_elsewhere(self, pages: Pages):
        reader, _ = await anna(pages)
        answer = await reader.client.post("/me/notices", data={"do": "renew", "form": "wrong"})
        assert answer.status_code == 403


class TestSecretAddresses:
    async def test_a_feed_reader_without_a_cookie_is_told_what_its_person_was_told(self, pages: Pages):
        reader, person = await anna(pages)
        await told(pages, person, ("Bert plays a 3.",))
        await reader.get("/me/notices")
        stranger = pages.reader()
        feed = await stranger.get(address_in(reader.page.text, "atom.xml"))
        assert feed.headers["content-type"].startswith("application/atom+xml")
        assert "Your turn: L.A.M.A." in feed.text
        assert "Bert &lt;b&gt;" in feed.text
        assert "no-referrer" in feed.headers["referrer-policy"]
        calendar = await stranger.get(address_in(reader.page.text, "calendar.ics"))
        assert calendar.text.startswith("BEGIN:VCALENDAR")

    async def test_an_address_that_was_renewed_leads_nowhere(self, pages: Pages):
        reader, _ = await anna(pages)
        await reader.get("/me/notices")
        before = address_in(reader.page.text, "atom.xml")
        await reader.submit("/me/notices", ("do", "renew"))
        after = address_in(reader.page.text, "atom.xml")
        stranger = pages.reader()
        assert before != after
        assert (await stranger.get(before)).status_code == 404
        assert (await stranger.get(after)).status_code == 200
        assert (await stranger.get("/feeds/" + "x" * 43 + "/atom.xml")).status_code == 404


async def test_a_calendar_has_ones_deadlines(pages: Pages):
    reader, _ = await anna(pages)
    match = await reader.make_table("lama", "me", "bot", clock="86400")
    await reader.get("/me/notices")
    calendar = await pages.reader().get(address_in(reader.page.text, "calendar.ics"))
    if "VEVENT" in calendar.text:  # the bot may have been dealt the first turn
        assert f"URL:http://127.0.0.1:8000/m/{match}" in calendar.text
        assert "SUMMARY:Your turn: L.A.M.A." in calendar.text


class TestStopping:
    async def test_opening_the_link_stops_nothing_and_one_post_stops_the_channel(self, pages: Pages):
        _, person = await anna(pages)
        secret = await pages.application.contacts.address(person.id, "stop-mail")
        scanner = pages.reader()
        await scanner.get(f"/stop/mail/{secret}")
        known = await pages.application.persons.of(person.id)
        assert known is not None
        assert known.preferences == {}
        # A mail program sends this by itself: no cookie, no form of ours.
        answer = await scanner.client.post(f"/stop/mail/{secret}", data={"List-Unsubscribe": "One-Click"})
        assert answer.status_code == 200
        known = await pages.application.persons.of(person.id)
        assert known is not None
        assert known.preferences["notice.turn.mail"] == "off"
        assert "notice.turn.feed" not in known.preferences

    async def test_a_link_for_one_channel_stops_no_other(self, pages: Pages):
        _, person = await anna(pages)
        secret = await pages.application.contacts.address(person.id, "stop-mail")
        answer = await pages.reader().client.post(f"/stop/push/{secret}")
        assert answer.status_code == 404


async def test_a_table_that_has_waited_for_long_offers_one_nudge_and_then_says_that_there_was_one(
    pages: Pages, monkeypatch
):
    reader, _ = await anna(pages)
    match = await reader.make_table("lama", "me", "person", clock="0")
    bert = pages.reader()
    await bert.sit(match, name="Bert")
    for one in (reader, bert):
        await one.get(f"/m/{match}")
        if one.has_form("/ready"):
            await one.submit("/ready")
    state = (await pages.application.reader.head(match)).state
    await reader.get(f"/m/{match}")
    waits_for_anna = "It is your turn" in reader.page.text
    waiting, awaited = (bert, reader) if waits_for_anna else (reader, bert)
    await waiting.get(f"/m/{match}")
    assert state.lifecycle.phase == "playing"
    assert not waiting.has_form("/nudge")
    monkeypatch.setattr("services.notices.nudging.PATIENCE_SECONDS", 0)
    await waiting.get(f"/m/{match}")
    await waiting.submit("/nudge", *waiting.form("/nudge")["buttons"])
    assert re.search(r"(Anna|Bert) was nudged at \d\d:\d\d\.", waiting.page.text)
    assert not waiting.has_form("/nudge")
    await awaited.get(f"/m/{match}")
    assert not awaited.has_form("/nudge")
    outbox = Outbox(pages.application.log_client)
    assert [name.kind for name in await outbox.planned(present_instant(), 10) if name.match == match] == [
        "nudge"
    ]

"""Giving a mailbox, proving that it is one's own, and taking it away."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from fakeredis import FakeServer

from api.application import create_app
from services.notices.channels.push_sealing import HouseKey
from services.people.proofs import TRIES
from services.process.settings import Settings
from tests.integration.api.conftest import started
from tests.integration.api.pages.conftest import Pages, durable, memory_application
from tests.integration.api.pages.reader import Reader
from tests.kit.memory_store import MemoryEventStore
from tests.kit.post_office import PostOffice, code_in, link_in, post_office, text_of_mail
from tests.kit.receiver import Receiver, receiver

HOUSE_KEY = HouseKey(b"s" * 48).public
MAILBOX = "anna@example.com"


@asynccontextmanager
async def pages_with(settings: Settings) -> AsyncIterator[Pages]:
    people, log = FakeServer(), MemoryEventStore()
    app = create_app(settings, lambda: memory_application(log, people), durable)
    async with started(app):
        yield Pages(app, people)


@pytest.fixture
async def office() -> AsyncIterator[PostOffice]:
    async with post_office() as running:
        yield running


@pytest.fixture
async def house(office: PostOffice) -> AsyncIterator[Pages]:
    settings = Settings(
        smtp_url=office.address, mail_from="cards@example.org", public_url="http://tablee.test"
    )
    async with pages_with(settings) as pages:
        yield pages


async def anna_at(pages: Pages, language: str = "en") -> Reader:
    """Somebody who is known, and looks at where they are told."""
    anna = pages.reader(language)
    await anna.make_table("lama", "me", "bot", name="Anna")
    await anna.get("/me/contacts")
    assert anna.page.status_code == 200, anna.page.text
    return anna


async def give(anna: Reader, mailbox: str = MAILBOX) -> None:
    await anna.submit("/mail", address=mailbox)


async def test_a_mailbox_is_confirmed_by_the_code_in_the_mail(house: Pages, office: PostOffice):
    anna = await anna_at(house)
    await give(anna)
    assert "Not confirmed yet" in anna.page.text
    (mail,) = office.mails
    assert mail["To"] == MAILBOX
    assert "tablee.test" in text_of_mail(mail)
    await anna.submit("/confirm", code=code_in(mail))
    assert anna.page.status_code == 200
    assert "You are told here." in anna.page.text
    assert not anna.has_form("/confirm")
    (contact,) = await house.application.contacts.of(await person_of(house, anna))
    assert (contact.address, contact.confirmed, contact.details) == (MAILBOX, True, {})


async def test_a_mailbox_is_confirmed_by_the_link_on_a_device_that_knows_nobody(
    house: Pages, office: PostOffice
):
    anna, phone = await anna_at(house), house.reader("fr")
    await give(anna)
    path = link_in(office.mails[0], "/confirm/")
    # A mail scanner opens it first.
    for _ in range(2):
        await house.reader().get(path)
    await phone.get(path)
    assert MAILBOX in phone.page.text
    await phone.post(path, phone.form(path)["fields"])
    assert phone.page.status_code == 200
    assert f"{MAILBOX} est confirmée" in phone.page.text
    await anna.get("/me/contacts")
    assert "You are told here." in anna.page.text


async def test_a_link_is_good_once(house: Pages, office: PostOffice):
    anna = await anna_at(house)
    await give(anna)
    path = link_in(office.mails[0], "/confirm/")
    await anna.get(path)
    fields = anna.form(path)["fields"]
    await anna.post(path, fields)
    await anna.post(path, fields)
    assert anna.page.status_code == 422
    assert "not good any more" in anna.page.text
    await anna.get(path)
    assert anna.page.status_code == 410
    await anna.get("/confirm/" + "x" * 43)
    assert anna.page.status_code == 410


async def test_a_link_is_used_by_a_form_of_ours_only(house: Pages, office: PostOffice):
    anna = await anna_at(house)
    await give(anna)
    path = link_in(office.mails[0], "/confirm/")
    await house.reader().post(path, [])
    await anna.post(path, [("form", "f" * 64)])
    assert anna.page.status_code == 403
    await anna.get("/me/contacts")
    assert "Not confirmed yet" in anna.page.text


async def test_codes_cannot_be_guessed(house: Pages, office: PostOffice):
    anna = await anna_at(house)
    await give(anna)
    code = code_in(office.mails[0])
    wrong = "000000" if code != "000000" else "111111"
    for left in range(TRIES - 1, -1, -1):
        await anna.submit("/confirm", code=wrong)
        assert anna.page.status_code == 422
        assert f"Tries that are left: {left}." in anna.page.text
    await anna.submit("/confirm", code=code)
    assert "not good any more" in anna.page.text
    await give(anna)
    await anna.submit("/confirm", code=code_in(office.mails[-1]))
    assert "You are told here." in anna.page.text


async def test_a_new_mail_ends_the_one_before(house: Pages, office: PostOffice):
    anna = await anna_at(house)
    await give(anna)
    await give(anna, "  Anna@Example.com ".lower())
    first, second = office.mails
    await anna.get(link_in(first, "/confirm/"))
    assert anna.page.status_code == 410
    await anna.get("/me/contacts")
    await anna.submit("/confirm", code=code_in(second))
    assert anna.page.text.count("You are told here.") == 1


async def test_nobody_fills_anothers_mailbox(house: Pages, office: PostOffice):
    statuses = []
    for _ in range(3):
        anna = await anna_at(house)
        for _ in range(2):
            await give(anna)
            statuses.append(anna.page.status_code)
    assert statuses == [200] * 5 + [429]
    assert len(office.mails) == 5


@pytest.mark.parametrize(
    "given", ["anna", "anna@", "anna@localhost", "a b@example.com", "a@b.c\r\nBcc: x@y.org", ""]
)
async def test_what_is_no_mailbox_is_refused(house: Pages, office: PostOffice, given: str):
    anna = await anna_at(house)
    await give(anna, given)
    assert anna.page.status_code == 422
    assert "This is no mailbox." in anna.page.text
    assert office.mails == []


async def test_a_mailbox_that_is_not_there_is_not_kept(house: Pages, office: PostOffice):
    office.refused[MAILBOX] = "550 5.1.1 No such user"
    anna = await anna_at(house)
    await give(anna)
    assert anna.page.status_code == 422
    assert "550 5.1.1 No such user" in anna.page.text
    assert await house.application.contacts.of(await person_of(house, anna)) == []


async def test_a_mailbox_is_taken_away(house: Pages, office: PostOffice):
    anna = await anna_at(house)
    await give(anna)
    await anna.submit("/remove")
    assert MAILBOX not in anna.page.text
    await anna.get(link_in(office.mails[0], "/confirm/"))
    assert anna.page.status_code == 410


async def test_others_contacts_are_out_of_reach(house: Pages, office: PostOffice):
    anna, bert = await anna_at(house), await anna_at(house)
    await give(anna)
    number = re.search(r"contacts/mail/([0-9a-f]+)/confirm", anna.page.text)
    assert number
    fields = bert.form("/mail")["fields"]
    for action in ("confirm", "remove"):
        await bert.post(
            f"/me/contacts/mail/{number[1]}/{action}", [*fields, ("code", code_in(office.mails[0]))]
        )
        assert bert.page.status_code == 404
    await anna.get("/me/contacts")
    assert MAILBOX in anna.page.text


async def test_nothing_is_left_of_a_mail_on_its_way_to_who_has_themselves_erased(
    house: Pages, office: PostOffice
):
    anna = await anna_at(house)
    await give(anna)
    await house.application.contacts.erase(await person_of(house, anna))
    await house.reader().get(link_in(office.mails[0], "/confirm/"))
    client = house.application.log_client
    assert not [key async for key in client.scan_iter(match="tb:people:proof:*")]


async def test_a_house_without_a_mail_server_says_so(pages: Pages):
    anna = await anna_at(pages, "fr")
    assert "Cette maison n’envoie pas de mails." in anna.page.text  # noqa: RUF001
    assert not anna.has_form("/mail")


async def test_somebody_who_is_not_known_is_told(pages: Pages):
    stranger = pages.reader()
    await stranger.get("/me/contacts")
    assert stranger.page.status_code == 403


class TestWebhooks:
    @pytest.fixture
    async def there(self) -> AsyncIterator[Receiver]:
        async with receiver() as running:
            yield running

    @pytest.fixture
    async def open_house(self) -> AsyncIterator[Pages]:
        async with pages_with(Settings(webhook_allow="127.0.0.1", public_url="http://tablee.test")) as pages:
            yield pages

    async def test_a_webhook_is_kept_once_a_test_has_arrived(self, open_house: Pages, there: Receiver):
        anna = await anna_at(open_house, "fr")
        address = f"http://127.0.0.1:{there.port}/plays"
        await anna.submit("/webhook", ("shape", "ntfy"), address=address)
        assert anna.page.status_code == 200
        assert f"ntfy · 127.0.0.1:{there.port}" in anna.page.text
        (post,) = there.posts
        assert post.body["topic"] == "plays"
        assert post.body["title"].startswith("Un essai")
        (contact,) = await open_house.application.contacts.of(await person_of(open_house, anna))
        assert (contact.channel, contact.confirmed, contact.details["shape"]) == ("webhook", True, "ntfy")
        await anna.submit("/remove")
        assert "ntfy · " not in anna.page.text

    async def test_a_webhook_that_does_not_take_the_test_is_not_kept(
        self, open_house: Pages, there: Receiver
    ):
        there.answer = b"HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n"
        anna = await anna_at(open_house)
        await anna.submit("/webhook", ("shape", "json"), address=f"http://127.0.0.1:{there.port}/x")
        assert anna.page.status_code == 422
        assert "it did not take the message (500)" in anna.page.text
        assert await open_house.application.contacts.of(await person_of(open_house, anna)) == []

    @pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "169.254.169.254", "[::1]"])
    async def test_the_house_itself_is_not_posted_to(self, pages: Pages, there: Receiver, host: str):
        anna = await anna_at(pages)
        await anna.submit("/webhook", ("shape", "json"), address=f"https://{host}:{there.port}/")
        assert anna.page.status_code == 422
        assert "private network" in anna.page.text
        assert there.connections == 0

    async def test_a_shape_that_there_is_not_is_refused(self, pages: Pages):
        anna = await anna_at(pages)
        await anna.submit("/webhook", ("shape", "fax"), address="https://example.org/")
        assert anna.page.status_code == 422


class TestDevices:
    @pytest.fixture
    async def there(self) -> AsyncIterator[Receiver]:
        async with receiver() as running:
            running.answer = b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"
            yield running

    @pytest.fixture
    async def secure_house(self) -> AsyncIterator[Pages]:
        async with pages_with(Settings(webhook_allow="127.0.0.1")) as pages:
            yield pages

    async def at_localhost(self, pages: Pages) -> Reader:
        anna = pages.reader()
        anna.client.base_url = httpx.URL("http://localhost")
        anna.client.headers["Origin"] = "http://localhost"
        await anna.make_table("lama", "me", "bot", name="Anna")
        await anna.get("/me/contacts")
        return anna

    async def test_a_device_is_kept_once_a_test_was_pushed(self, secure_house: Pages, there: Receiver):
        anna = await self.at_localhost(secure_house)
        assert f'data-key="{HOUSE_KEY}"' not in anna.page.text  # each house has its own
        fields = {"endpoint": f"http://127.0.0.1:{there.port}/push/1", "p256dh": HOUSE_KEY, "auth": "A" * 22}
        await anna.submit("/push", **fields)
        assert "You are told here." in anna.page.text
        assert len(there.posts) == 1
        (contact,) = await secure_house.application.contacts.of(await person_of(secure_house, anna))
        assert (contact.channel, contact.confirmed) == ("push", True)
        await anna.submit("/push", **fields)
        assert anna.page.text.count("You are told here.") == 1

    async def test_what_is_no_subscription_is_refused(self, secure_house: Pages, there: Receiver):
        anna = await self.at_localhost(secure_house)
        await anna.submit("/push", endpoint=f"http://127.0.0.1:{there.port}/", p256dh="x", auth="y")
        assert anna.page.status_code == 422
        assert "This is no subscription of a browser." in anna.page.text
        assert there.connections == 0

    async def test_a_subscription_that_leads_into_the_house_is_refused(self, pages: Pages, there: Receiver):
        anna = await self.at_localhost(pages)
        fields = {"p256dh": HOUSE_KEY, "auth": "A" * 22}
        await anna.submit("/push", endpoint=f"https://127.0.0.1:{there.port}/", **fields)
        assert anna.page.status_code == 422
        assert there.connections == 0

    async def test_without_https_the_page_says_why_not(self, pages: Pages):
        anna = await anna_at(pages)
        assert "reached by HTTPS" in anna.page.text

    async def test_the_service_worker_comes_from_the_top(self, pages: Pages):
        answer = await pages.reader().get("/sw.js")
        assert answer.headers["content-type"].startswith("text/javascript")
        assert answer.headers["cache-control"] == "no-cache"


async def person_of(pages: Pages, reader: Reader) -> str:
    from services.bootstrap import present_instant

    return await pages.application.sessions.person(reader.client.cookies["tablee"], present_instant())


async def test_a_host_gives_the_club_a_channel_on_its_page():
    async with receiver() as there, pages_with(Settings(webhook_allow="127.0.0.1")) as pages:
        hanna = pages.reader()
        await hanna.get("/c")
        await hanna.submit("/c", club="Thursday", name="Hanna")
        club = hanna.page.url.path
        await hanna.get(f"{club}/settings")
        await hanna.submit("/channel", ("does", "give"), address="https://localhost/", shape="slack")
        assert hanna.page.status_code == 422
        assert 'value="https://localhost/"' in hanna.page.text
        address = f"http://127.0.0.1:{there.port}/chat"
        await hanna.submit("/channel", ("does", "give"), address=address, shape="slack")
        assert f"It goes to Slack: {address}" in hanna.page.text
        assert "A test" in there.posts[0].body["text"]
        assert 'value="opened" checked' in hanna.page.text
        assert 'value="awaited" checked' not in hanna.page.text
        await hanna.submit("/channel", ("does", "take_away"), address="")
        assert "It goes to" not in hanna.page.text

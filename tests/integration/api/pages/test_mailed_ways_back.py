"""Coming back by mail: a link and a code, good once, for 15 minutes, to a mailbox that one has confirmed."""

from collections.abc import AsyncIterator

import pytest

from services.people.links import MAIL_SECONDS
from services.people.proofs import TRIES
from services.process.settings import Settings
from tests.integration.api.pages.conftest import Pages
from tests.integration.api.pages.reader import Reader
from tests.integration.api.pages.test_contacts import MAILBOX, anna_at, give, pages_with, person_of
from tests.kit.post_office import PostOffice, code_in, link_in, post_office, text_of_mail


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


async def confirmed(house: Pages, office: PostOffice) -> str:
    """Somebody who has confirmed a mailbox; return who it is."""
    anna = await anna_at(house)
    await give(anna)
    await anna.submit("/confirm", code=code_in(office.mails[-1]))
    office.mails.clear()
    return await person_of(house, anna)


async def ask(reader: Reader, mailbox: str = MAILBOX) -> None:
    await reader.get("/back")
    await reader.submit("/back/mail", address=mailbox)


async def test_the_link_lets_one_in_on_another_device(house: Pages, office: PostOffice):
    anna, phone = await confirmed(house, office), house.reader()
    await ask(phone, "Anna@Example.COM")
    (mail,) = office.mails
    assert mail["To"] == "Anna@example.com"
    assert "as Anna" in text_of_mail(mail)
    path = link_in(mail, "/s/")
    await house.reader().get(path)  # a mail scanner
    await phone.get(path)
    await phone.submit(path)
    assert await person_of(house, phone) == anna
    other = house.reader()
    await other.get(path)
    assert not other.has_form(path)


async def test_the_code_lets_one_in_and_ends_the_link(house: Pages, office: PostOffice):
    anna, phone = await confirmed(house, office), house.reader("fr")
    await ask(phone)
    (mail,) = office.mails
    await phone.submit("/back/code", code=code_in(mail))
    assert phone.page.url.path.startswith("/s/")
    assert "Anna" in phone.page.text
    await phone.submit(phone.page.url.path)
    assert await person_of(house, phone) == anna
    other = house.reader()
    await other.get(link_in(mail, "/s/"))
    assert other.page.status_code == 410


async def test_once_the_link_was_used_the_code_is_none(house: Pages, office: PostOffice):
    await confirmed(house, office)
    phone, thief = house.reader(), house.reader()
    await ask(phone)
    fields = phone.form("/back/code")["fields"]
    (mail,) = office.mails
    path = link_in(mail, "/s/")
    await phone.get(path)
    await phone.submit(path)
    await thief.get("/back")
    token = dict(thief.form("/back/mail")["fields"])["form"]
    given = dict(fields) | {"form": token, "code": code_in(mail)}
    await thief.post("/back/code", list(given.items()))
    assert thief.page.status_code == 422
    assert "not good any more" in thief.page.text


async def test_a_newer_mail_ends_the_older_one(house: Pages, office: PostOffice):
    await confirmed(house, office)
    phone = house.reader()
    await ask(phone)
    await ask(phone)
    first, second = office.mails
    await phone.get(link_in(first, "/s/"))
    assert phone.page.status_code == 410
    await phone.get(link_in(second, "/s/"))
    assert phone.page.status_code == 200


async def test_nobody_learns_who_plays_here(house: Pages, office: PostOffice):
    await confirmed(house, office)
    pages = []
    for mailbox in (MAILBOX, "nobody@example.com"):
        reader = house.reader()
        await ask(reader, mailbox)
        fields = dict(reader.form("/back/code")["fields"])
        assert len(fields["name"]) == 64
        text = reader.page.text
        for secret in (fields["name"], fields["form"], mailbox):
            text = text.replace(secret, "")
        pages.append((reader.page.status_code, text))
    assert pages[0] == pages[1]
    assert len(office.mails) == 1


async def test_a_mailbox_that_was_never_confirmed_lets_nobody_in(house: Pages, office: PostOffice):
    anna = await anna_at(house)
    await give(anna)
    office.mails.clear()
    await ask(house.reader())
    assert office.mails == []


async def test_a_mailbox_that_was_taken_away_lets_nobody_in(house: Pages, office: PostOffice):
    anna = await confirmed(house, office)
    (contact,) = await house.application.contacts.of(anna)
    await house.application.contacts.drop(anna, "mail", contact.number)
    await ask(house.reader())
    assert office.mails == []


async def test_a_mail_in_a_mailbox_that_was_taken_away_lets_nobody_in(house: Pages, office: PostOffice):
    anna = await anna_at(house)
    await give(anna)
    await anna.submit("/confirm", code=code_in(office.mails[-1]))
    phone = house.reader()
    await ask(phone)
    await anna.get("/me/contacts")
    await anna.submit("/remove")
    await phone.get(link_in(office.mails[-1], "/s/"))
    assert phone.page.status_code == 410


async def test_who_share_a_mailbox_get_a_mail_each(house: Pages, office: PostOffice):
    both = {await confirmed(house, office), await confirmed(house, office)}
    await ask(house.reader())
    assert len(office.mails) == 2
    arrived = set()
    for mail in office.mails:
        phone = house.reader()
        path = link_in(mail, "/s/")
        await phone.get(path)
        await phone.submit(path)
        arrived.add(await person_of(house, phone))
    assert arrived == both


async def test_codes_cannot_be_guessed(house: Pages, office: PostOffice):
    await confirmed(house, office)
    phone = house.reader()
    await ask(phone)
    code = code_in(office.mails[0])
    for _ in range(TRIES):
        await phone.submit("/back/code", code="000000" if code != "000000" else "111111")
        assert phone.page.status_code == 422
    await phone.submit("/back/code", code=code)
    assert phone.page.status_code == 422
    assert not phone.page.url.path.startswith("/s/")


async def test_a_mail_is_good_for_fifteen_minutes(house: Pages, office: PostOffice):
    await confirmed(house, office)
    await ask(house.reader())
    client = house.application.log_client
    (proof,) = [key async for key in client.scan_iter(match="tb:people:proof:*")]
    assert MAIL_SECONDS - 60 < await client.ttl(proof) <= MAIL_SECONDS == 15 * 60


async def test_nobody_fills_a_mailbox(house: Pages, office: PostOffice):
    await confirmed(house, office)
    reader = house.reader()
    for _ in range(10):
        await ask(reader)
    assert len(office.mails) == 10
    await ask(reader)
    assert reader.page.status_code == 429
    assert len(office.mails) == 10


async def test_a_house_without_a_mail_server_offers_none(pages: Pages):
    stranger = pages.reader()
    await stranger.get("/back")
    assert not stranger.has_form("/back/mail")

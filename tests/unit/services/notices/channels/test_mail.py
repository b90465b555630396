"""Mails: what they say, how mail programs thread and stop them, and what a mail server's refusal means."""

import ssl
from collections.abc import AsyncIterator

import msgspec
import pytest

from domain.instants import Instant
from services.notices.channels.contract import ContactGone, DeliveryFailed
from services.notices.channels.letters import notice_letter
from services.notices.channels.mail import Mail
from services.notices.channels.mail_server import MailServer, mail_server
from services.notices.messages import Item, Message
from services.people.contacts import Contact
from services.process.settings import Settings, SettingsError, load_settings
from tests.kit.post_office import PostOffice, post_office, text_of_mail

NOW = Instant("2026-11-30T12:00:00.000Z")
SENDER = "Tablée <cards@example.org>"
ADDRESS = "https://cards.example.org"
LINES = ("Bert played a 4.", "Zoë <b>quit</b> & left.")

ITEM = Item(
    "m1",
    "turn",
    "turn-7",
    "Your turn: L.A.M.A.",
    people="Bert, Zoë",
    round="Round 3",
    lines=LINES,
    deadline="Tuesday 18:00, 23 hours left",
    address=f"{ADDRESS}/m/m1",
)
MESSAGE = Message(
    "0123456789abcdef",
    "u1",
    "mail",
    "en",
    "Your turn: L.A.M.A.",
    (ITEM,),
    NOW,
    f"{ADDRESS}/stop/mail/s",
)
ANNA = Contact("mail", "1", "anna@example.com", NOW, confirmed=True)


@pytest.fixture
async def office() -> AsyncIterator[PostOffice]:
    async with post_office() as running:
        yield running


def server_of(office: PostOffice, **given: str) -> MailServer:
    variables = {"TABLEE_SMTP_URL": office.address, "TABLEE_MAIL_FROM": SENDER}
    variables |= {f"TABLEE_{name.upper()}": value for name, value in given.items()}
    server = mail_server(load_settings(variables))
    assert server is not None
    return server


def mail_to(office: PostOffice, **given: str) -> Mail:
    return Mail(server_of(office, **given), ADDRESS + "/", published)


LISTED = (
    b'{"kind":"digest","format":1,"digest":7,"at":"2026-11-30T00:00:09.000Z","previous":"","heads":1}\n'
    b'{"match":"m1","version":3,"head":"' + b"ab" * 32 + b'"}\n'
)


async def published(number: int) -> bytes | None:
    return LISTED if number == 7 else None


class TestLetters:
    async def test_a_mail_says_all_that_one_needs_in_text_and_in_html(self, office):
        await mail_to(office).deliver(MESSAGE, ANNA)
        (mail,) = office.mails
        assert mail.get_content_type() == "multipart/alternative"
        text, html = text_of_mail(mail), text_of_mail(mail, "html")
        for said in (
            ITEM.title,
            "Round 3",
            "With Bert, Zoë",
            "Until Tuesday 18:00, 23 hours left",
            LINES[0],
            ITEM.address,
            MESSAGE.stop,
            f"{ADDRESS}/me/notices",
            "cards.example.org",
        ):
            assert said in text
            assert said in html
        assert "Zoë <b>quit</b> & left." in text
        assert "Zoë &lt;b&gt;quit&lt;/b&gt; &amp; left." in html
        assert '<html lang="en">' in html
        assert "http://" not in text + html
        # Nothing is loaded from anywhere, and nobody learns when a mail is read.
        assert "<img" not in html
        assert "src=" not in html

    async def test_it_is_told_in_the_receivers_language(self, office):
        french = msgspec.structs.replace(MESSAGE, language="fr", subject="À toi de jouer : L.A.M.A.")
        await mail_to(office).deliver(french, ANNA)
        (mail,) = office.mails
        assert mail["Subject"] == "À toi de jouer : L.A.M.A."
        assert mail["Content-Language"] == "fr"
        assert "Avec Bert, Zoë" in text_of_mail(mail)

    async def test_a_published_list_goes_with_it_byte_for_byte(self, office):
        item = Item("", "heads", "7", "Published list 7", address=ADDRESS, note="Keep it.", published=7)
        gone = msgspec.structs.replace(item, turn="8", published=8)
        await mail_to(office).deliver(msgspec.structs.replace(MESSAGE, items=(item, gone)), ANNA)
        (mail,) = office.mails
        (attached,) = mail.iter_attachments()
        assert attached.get_payload(decode=True) == LISTED
        assert attached.get_filename() == "tablee-list-7.txt"
        assert attached.get_content_type() == "text/plain"
        for kind in ("plain", "html"):
            assert "Keep it." in text_of_mail(mail, kind)
            assert "Read the list here" in text_of_mail(mail, kind)

    async def test_headers_thread_it_stop_it_and_keep_robots_from_answering(self, office):
        await mail_to(office, mail_bounces="bounces@example.org").deliver(MESSAGE, ANNA)
        (mail,), (envelope,) = office.mails, office.envelopes
        assert mail["From"] == SENDER
        assert mail["To"] == "anna@example.com"
        assert mail["Message-ID"] == "<0123456789abcdef@example.org>"
        assert mail["In-Reply-To"] == mail["References"] == "<match.m1@example.org>"
        assert mail["List-Unsubscribe"] == f"<{MESSAGE.stop}>"
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert mail["Auto-Submitted"] == "auto-generated"
        assert mail["Date"].datetime.isoformat() == "2026-11-30T12:00:00+00:00"
        assert (envelope.mail_from, envelope.rcpt_tos) == ("bounces@example.org", ["anna@example.com"])

    async def test_long_addresses_stay_whole_in_headers(self, office):
        """Mail programs that post to what stands there do not decode it first."""
        place = "https://" + "cards." * 20 + "example.org"
        stop = f"{place}/stop/mail/{'x' * 43}"
        message = msgspec.structs.replace(MESSAGE, stop=stop, id="0" * 32)
        await mail_to(office).deliver(message, ANNA)
        (envelope,) = office.envelopes
        head = bytes(envelope.content).partition(b"\r\n\r\n")[0].replace(b"\r\n ", b" ")
        assert f"\r\nList-Unsubscribe: <{stop}>\r\n".encode() in head
        assert b"\r\nReferences: <match.m1@example.org>\r\n" in head

    async def test_a_mail_about_several_tables_is_in_no_thread(self, office):
        other = msgspec.structs.replace(ITEM, match="m2", address=f"{ADDRESS}/m/m2")
        await mail_to(office).deliver(msgspec.structs.replace(MESSAGE, items=(ITEM, other)), ANNA)
        (mail,) = office.mails
        assert mail["In-Reply-To"] is None
        assert mail["References"] is None
        assert "/m/m1" in text_of_mail(mail)
        assert "/m/m2" in text_of_mail(mail)

    async def test_the_same_message_twice_is_the_same_mail_to_a_mail_program(self, office):
        for _ in range(2):
            await mail_to(office).deliver(MESSAGE, ANNA)
        assert len({(mail["Message-ID"], mail["Date"], mail["Subject"]) for mail in office.mails}) == 1

    def test_a_line_break_in_a_subject_makes_no_header(self):
        mail = notice_letter(
            msgspec.structs.replace(MESSAGE, subject="Turn\r\nBcc: all@example.com"),
            "anna@example.com",
            SENDER,
            ADDRESS,
        )
        assert mail["Bcc"] is None
        assert mail["Subject"] == "Turn Bcc: all@example.com"

    def test_lines_of_mails_are_short_enough_for_every_server(self):
        long = msgspec.structs.replace(ITEM, lines=("é" * 3000,))
        mail = notice_letter(
            msgspec.structs.replace(MESSAGE, items=(long,)), "anna@example.com", SENDER, ADDRESS
        )
        assert max(map(len, mail.as_bytes().splitlines())) < 998


class TestTheServer:
    @pytest.mark.parametrize(
        "answer",
        [
            "550 5.1.1 No such user here",
            "550 no such user",
            "553 5.1.3 bad address",
            "550 5.2.1 mailbox disabled",
        ],
    )
    async def test_a_mailbox_that_is_not_there_is_gone(self, office, answer):
        office.refused["anna@example.com"] = answer
        with pytest.raises(ContactGone, match=answer[:3]):
            await mail_to(office).deliver(MESSAGE, ANNA)

    @pytest.mark.parametrize(
        "answer",
        [
            "450 4.2.0 greylisted",
            "452 4.2.2 mailbox full",
            "552 5.2.2 mailbox full",
            "550 5.7.1 blocked by policy",
            "421 too busy",
        ],
    )
    async def test_what_can_change_is_tried_again(self, office, answer):
        office.refused["anna@example.com"] = answer
        with pytest.raises(DeliveryFailed, match=answer[:3]) as failed:
            await mail_to(office).deliver(MESSAGE, ANNA)
        assert not isinstance(failed.value, ContactGone)

    async def test_a_mail_that_is_refused_as_a_whole_is_tried_again(self, office):
        office.answer = "554 5.7.1 looks like spam"
        with pytest.raises(DeliveryFailed, match="554"):
            await mail_to(office).deliver(MESSAGE, ANNA)

    async def test_a_server_that_is_away_is_tried_again(self, office):
        settings = Settings(smtp_url="smtp://127.0.0.1:1", mail_from=SENDER)
        server = mail_server(settings)
        assert server is not None
        with pytest.raises(DeliveryFailed, match="cannot be reached"):
            await Mail(server, ADDRESS, published).deliver(MESSAGE, ANNA)
        del office

    async def test_a_password_is_not_sent_in_the_clear_because_somebody_hid_the_offer(self, office):
        with_password = office.address.replace("//", "//cards:pass%2Fword@")
        with pytest.raises(DeliveryFailed, match="no encryption"):
            await mail_to(office, smtp_url=with_password).deliver(MESSAGE, ANNA)
        assert office.logins == []
        await mail_to(office, smtp_url=with_password, smtp_starttls="never").deliver(MESSAGE, ANNA)
        assert office.logins == [("cards", False)]

    async def test_encryption_is_used_where_it_is_offered_and_its_certificate_is_checked(self, certificate):
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate)
        async with post_office(context) as office:
            url = f"smtp://cards:pass%2Fword@localhost:{office.port}"
            server = server_of(office, smtp_url=url)
            with pytest.raises(DeliveryFailed, match=r"(?i)certificate"):
                await Mail(server, ADDRESS, published).deliver(MESSAGE, ANNA)
            trusting = server._replace(context=ssl.create_default_context(cafile=str(certificate)))
            await Mail(trusting, ADDRESS, published).deliver(MESSAGE, ANNA)
            assert office.logins == [("cards", True)]
            assert len(office.mails) == 1


def test_a_mail_server_needs_a_sender():
    with pytest.raises(SettingsError, match="TABLEE_MAIL_FROM"):
        load_settings({"TABLEE_SMTP_URL": "smtp://mail.example.org"})


@pytest.mark.parametrize("url", ["mail.example.org", "http://mail.example.org", "smtp://a b", "smtp://"])
def test_an_address_that_is_no_mail_servers_is_refused(url):
    with pytest.raises(SettingsError, match="TABLEE_SMTP_URL") as refused:
        load_settings({"TABLEE_SMTP_URL": url})
    assert "given" not in str(refused.value)  # it may hold a password


@pytest.mark.parametrize(
    ("url", "port", "user"),
    [
        ("smtp://mail.example.org", 25, ""),
        ("smtp://a%40b:c@mail.example.org", 587, "a@b"),
        ("smtps://a:c@mail.example.org/", 465, "a"),
        ("smtp://mail.example.org:2525", 2525, ""),
    ],
)
def test_the_usual_ports_need_not_be_named(url, port, user):
    server = mail_server(Settings(smtp_url=url, mail_from="a@b.org"))
    assert server is not None
    assert (server.host, server.port, server.user) == ("mail.example.org", port, user)

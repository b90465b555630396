"""The mail server of the installation: takes one mail at a time, and says whether trying again can help."""

import asyncio
import re
import smtplib
import ssl
from email.message import EmailMessage
from email.utils import parseaddr
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

from services.notices.channels.contract import ContactGone, DeliveryFailed
from services.process.settings import Settings, StartTls
from services.words import reasons

SECONDS: Final = 20.0
"""How long any one answer of the mail server may take."""

_PORTS: Final = {("smtp", False): 25, ("smtp", True): 587, ("smtps", False): 465, ("smtps", True): 465}
_LONGEST_ANSWER: Final = 150

_ENHANCED: Final = re.compile(r"([245])\.([0-9]{1,3})\.([0-9]{1,3})").match
_GONE: Final = frozenset({521, 550, 551, 553, 556})
"""Answers without a closer reason that say that there is no such mailbox."""


class MailServer(NamedTuple):
    """How mails leave the house.

    Attributes:
        user: Empty where the server asks for none.
        sender: What stands behind ``From``.
        bounces: The mailbox for what comes back.
        context: How certificates are checked.
    """

    scheme: str
    host: str
    port: int
    user: str
    password: str
    starttls: StartTls
    sender: str
    bounces: str
    context: ssl.SSLContext

    @property
    def domain(self) -> str:
        """The sender's domain, in which the ids of mails are made."""
        return parseaddr(self.sender)[1].rpartition("@")[2]

    async def send(self, mail: EmailMessage) -> None:
        """Hand a mail over.

        Raises:
            DeliveryFailed: It may not have arrived.
            ContactGone: There is no such mailbox.
        """
        await asyncio.to_thread(self._send, mail)

    def _send(self, mail: EmailMessage) -> None:
        try:
            with self._connected() as server:
                server.send_message(mail, parseaddr(self.bounces)[1])
        except smtplib.SMTPRecipientsRefused as refused:
            raise _refused(*next(iter(refused.recipients.values()))) from refused
        except smtplib.SMTPResponseException as refused:
            raise DeliveryFailed(_shown(refused.smtp_code, refused.smtp_error)) from refused
        except smtplib.SMTPException as error:
            raise DeliveryFailed(str(error)[:_LONGEST_ANSWER] or type(error).__name__) from error
        except OSError as error:
            untrusted = isinstance(error, ssl.SSLCertVerificationError)
            raise DeliveryFailed((reasons.NOT_TRUSTED if untrusted else reasons.NOT_REACHED).text) from error

    def _connected(self) -> smtplib.SMTP:
        # Named after the sender: the machine's own name would be looked up, and mean nothing to the server.
        if self.scheme == "smtps":
            server: smtplib.SMTP = smtplib.SMTP_SSL(
                self.host, self.port, self.domain, timeout=SECONDS, context=self.context
            )
        else:
            server = smtplib.SMTP(self.host, self.port, self.domain, timeout=SECONDS)
        try:
            if self.scheme == "smtp":
                self._encrypt(server)
            if self.user:
                server.login(self.user, self.password)
        except BaseException:
            server.close()
            raise
        return server

    def _encrypt(self, server: smtplib.SMTP) -> None:
        server.ehlo_or_helo_if_needed()
        offered = server.has_extn("starttls")
        # Somebody between us and the server can hide the offer: a password is not sent in the clear for that.
        if self.starttls == "always" or (self.starttls == "offered" and (offered or self.user)):
            if not offered:
                raise DeliveryFailed(reasons.NO_ENCRYPTION.text)
            server.starttls(context=self.context)


def mail_server(settings: Settings) -> MailServer | None:
    """Return the mail server that the settings name; None if there is none."""
    if settings.smtp_url is None or settings.mail_from is None:
        return None
    given = urlsplit(settings.smtp_url)
    user, password = unquote(given.username or ""), unquote(given.password or "")
    port = given.port or _PORTS[given.scheme, bool(user)]
    bounces = settings.mail_bounces or settings.mail_from
    return MailServer(
        given.scheme,
        given.hostname or "",
        port,
        user,
        password,
        settings.smtp_starttls,
        settings.mail_from,
        bounces,
        ssl.create_default_context(),
    )


def _refused(code: int, answer: bytes) -> DeliveryFailed:
    """Return what a refusal of the receiver means."""
    said = answer.decode("utf-8", "replace")
    reason = _shown(code, answer)
    if enhanced := _ENHANCED(said):
        # x.1.x: there is no such mailbox. x.2.1: it is switched off. All else can change: full, policy, load.
        kind = enhanced[1], enhanced[2], enhanced[3]
        gone = kind[0] == "5" and (kind[1] == "1" or kind[1:] == ("2", "1"))
        return ContactGone(reason) if gone else DeliveryFailed(reason)
    return ContactGone(reason) if code in _GONE else DeliveryFailed(reason)


def _shown(code: int, answer: bytes | str) -> str:
    text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
    return f"{code} {' '.join(text.split())}"[:_LONGEST_ANSWER]

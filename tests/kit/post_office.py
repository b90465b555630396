"""A mail server that takes what it is sent, in the test's own loop; aiosmtpd's controller cannot take a free port."""

import asyncio
import re
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session


class PostOffice:
    """What arrived, and what is refused.

    Attributes:
        port: Where it listens.
        mails: What arrived, oldest first.
        envelopes: The same, as it was handed over.
        refused: By mailbox, the answer to who wants to send there.
        answer: What it says to a whole mail; empty to take it.
        logins: Who logged in.
    """

    def __init__(self) -> None:
        self.port = 0
        self.mails: list[EmailMessage] = []
        self.envelopes: list[Envelope] = []
        self.refused: dict[str, str] = {}
        self.answer = ""
        self.logins: list[tuple[str, bool]] = []

    @property
    def address(self) -> str:
        """Its address, for the setting."""
        return f"smtp://127.0.0.1:{self.port}"

    async def handle_RCPT(  # noqa: N802 - aiosmtpd names it
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        del server, session, options
        if address in self.refused:
            return self.refused[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        del server, session
        if self.answer:
            return self.answer
        assert isinstance(envelope.content, bytes)
        self.mails.append(message_from_bytes(envelope.content, policy=default))
        self.envelopes.append(envelope)
        return "250 taken"

    def authenticate(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: object
    ) -> AuthResult:
        del server, envelope, mechanism
        assert isinstance(data, LoginPassword)
        self.logins.append((data.login.decode(), session.ssl is not None))
        return AuthResult(success=data.password == b"pass/word")


@asynccontextmanager
async def post_office(context: ssl.SSLContext | None = None) -> AsyncIterator[PostOffice]:
    """Run a mail server, which encrypts if it has a context."""
    office, loop = PostOffice(), asyncio.get_running_loop()

    def connection() -> SMTP:
        return SMTP(
            office,
            hostname="localhost",
            loop=loop,
            tls_context=context,
            authenticator=office.authenticate,
            auth_require_tls=False,
        )

    server = await loop.create_server(connection, "127.0.0.1", 0)
    office.port = server.sockets[0].getsockname()[1]
    try:
        yield office
    finally:
        server.close()


def text_of_mail(mail: EmailMessage, kind: str = "plain") -> str:
    """Return the text of a mail, or its HTML."""
    part = mail.get_body((kind,))
    assert part is not None
    return str(part.get_content())


def code_in(mail: EmailMessage) -> str:
    """Return the code in a mail."""
    found = re.search(r"^ +([0-9]{6})\r?$", text_of_mail(mail), re.MULTILINE)
    assert found
    return found[1]


def link_in(mail: EmailMessage, path: str) -> str:
    """Return the path of a link in a mail."""
    found = re.search(rf"https?://[^/\s]+({path}[A-Za-z0-9_-]+)", text_of_mail(mail))
    assert found
    return found[1]

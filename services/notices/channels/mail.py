"""Mail: messages to confirmed mailboxes, through the installation's mail server."""

from collections.abc import Awaitable, Callable

from services.notices.channels.letters import notice_letter
from services.notices.channels.mail_server import MailServer
from services.notices.messages import Message
from services.people.contacts import Contact


class Mail:
    """Sends messages by mail."""

    def __init__(
        self, server: MailServer, address: str, published: Callable[[int], Awaitable[bytes | None]]
    ) -> None:
        """Take the mail server, the address at which people reach the service, and what returns a list of heads."""
        self._server = server
        self._address = address.rstrip("/")
        self._published = published

    async def deliver(self, message: Message, contact: Contact) -> None:
        """Send a message to a mailbox.

        Raises:
            DeliveryFailed: It may not have arrived.
            ContactGone: There is no such mailbox.
        """
        lists = {
            item.published: await self._published(item.published) for item in message.items if item.published
        }
        letter = notice_letter(
            message,
            contact.address,
            self._server.sender,
            self._address,
            {number: content for number, content in lists.items() if content is not None},
        )
        await self._server.send(letter)

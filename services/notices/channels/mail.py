"""Mail: messages to confirmed mailboxes, through the installation's mail server."""

from services.notices.channels.letters import notice_letter
from services.notices.channels.mail_server import MailServer
from services.notices.messages import Message
from services.people.contacts import Contact


class Mail:
    """Sends messages by mail."""

    def __init__(self, server: MailServer, address: str) -> None:
        """Take the mail server, and the address at which people reach the service."""
        self._server = server
        self._address = address.rstrip("/")

    async def deliver(self, message: Message, contact: Contact) -> None:
        """Send a message to a mailbox.

        Raises:
            DeliveryFailed: It may not have arrived.
            ContactGone: There is no such mailbox.
        """
        await self._server.send(notice_letter(message, contact.address, self._server.sender, self._address))

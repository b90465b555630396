"""What a channel does: it hands a message over, or says whether trying again can help."""

from typing import Protocol

from domain.errors import TableeError
from services.notices.messages import Message
from services.people.contacts import Contact


class DeliveryFailed(TableeError):
    """A message was not handed over; it is tried again."""

    code = "notice.not_delivered"


class ContactGone(DeliveryFailed):
    """Nobody can be reached there any more: the contact is switched off, and the message is given up."""

    code = "notice.contact_gone"


class Courier(Protocol):
    """Delivers through one channel."""

    async def deliver(self, message: Message, contact: Contact) -> None:
        """Hand a message over, under its stable id.

        Raises:
            DeliveryFailed: It may not have arrived.
            ContactGone: It never will.
        """

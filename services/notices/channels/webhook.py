"""Webhooks: messages as posts to an address that a person gave, in the shape that its program takes, and signed."""

import hmac
from collections.abc import Callable
from typing import Final

import msgspec

from domain.instants import Instant, milliseconds_of
from services.notices.channels.posting import Poster
from services.notices.channels.shapes import SHAPES
from services.notices.messages import Message
from services.people.contacts import Contact

SHAPE: Final = "shape"
SECRET: Final = "secret"  # noqa: S105 - a name
"""Names among a contact's details: the shape of what is posted, and the secret that signs it."""


class Webhooks:
    """Posts messages."""

    def __init__(self, poster: Poster, now: Callable[[], Instant]) -> None:
        self._poster = poster
        self._now = now

    async def deliver(self, message: Message, contact: Contact) -> None:
        """Post a message.

        Raises:
            DeliveryFailed: It may not have arrived.
            ContactGone: It never will.
        """
        posted = SHAPES[contact.details.get(SHAPE, "json")](message, contact.address)
        content = msgspec.json.encode(posted.body)
        seconds = milliseconds_of(self._now()) // 1000
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "Tablee",
            "Tablee-Message": message.id,
            "Tablee-Signature": signature(contact.details.get(SECRET, ""), seconds, content),
        }
        await self._poster.post(posted.address, content, headers)


def signature(secret: str, seconds: int, content: bytes) -> str:
    """Return what proves that a post comes from this house, and when: ``t=1764500000,v1=3f…``.

    The second part is the HMAC-SHA-256 of the seconds, a full stop and the body, in hexadecimal.
    """
    digest = hmac.digest(secret.encode(), f"{seconds}.".encode() + content, "sha256").hex()
    return f"t={seconds},v1={digest}"

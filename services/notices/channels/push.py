"""Web Push: messages to browsers on which a person asked for them, shown by our own service worker."""

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import msgspec

from domain.instants import Instant, milliseconds_of
from services.notices.channels.contract import ContactGone
from services.notices.channels.posting import Poster
from services.notices.channels.shapes import text_of_message
from services.notices.messages import Message
from services.people.contacts import Contact
from services.words import reasons

if TYPE_CHECKING:
    from services.notices.channels.push_sealing import HouseKey

KEYS: Final = ("p256dh", "auth")
"""Names among a contact's details: the keys of the subscription."""

_SIGNED_SECONDS: Final = 12 * 3600
_KEPT_SECONDS: Final = 24 * 3600
"""How long a push service keeps what it cannot hand over; less if the deadline is nearer."""

_LONGEST_TEXT: Final = 600


class Push:
    """Pushes messages."""

    def __init__(
        self, poster: Poster, key: "Callable[[], HouseKey]", subject: str, now: Callable[[], Instant]
    ) -> None:
        """Take who posts, what makes the house's key when it is first needed, and where the operators are reached."""
        self._poster = poster
        self._key = key
        self._subject = subject
        self._now = now

    @property
    def public_key(self) -> str:
        """What browsers are told when they subscribe."""
        return self._key().public

    async def deliver(self, message: Message, contact: Contact) -> None:
        """Push a message to a device.

        Raises:
            DeliveryFailed: It may not have arrived.
            ContactGone: The device does not want it any more.
        """
        from services.notices.channels.push_sealing import DeviceKeys, encrypted

        keys = DeviceKeys(*(contact.details.get(name, "") for name in KEYS))
        try:
            content = encrypted(msgspec.json.encode(shown(message)), keys)
        except ValueError as error:
            raise ContactGone(reasons.NO_DEVICE.text) from error
        seconds, parts = milliseconds_of(self._now()) // 1000, urlsplit(contact.address)
        headers = {
            "Authorization": self._key().authorization(
                f"{parts.scheme}://{parts.netloc}", self._subject, seconds + _SIGNED_SECONDS
            ),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(self._lasts(message, seconds)),
            # What was not handed over yet about the same tables is replaced.
            "Topic": topic_of(message),
        }
        await self._poster.post(contact.address, content, headers)

    def _lasts(self, message: Message, seconds: int) -> int:
        ends = [
            milliseconds_of(item.until) // 1000 - seconds for item in message.items if item.until is not None
        ]
        return max(60, min([_KEPT_SECONDS, *ends]))


def shown(message: Message) -> dict[str, str]:
    """Return what the service worker shows."""
    return {
        "id": message.id,
        "title": message.subject,
        "text": text_of_message(message, with_address=False)[:_LONGEST_TEXT],
        "tag": topic_of(message),
        "address": message.items[0].address if len(message.items) == 1 else "/",
        "language": message.language,
    }


def topic_of(message: Message) -> str:
    """Return what is the same for messages of which the later one replaces the earlier."""
    matches = " ".join(sorted({item.match for item in message.items}))
    return hashlib.sha256(matches.encode()).hexdigest()[:32]

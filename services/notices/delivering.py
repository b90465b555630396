"""Delivering messages: at least once, under a stable id, with pauses that grow, and given up in the end."""

from collections.abc import Callable, Mapping
from typing import Final, Literal

import msgspec
import structlog

from domain.instants import EARLIEST, Instant, after
from services.errors import StoreUnavailable
from services.notices.channels.contract import ContactGone, Courier, DeliveryFailed
from services.notices.choices import Channel
from services.notices.messages import Delivery, Message
from services.notices.outbox import Claimed, Outbox
from services.people.contacts import Contact, Contacts
from services.words import reasons

PAUSES: Final = (30, 120, 600, 3600, 6 * 3600, 24 * 3600)
"""Seconds before the second attempt, the third and so on; after the last one a message is given up."""

_LONGEST_REASON: Final = 200

_log = structlog.get_logger(__name__)


class Deliverer:
    """Delivers messages by their ids. Methods may raise ``StoreUnavailable``; the message then comes again."""

    def __init__(
        self,
        outbox: Outbox,
        contacts: Contacts,
        couriers: Mapping[Channel, Courier],
        now: Callable[[], Instant],
    ) -> None:
        self._outbox = outbox
        self._contacts = contacts
        self._couriers = couriers
        self._now = now

    async def deliver(self, message_id: str) -> bool:
        """Make one attempt at a message, unless somebody else is at it or it has arrived; tell whether one was made."""
        claimed = await self._outbox.claim(message_id, self._now())
        if claimed is None:
            return False
        message = claimed.message
        courier = self._couriers.get(message.channel)
        reached = await self._outbox.reached(message_id)
        failures: list[DeliveryFailed] = []
        if courier is None:
            failures.append(ContactGone(reasons.NO_CHANNEL.text))
        for contact in await self._reachable(message):
            if courier is None or contact.number in reached:
                continue
            failure = await self._attempt(courier, message, contact)
            if failure is None:
                # An attempt that failed elsewhere tells nobody twice who has it already.
                await self._outbox.note_reached(message_id, contact.number)
                reached.add(contact.number)
            else:
                failures.append(failure)
        await self._settle(claimed, failures, reached=bool(reached))
        return True

    async def _reachable(self, message: Message) -> list[Contact]:
        if message.channel == "feed":
            return [Contact("feed", "", "", EARLIEST, confirmed=True)]
        contacts = await self._contacts.of(message.person)
        return [one for one in contacts if one.channel == message.channel and one.confirmed and not one.off]

    async def _attempt(self, courier: Courier, message: Message, contact: Contact) -> DeliveryFailed | None:
        try:
            await courier.deliver(message, contact)
        except ContactGone as gone:
            off = msgspec.structs.replace(contact, off=str(gone)[:_LONGEST_REASON])
            await self._contacts.keep(message.person, off)
            return gone
        except DeliveryFailed as failure:
            return failure
        except StoreUnavailable:
            raise
        except Exception as error:  # noqa: BLE001
            # A fault of ours must not try one message for ever without a word.
            _log.exception("notice_failed", message=message.id, channel=message.channel)
            return DeliveryFailed(type(error).__name__)
        return None

    async def _settle(self, claimed: Claimed, failures: list[DeliveryFailed], *, reached: bool) -> None:
        message, now = claimed.message, self._now()
        hopeful = [failure for failure in failures if not isinstance(failure, ContactGone)]
        again_at = None
        result: Literal["sent", "again", "dead"]
        if reached and not hopeful:
            result, reason = "sent", ""
        elif hopeful and claimed.attempt <= len(PAUSES):
            result, reason = "again", str(hopeful[0])
            again_at = after(now, PAUSES[claimed.attempt - 1])
        else:
            result, reason = "dead", str(failures[0]) if failures else reasons.NO_CONTACT.text
        _log.info(
            "notice", message=message.id, channel=message.channel, attempt=claimed.attempt, result=result
        )
        delivery = Delivery(
            message.id,
            message.person,
            message.channel,
            tuple(dict.fromkeys(item.kind for item in message.items)),
            tuple(dict.fromkeys(item.match for item in message.items if item.match)),
            now,
            claimed.attempt,
            result,
            reason[:_LONGEST_REASON],
        )
        await self._outbox.settle(claimed, delivery, again_at)

"""Through which channels somebody can be told."""

from services.notices.choices import CHANNELS, Channel
from services.people.contacts import Contacts


async def channels_of(contacts: Contacts, person: str) -> list[Channel]:
    """Return the channels that a person has: their feed always, others by a contact that works.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    given = await contacts.of(person)
    having = {contact.channel for contact in given if contact.confirmed and not contact.off}
    return [channel for channel in CHANNELS if channel == "feed" or channel in having]

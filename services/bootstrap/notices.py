"""What tells people, put together."""

from collections.abc import Mapping
from email.utils import parseaddr
from typing import TYPE_CHECKING

import msgspec

from services.audit.digest_format import names_of
from services.bootstrap import present_instant
from services.bootstrap.parts import Application
from services.bootstrap.people import PeopleParts
from services.notices.channels.contract import Courier
from services.notices.channels.feed import Feed
from services.notices.channels.mail import Mail
from services.notices.channels.mail_server import mail_server
from services.notices.channels.posting import Poster, allowed_of
from services.notices.channels.push import Push
from services.notices.channels.webhook import Webhooks
from services.notices.choices import Channel
from services.notices.club_channels import Receivers
from services.notices.composing import Composer
from services.notices.daily import Daily, PublishedHeads
from services.notices.days import Days
from services.notices.delivering import Deliverer
from services.notices.entering import Enterer
from services.notices.nudging import Nudging
from services.notices.outbox import Outbox
from services.notices.planning import Planner
from services.notices.reaching import Reaching
from services.notices.returning import Returning
from services.notices.sending import Sender
from services.process.settings import Settings

if TYPE_CHECKING:
    from services.notices.channels.push_sealing import HouseKey


class NoticeParts(msgspec.Struct, frozen=True):
    """What tells people.

    Attributes:
        outbox: What is planned, entered, on its way and delivered.
        planner: From the log to plans.
        daily: Plans what is told once a day.
        enterer: From plans to entries.
        sender: From entries to messages.
        deliverer: From messages to people.
    """

    outbox: Outbox
    planner: Planner
    daily: Daily
    enterer: Enterer
    sender: Sender
    deliverer: Deliverer


def notice_parts(parts: Application, settings: Settings) -> NoticeParts:
    """Put together what tells people about an open log's matches."""
    client, reader, now = parts.log_client, parts.reader, present_instant
    outbox, address = Outbox(client), address_of(settings)
    days, published = Days(parts.inbox, parts.memberships, parts.looks, now), published_heads(parts)
    receivers = Receivers(parts.persons, parts.clubs, parts.contacts)
    composer = Composer(parts.store, reader, parts.names, parts.contacts, days, published, address, now)
    return NoticeParts(
        outbox,
        Planner(client, parts.store, reader, parts.persons, parts.memberships, parts.contacts, outbox),
        Daily(client, parts.persons, parts.memberships, outbox, published, now),
        Enterer(reader, receivers, parts.memberships, parts.contacts, outbox, days, now),
        Sender(reader, receivers, outbox, days, composer, now),
        Deliverer(outbox, parts.contacts, couriers(parts, settings), now),
    )


def published_heads(parts: Application) -> PublishedHeads:
    """Return the lists of heads that people are told of."""

    async def latest() -> int:
        # Not by the archive's own list: that may be a request to a bucket, every few seconds.
        noted = await parts.closed.noted_digest()
        return 0 if noted is None else noted[0]

    return PublishedHeads(latest, parts.digests.whole, names_of)


def nudging(parts: Application) -> Nudging:
    """Return what nudges whom a table waits for."""
    outbox = Outbox(parts.log_client)
    return Nudging(outbox, parts.contacts, parts.memberships, parts.persons, present_instant)


def couriers(parts: Application, settings: Settings) -> Mapping[Channel, Courier]:
    """Return who delivers, by channel: of those that the settings allow."""
    found: dict[Channel, Courier] = {"feed": Feed(parts.log_client)}
    server = mail_server(settings)
    if server is not None:
        found["mail"] = Mail(server, address_of(settings), parts.digests.content)
    found["webhook"] = webhooks(settings)
    found["push"] = push(parts, settings)
    return found


def push(parts: PeopleParts, settings: Settings) -> Push:
    """Return what pushes to browsers."""
    public = settings.public_url or ""
    mailbox = parseaddr(settings.mail_from or "")[1]
    subject = f"mailto:{mailbox}" if mailbox or not public.startswith("https://") else public
    return Push(
        Poster(allowed_of(settings.webhook_allow)), lambda: _house_key(parts), subject, present_instant
    )


def _house_key(parts: PeopleParts) -> "HouseKey":
    # Loaded when somebody first is pushed to: few processes need it, and it is large.
    from services.notices.channels.push_sealing import HouseKey

    return HouseKey(parts.contacts.derived("push key")[:48])


def webhooks(settings: Settings) -> Webhooks:
    """Return what posts to addresses that people gave."""
    return Webhooks(Poster(allowed_of(settings.webhook_allow)), present_instant)


def reaching(parts: PeopleParts, settings: Settings) -> Reaching:
    """Return what takes contacts."""
    server = mail_server(settings)
    address = address_of(settings)
    posts, pushes = webhooks(settings), push(parts, settings)
    return Reaching(
        parts.contacts, parts.links, parts.persons, server, posts, pushes, address, present_instant
    )


def returning(parts: Application, settings: Settings) -> Returning:
    """Return what lets people back in by mail."""
    server, address = mail_server(settings), address_of(settings)
    return Returning(parts.contacts, parts.links, parts.persons, server, address, present_instant)


def address_of(settings: Settings) -> str:
    """Return the address at which people reach the service."""
    return settings.public_url or settings.api_url

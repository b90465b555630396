"""Everything that tells people, in memory, beside a house whose clock moves only when told to."""

from typing import Self

from fakeredis import FakeAsyncRedis

from services.audit.digest_format import names_of
from services.bootstrap.notices import NoticeParts
from services.jobs.errors import JobStoreUnavailable
from services.jobs.notices import NoticesQueue
from services.notices.channels.contract import Courier, DeliveryFailed
from services.notices.channels.feed import Feed
from services.notices.choices import Channel
from services.notices.club_channels import Receivers
from services.notices.composing import Composer
from services.notices.daily import Daily, PublishedHeads
from services.notices.days import Days
from services.notices.delivering import Deliverer
from services.notices.entering import Enterer
from services.notices.messages import Message
from services.notices.nudging import Nudging
from services.notices.outbox import Outbox
from services.notices.planning import Planner
from services.notices.sending import Sender
from services.people.clubs.clubs import Clubs
from services.people.contacts import Contact, Contacts
from services.people.identity import Holder
from services.people.looks import Looks
from services.people.memberships import Memberships
from services.people.persons import Person, Persons, Wish
from services.people.player_names import PlayerNames
from services.projections.inbox import InboxReader
from services.projections.keys import RowSet
from services.projections.list_reader import ListReader
from tests.kit.house import House
from workers.notices_loop import NoticesLoop

ADDRESS = "https://cards.example.org"


class FakeNoticesQueue(NoticesQueue):
    """Stands in for the queue of notices; workers take its jobs when a test says so."""

    def __init__(self) -> None:
        self.jobs: list[str] = []
        self.away = False

    def send(self, message_id: str) -> bool:
        """Queue an attempt, unless one is queued."""
        if self.away:
            raise JobStoreUnavailable("gone fishing")
        if message_id in self.jobs:
            return False
        self.jobs.append(message_id)
        return True


class NoRows(ListReader):
    """Rows that nobody has built yet: every table is read from its log."""

    def __init__(self) -> None:
        """Take nothing."""

    async def readable(self) -> RowSet | None:
        """Return that there are none."""
        return None


class FakeCourier:
    """Keeps what it is to deliver, and fails as often as a test says."""

    def __init__(self) -> None:
        self.delivered: list[Message] = []
        self.failing: list[Exception] = []

    async def deliver(self, message: Message, contact: Contact) -> None:
        """Keep a message, or fail."""
        del contact
        if self.failing:
            raise self.failing.pop(0)
        self.delivered.append(message)


def fail(reason: str = "no answer") -> DeliveryFailed:
    """Return a failure after which a message is tried again."""
    return DeliveryFailed(reason)


class Told:
    """The parts, and what they told."""

    def __init__(self, house: House, client: FakeAsyncRedis) -> None:
        self.house, self.client, self.now = house, client, house.clock
        self.persons, self.memberships = Persons(client), Memberships(client)
        self.contacts, self.names, self.outbox = (
            Contacts(b"s" * 32, client),
            PlayerNames(client),
            Outbox(client),
        )
        self.feed, self.courier, self.queue = Feed(client), FakeCourier(), FakeNoticesQueue()
        self.clubs = Clubs(client)
        self.looks, self.lists = Looks(client), list[bytes]()
        self.known: dict[str, Person] = {}
        self.loop = self.beside()
        self.nudging = Nudging(self.outbox, self.contacts, self.memberships, self.persons, self.now)

    def beside(self) -> NoticesLoop:
        """Return another loop on the same stores, as another process would run it."""
        store, reader, now = self.house.store, self.house.reader, self.now
        receivers = Receivers(self.persons, self.clubs, self.contacts)
        inbox = InboxReader(NoRows(), store, reader)
        days = Days(inbox, self.memberships, self.looks, now)
        published = PublishedHeads(self._latest, self._list, names_of)
        composer = Composer(store, reader, self.names, self.contacts, days, published, ADDRESS, now)
        mail: Courier = self.courier
        couriers: dict[Channel, Courier] = {"feed": self.feed, "mail": mail, "webhook": mail, "push": mail}
        self.deliverer = Deliverer(self.outbox, self.contacts, couriers, now)
        parts = NoticeParts(
            self.outbox,
            Planner(self.client, store, reader, self.persons, self.memberships, self.contacts, self.outbox),
            Daily(self.client, self.persons, self.memberships, self.outbox, published, now),
            Enterer(reader, receivers, self.memberships, self.contacts, self.outbox, days, now),
            Sender(reader, receivers, self.outbox, days, composer, now),
            self.deliverer,
        )
        return NoticesLoop(store, parts, self.queue, now)

    async def _latest(self) -> int:
        return len(self.lists)

    async def _list(self, number: int) -> bytes | None:
        return self.lists[number - 1] if number <= len(self.lists) else None

    async def person(self, name: str, *players: tuple[str, str], **preferences: str) -> Person:
        """Make somebody who holds seats, each a match and a player."""
        made = await self.persons.create(self.now(), name)
        for match, player in players:
            await self.memberships.collect(made.id, Holder(match, player, "seat"), self.now())
            await self.names.give(player, name)
        wish = Wish(time_zone="Europe/Paris", preferences=preferences)
        changed = await self.persons.change(made.id, wish)
        assert changed is not None
        self.known[name] = changed
        return changed

    async def reach(self, person: Person, channel: Channel) -> None:
        """Give a person a contact that works."""
        contact = Contact(channel, "1", "anna@example.org", self.now(), confirmed=True)
        await self.contacts.keep(person.id, contact)

    async def steps(self, seconds: float = 0, *, step: float = 5) -> Self:
        """Let time pass, with the loop and the workers at work."""
        end = self.now.seconds + seconds
        while True:
            await self.loop.step()
            await self.work()
            if self.now.seconds >= end:
                return self
            self.now.advance(min(step, end - self.now.seconds))

    async def work(self) -> int:
        """Let workers do all jobs that are queued; return how many attempts were made."""
        jobs, self.queue.jobs = self.queue.jobs, []
        return sum([await self.deliverer.deliver(message_id) for message_id in jobs])

    async def fed(self, person: Person) -> list[str]:
        """Return what a person's feed says, oldest first."""
        return [item.title for message in reversed(await self.feed.of(person.id)) for item in message.items]


async def two(told: Told, match: str = "m1", per_turn: int = 0) -> tuple[Person, Person]:
    """Return the two who play a match: who is asked first, then the other."""
    await told.house.begin("lama", 2, match=match, per_turn=per_turn)
    (first,) = await told.house.to_act(match)
    people = []
    for name, seat in (("Anna", first), ("Bert", 1 - first)):
        known = told.known.get(name)
        people.append(known or await told.person(name, (match, f"player-{seat}")))
        if known:
            await told.memberships.collect(known.id, Holder(match, f"player-{seat}", "seat"), told.now())
    return people[0], people[1]

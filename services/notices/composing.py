"""Writing messages in the receiver's language and time zone, from what lies open on the table.

Nothing that was ever sealed goes into a message, not even the receiver's own cards: mail servers, chats and lock
screens are not the receiver alone. History lines are those that a spectator reads.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from domain.instants import EARLIEST, Instant, instant_from_milliseconds
from domain.match.fold import Position
from domain.viewers import SPECTATOR
from services.log.event_store.contract import EventStore
from services.matches.former_holders import former_holders
from services.matches.history import joined, lines_of
from services.matches.reader import MatchReader
from services.matches.seat_names import seat_names
from services.notices.choices import Channel, zone_of
from services.notices.club_occasions import CLUB_KINDS, awaited_seats
from services.notices.daily import DAILY, PublishedHeads
from services.notices.days import Days
from services.notices.holding import Holds
from services.notices.messages import Item, Message
from services.notices.nudging import nudged_about
from services.notices.occasions import Kind, Name
from services.notices.outbox import Outgoing
from services.people.contacts import Contacts
from services.people.persons import Person
from services.people.player_names import PlayerNames
from services.projections.inbox import InboxTable
from services.projections.owed import What
from services.words.languages import SOURCE
from services.words.names import game_name
from services.words.notices import (
    deadline_words,
    heads_note,
    heads_title,
    news_words,
    round_words,
    several_words,
    subject_words,
    title_words,
)

LINES: Final = 4
"""How many of the last history lines a message tells."""

_EVENTS: Final = 40

MOST_IN_DIGEST: Final = 20
"""How many tables a digest tells of; the page of one's tables has all."""

_WAITING: Final = frozenset({"turn", "answer", "ready", "invited", "reminder", "nudge"})
"""Kinds by which somebody is waited for."""

_OWED: Final[Mapping[What, Kind]] = {"move": "turn", "answer": "answer", "ready": "ready", "start": "ready"}


class Composer:
    """Writes messages. Methods may raise ``StoreUnavailable``."""

    def __init__(
        self,
        store: EventStore,
        reader: MatchReader,
        names: PlayerNames,
        contacts: Contacts,
        days: Days,
        published: PublishedHeads,
        address: str,
        now: Callable[[], Instant],
    ) -> None:
        """Take what is told, and the address at which people reach the service."""
        self._store = store
        self._reader = reader
        self._names = names
        self._contacts = contacts
        self._days = days
        self._published = published
        self._address = address.rstrip("/")
        self._now = now

    async def compose(
        self, message_id: str, person: Person, channel: Channel, found: Sequence[tuple[Outgoing, Holds]]
    ) -> Message:
        """Write a message about entries that hold."""
        language = person.language or SOURCE
        items: list[Item] = []
        for entry, held in found:
            items += await self._items(person, language, entry.occasion, held)
        subject = _subject(items, language)
        stop = await self._stop(person, channel, items)
        return Message(message_id, person.id, channel, language, subject, tuple(items), self._now(), stop)

    async def _stop(self, person: Person, channel: Channel, items: Sequence[Item]) -> str:
        if any(item.kind in CLUB_KINDS for item in items):
            # Whoever reads a club's channel may not stop it for the others; its hosts may.
            return f"{self._address}/c/{person.id}/settings"
        return f"{self._address}/stop/{channel}/{await self._contacts.address(person.id, f'stop-{channel}')}"

    async def _items(self, person: Person, language: str, name: Name, held: Holds) -> Sequence[Item]:
        if name.kind == "digest":
            return await self._day(person, language, name)
        if name.kind == "heads":
            return [await self._heads(language, name)]
        if not name.match:
            return [
                Item("", name.kind, name.turn, title_words(name.kind, "", language), address=self._address)
            ]
        position = await self._reader.head(name.match)
        deadline = held.occasion.deadline
        until = None if deadline == EARLIEST else deadline
        item = await self._table(person, language, name, position, until, position.version - _EVENTS)
        return [item]

    async def _day(self, person: Person, language: str, name: Name) -> list[Item]:
        """Return what a digest tells: first the tables that wait."""
        day = await self._days.of(person.id)
        items = []
        for table in (*day.waiting, *day.moved)[:MOST_IN_DIGEST]:
            position = await self._reader.head(table.match)
            player = position.state.seats[table.seat].player if table.seat is not None else ""
            until = None if table.until is None else instant_from_milliseconds(table.until)
            since = max(table.seen or 0, position.version - _EVENTS)
            named = Name(table.match, player, "digest", name.turn)
            item = await self._table(person, language, named, position, until, since)
            title = title_words(_kind_of(table), _game_of(position, language), language)
            items.append(msgspec.structs.replace(item, title=title))
        return items

    async def _heads(self, language: str, name: Name) -> Item:
        number = int(name.turn)
        listed = await self._published.count(number)
        return Item(
            match="",
            kind="heads",
            turn=name.turn,
            title=heads_title(number, language),
            address=f"{self._address}/api/v1/digests/{number}",
            note=heads_note(listed, language),
            published=number,
        )

    async def _table(
        self,
        person: Person,
        language: str,
        name: Name,
        position: Position,
        until: Instant | None,
        since: int,
    ) -> Item:
        state = position.state
        called = await seat_names(self._names, state, language)
        others = [called[seat] for seat, one in enumerate(state.seats) if one.player != name.player]
        zone, now = zone_of(person), self._now()
        return Item(
            match=name.match,
            kind=name.kind,
            turn=name.turn,
            title=title_words(
                name.kind, _game_of(position, language), language, _who(name, position, called)
            ),
            people=", ".join(others),
            round=round_words(state, language),
            lines=await self._lines(position, called, language, max(0, since)),
            deadline="" if until is None else deadline_words(until, zone, now, language),
            until=until,
            address=f"{self._address}/m/{name.match}" + ("/sit" if name.kind == "invited" else ""),
        )

    async def _lines(
        self, position: Position, called: Sequence[str], language: str, after: int
    ) -> tuple[str, ...]:
        game = position.state.terms.game if position.state.terms is not None else ""
        entries = await self._store.read(position.match, after=after, last=position.version)
        former = await former_holders(self._reader, self._names, position, entries, language)
        told = lines_of(entries, SPECTATOR, game, called, language, former)
        lines = joined(told, game, called, language, None, former)
        return tuple(line.text for line in lines)[-LINES:]


def _subject(items: Sequence[Item], language: str) -> str:
    if len(items) == 1:
        return items[0].title
    kinds = {item.kind for item in items}
    if kinds <= _WAITING:
        return subject_words(len(items), language)
    if "digest" in kinds and kinds <= DAILY:
        return news_words(len({item.match for item in items if item.match}), language)
    return several_words(len(items), language)


def _kind_of(table: InboxTable) -> Kind:
    """Return what a digest says of a table."""
    if table.row.is_over:
        return "ended"
    return next((_OWED[one.what] for one in table.owed if one.what in _OWED), "digest")


def _game_of(position: Position, language: str) -> str:
    terms = position.state.terms
    return game_name("" if terms is None else terms.game, language)


def _who(name: Name, position: Position, called: Sequence[str]) -> str:
    """Return who nudges, in a nudge; who is to move, in what a club is told."""
    if name.kind == "awaited":
        return ", ".join(called[seat] for seat in awaited_seats(position, name.turn))
    if name.kind != "nudge":
        return ""
    _, seat = nudged_about(name)
    return called[seat] if seat < len(called) else ""

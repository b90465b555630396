"""Writing messages in the receiver's language and time zone, from what lies open on the table.

Nothing that was ever sealed goes into a message, not even the receiver's own cards: mail servers, chats and lock
screens are not the receiver alone. History lines are those that a spectator reads.
"""

from collections.abc import Callable, Sequence
from typing import Final

from domain.instants import EARLIEST, Instant
from domain.match.fold import Position
from domain.viewers import SPECTATOR
from services.log.event_store.contract import EventStore
from services.matches.history import joined, lines_of
from services.matches.reader import MatchReader
from services.matches.seat_names import seat_names
from services.notices.choices import Channel, zone_of
from services.notices.holding import Holds
from services.notices.messages import Item, Message
from services.notices.nudging import nudged_about
from services.notices.occasions import Name
from services.notices.outbox import Outgoing
from services.people.contacts import Contacts
from services.people.persons import Person
from services.people.player_names import PlayerNames
from services.words.languages import SOURCE
from services.words.names import game_name
from services.words.notices import deadline_words, round_words, subject_words, title_words

LINES: Final = 4
"""How many of the last history lines a message tells."""

_EVENTS: Final = 40


class Composer:
    """Writes messages. Methods may raise ``StoreUnavailable``."""

    def __init__(
        self,
        store: EventStore,
        reader: MatchReader,
        names: PlayerNames,
        contacts: Contacts,
        address: str,
        now: Callable[[], Instant],
    ) -> None:
        """Take what is told, and the address at which people reach the service."""
        self._store = store
        self._reader = reader
        self._names = names
        self._contacts = contacts
        self._address = address.rstrip("/")
        self._now = now

    async def compose(
        self, message_id: str, person: Person, channel: Channel, found: Sequence[tuple[Outgoing, Holds]]
    ) -> Message:
        """Write a message about entries that hold."""
        language = person.language or SOURCE
        items = tuple([await self._item(person, language, entry.occasion, held) for entry, held in found])
        stop = await self._contacts.address(person.id, f"stop-{channel}")
        subject = items[0].title if len(items) == 1 else subject_words(len(items), language)
        stop_address = f"{self._address}/stop/{channel}/{stop}"
        return Message(message_id, person.id, channel, language, subject, items, self._now(), stop_address)

    async def _item(self, person: Person, language: str, name: Name, held: Holds) -> Item:
        if not name.match:
            return Item("", name.kind, name.turn, title_words(name.kind, "", language), address=self._address)
        position = await self._reader.head(name.match)
        state = position.state
        game = state.terms.game if state.terms is not None else ""
        called = await seat_names(self._names, state, language)
        others = [called[seat] for seat, one in enumerate(state.seats) if one.player != name.player]
        deadline = held.occasion.deadline
        until = None if deadline == EARLIEST else deadline
        zone, now = zone_of(person), self._now()
        return Item(
            match=name.match,
            kind=name.kind,
            turn=name.turn,
            title=title_words(name.kind, game_name(game, language), language, _who(name, called)),
            people=", ".join(others),
            round=round_words(state, language),
            lines=await self._lines(position, game, called, language),
            deadline="" if until is None else deadline_words(until, zone, now, language),
            until=until,
            address=f"{self._address}/m/{name.match}" + ("/sit" if name.kind == "invited" else ""),
        )

    async def _lines(
        self, position: Position, game: str, called: Sequence[str], language: str
    ) -> tuple[str, ...]:
        after = max(0, position.version - _EVENTS)
        entries = await self._store.read(position.match, after=after, last=position.version)
        lines = joined(lines_of(entries, SPECTATOR, game, called, language), game, called, language, None)
        return tuple(line.text for line in lines)[-LINES:]


def _who(name: Name, called: Sequence[str]) -> str:
    """Return who nudges, in a nudge."""
    if name.kind != "nudge":
        return ""
    _, seat = nudged_about(name)
    return called[seat] if seat < len(called) else ""

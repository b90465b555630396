"""Nudging: somebody at a table reminds whom the table waits for, at most once a day for each of them."""

from collections.abc import Callable
from typing import Final, NamedTuple

from domain.errors import Refused
from domain.instants import Instant, after, seconds_between
from domain.match.fold import Position
from services.notices.choices import wants
from services.notices.occasions import Name, Occasion, standing
from services.notices.outbox import NUDGE_SECONDS, Outbox
from services.notices.planning import REMINDER_MARK
from services.notices.receivers import channels_of
from services.people.contacts import Contacts
from services.people.memberships import Memberships
from services.people.persons import Person, Persons

PATIENCE_SECONDS: Final = 3600
"""How long somebody has been waited for before they may be nudged: they were told a minute after it began."""

_NUDGED_ABOUT: Final = frozenset({"turn", "answer", "ready"})
_RULE: Final = "nudges"


class Nudged(NamedTuple):
    """Somebody whom a table waits for long enough.

    Attributes:
        seat: Their seat.
        at: When they were nudged last, less than a day ago; None if they may be.
    """

    seat: int
    at: Instant | None


class Nudging:
    """Nudges. Methods may raise ``StoreUnavailable``."""

    def __init__(
        self,
        outbox: Outbox,
        contacts: Contacts,
        memberships: Memberships,
        persons: Persons,
        now: Callable[[], Instant],
    ) -> None:
        self._outbox = outbox
        self._contacts = contacts
        self._memberships = memberships
        self._persons = persons
        self._now = now

    async def offered(self, position: Position, own: int) -> tuple[Nudged, ...]:
        """Return whom the holder of a seat may nudge, and whom somebody has nudged within a day."""
        now = self._now()
        awaited = [
            (seat, one.name.player)
            for seat in range(len(position.state.seats))
            if seat != own
            and (one := _awaited(position, seat)) is not None
            and seconds_between(one.since, now) >= PATIENCE_SECONDS
        ]
        if not awaited:
            return ()
        nudges = await self._outbox.nudges(position.match, now)
        found = []
        for seat, player in awaited:
            if player in nudges or await self._willing(player) is not None:
                found.append(Nudged(seat, nudges.get(player)))
        return tuple(found)

    async def nudge(self, position: Position, own: int, seat: int) -> None:
        """Nudge whoever holds a seat, for the holder of another.

        Raises:
            Refused: It is their own seat, a bot's, or nobody's; the table does not wait for it, or not for long; its
                person cannot be reached, wants no nudges, or was nudged within a day.
        """
        state, now = position.state, self._now()
        if seat == own:
            raise Refused("nudge.yourself", _RULE)
        if not 0 <= seat < len(state.seats) or not state.seats[seat].player:
            raise Refused("nudge.nobody", _RULE)
        if state.seats[seat].kind != "person" or state.seats[seat].played_by_bot:
            raise Refused("nudge.bot", _RULE)
        awaited = _awaited(position, seat)
        if awaited is None:
            raise Refused("nudge.not_awaited", _RULE)
        if seconds_between(awaited.since, now) < PATIENCE_SECONDS:
            raise Refused("nudge.too_early", _RULE, minutes=PATIENCE_SECONDS // 60)
        if await self._willing(awaited.name.player) is None:
            raise Refused("nudge.unwanted", _RULE)
        # Each nudge is an occasion of its own; it holds while what it is about does.
        turn = REMINDER_MARK.join((awaited.name.turn, str(own), now))
        before = await self._outbox.nudge(awaited.name._replace(kind="nudge", turn=turn), now)
        if before is not None:
            hours = max(1, -int(-seconds_between(now, after(before, NUDGE_SECONDS)) // 3600))
            raise Refused("nudge.already", _RULE, hours=hours)

    async def _willing(self, player: str) -> Person | None:
        """Return the person behind a player if a nudge can reach them."""
        (person,) = await self._memberships.persons_of([player])
        known = await self._persons.of(person) if person else None
        if known is None:
            return None
        channels = await channels_of(self._contacts, known.id)
        return known if any(wants(known, "nudge", channel) for channel in channels) else None


def _awaited(position: Position, seat: int) -> Occasion | None:
    """Return what a table waits for from a seat, the longest wait first."""
    player = position.state.seats[seat].player
    waits = [
        one
        for one in standing(position)
        if one.name.player == player and one.name.kind in _NUDGED_ABOUT and player
    ]
    return min(waits, key=lambda one: one.since, default=None)


def nudged_about(name: Name) -> tuple[str, int]:
    """Return which turn a nudge is about, and the seat that nudged."""
    turn, seat, _ = name.turn.split(REMINDER_MARK)
    return turn, int(seat)

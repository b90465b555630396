"""From the outbox to messages: several tables in one, to one person through one channel."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

import structlog

from domain.instants import Instant, after
from services.errors import StoreUnavailable
from services.matches.reader import MatchReader
from services.notices.choices import Channel, not_before
from services.notices.club_channels import Receivers
from services.notices.composing import Composer
from services.notices.daily import DAILY
from services.notices.days import Days
from services.notices.holding import Holds, holds
from services.notices.outbox import Outbox, Outgoing, entry_field

BATCH: Final = 500

PAUSE_AFTER_FAULT_SECONDS: Final = 3600

GAP_SECONDS: Final[Mapping[Channel, int]] = {"feed": 0, "mail": 600, "webhook": 60, "push": 60}
"""Seconds between two messages to one person through a channel: what comes meanwhile waits, and goes in one."""

_log = structlog.get_logger(__name__)


class Sender:
    """Makes messages of entries. Methods may raise ``StoreUnavailable``."""

    def __init__(
        self,
        reader: MatchReader,
        receivers: Receivers,
        outbox: Outbox,
        days: Days,
        composer: Composer,
        now: Callable[[], Instant],
    ) -> None:
        self._reader = reader
        self._receivers = receivers
        self._outbox = outbox
        self._days = days
        self._composer = composer
        self._now = now

    async def step(self) -> int:
        """Make messages of what may go out now; return how many there were."""
        outgoing = await self._outbox.outgoing(self._now(), BATCH)
        by_receiver = sorted(outgoing, key=_receiver)
        sent = [await self._try(list(group)) for _, group in groupby(by_receiver, key=_receiver)]
        return sum(sent)

    async def _try(self, entries: Sequence[Outgoing]) -> bool:
        try:
            return await self._send(entries)
        except StoreUnavailable:
            raise
        except Exception:  # noqa: BLE001
            # One match that cannot be read must not keep everybody else from being told.
            _log.exception("message_not_written", channel=entries[0].channel)
            await self._outbox.put_off(entries, after(self._now(), PAUSE_AFTER_FAULT_SECONDS))
            return False

    async def _send(self, entries: Sequence[Outgoing]) -> bool:
        person = await self._receivers.of(entries[0].person)
        if person is None:
            await self._outbox.withdraw(entries)
            return False
        channel, now = entries[0].channel, self._now()
        last = await self._outbox.last_sent(person.id, channel)
        earliest = max(
            (not_before(person, entry.occasion.kind, channel, now) for entry in entries), default=now
        )
        if last is not None and not any(entry.occasion.kind == "test" for entry in entries):
            earliest = max(earliest, after(last, GAP_SECONDS[channel]))
        if earliest > now:
            await self._outbox.put_off(entries, earliest)
            return False
        found = await self._holding(entries)
        if not found:
            return False
        told = [entry for entry, _ in found]
        message = await self._composer.compose(message_id(told), person, channel, found)
        return await self._outbox.take(message, told, now)

    async def _holding(self, entries: Iterable[Outgoing]) -> list[tuple[Outgoing, Holds]]:
        """Return the entries that still hold; those that do not are taken back."""
        found, passed = [], []
        for entry in entries:
            held = await holds(self._reader, self._days, entry.occasion)
            if held is None:
                passed.append(entry)
            else:
                found.append((entry, held))
        await self._outbox.withdraw(passed)
        return found


def message_id(entries: Iterable[Outgoing]) -> str:
    """Return the id of the message that tells some entries: the same for the same ones."""
    fields = sorted(f"{one.occasion.match} {entry_field(one.occasion, one.channel)}" for one in entries)
    return hashlib.sha256("\n".join(fields).encode()).hexdigest()[:32]


def _receiver(entry: Outgoing) -> tuple[str, Channel, bool]:
    """Return what entries of one message have in common. What is told once a day stays apart from what waits."""
    return entry.person, entry.channel, entry.occasion.kind in DAILY

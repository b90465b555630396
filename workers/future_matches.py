"""Matches whose log is ahead of the clock, which was set back, or had been wrong: their time runs on all the same.

A log's instants never run back, so that a turn of ten seconds would last until the clock is there again. Such a match
gets a time of its own: the instant of its last event, and what has elapsed since this process first saw that event.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

import structlog

from domain.entries import decode_envelope
from domain.errors import BrokenLog
from domain.instants import Instant, milliseconds_of
from services.log.event_store.checks import GREATEST_NUMBER
from services.log.event_store.contract import EventStore
from workers.clock_watch import elapsed_seconds
from workers.held_due import HeldDue

_AHEAD_MILLISECONDS: Final = 2_000
"""By how much clocks of machines may differ without a word."""

_ALL: Final = 1_000_000

_log = structlog.get_logger(__name__)


class _Seen(NamedTuple):
    """A match as it was first seen with its present last event.

    Attributes:
        due: Its due instant, in milliseconds.
        version: The version of its last event.
        last: The instant of that event, in milliseconds.
        elapsed: What had elapsed then, in milliseconds.
    """

    due: int
    version: int
    last: int
    elapsed: int


def is_ahead(last: Instant, now: Instant) -> bool:
    """Tell whether an event's instant is ahead of the clock by more than clocks may differ."""
    return milliseconds_of(last) > milliseconds_of(now) + _AHEAD_MILLISECONDS


class FutureMatches:
    """Looks at all that is to come when a process starts.

    Also from a clock that is set back, or a match that is noticed to be ahead, until all is well.
    """

    def __init__(
        self,
        store: EventStore,
        now: Callable[[], Instant],
        elapsed: Callable[[], float] = elapsed_seconds,
        due: HeldDue | None = None,
    ) -> None:
        self._store: Final = store
        self._due: Final = due or HeldDue(store)
        self._now: Final = now
        self._elapsed: Final = elapsed
        self._seen: dict[str, _Seen] = {}
        self._looking = True
        self._told = False
        self._offset: int | None = None

    async def due(self) -> list[str]:
        """Return the matches that are due by their own time, and not yet by the clock.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        now, elapsed = milliseconds_of(self._now()), round(self._elapsed() * 1000)
        offset = now - elapsed
        if self._offset is not None and offset < self._offset - _AHEAD_MILLISECONDS:
            self._looking = True
        self._offset = offset
        if not self._looking:
            return []
        seen: dict[str, _Seen] = {}
        for match, due in await self._due.due(GREATEST_NUMBER, _ALL):
            if due <= now + _AHEAD_MILLISECONDS:
                # What the log says is due soon, so that its last event is no further ahead.
                continue
            known = self._seen.get(match)
            if known is None or known.due != due:
                version, last = await self._last_event(match)
                since = known.elapsed if known is not None and known.version == version else elapsed
                known = _Seen(due, version, last, since)
            seen[match] = known
        self._seen = seen
        future = [match for match, one in seen.items() if one.last > now + _AHEAD_MILLISECONDS]
        self._tell(future)
        self._looking = bool(future)
        if not future:
            self._seen = {}
        return [
            match
            for match in future
            if now < seen[match].due <= seen[match].last + elapsed - seen[match].elapsed
        ]

    def notice(self, last: Instant) -> None:
        """Look from now on at what is to come, if a match's last event, at this instant, is ahead of the clock.

        Then another process's clock is wrong, or was.
        """
        if is_ahead(last, self._now()):
            self._looking = True

    def ahead(self, match: str) -> int:
        """Return by how many milliseconds a match's own time is ahead of the clock; 0 for most matches."""
        seen = self._seen.get(match)
        if seen is None:
            return 0
        own = seen.last + round(self._elapsed() * 1000) - seen.elapsed
        return max(0, own - milliseconds_of(self._now()))

    async def _last_event(self, match: str) -> tuple[int, int]:
        """Return the version and the instant of a match's last event; zeros if it cannot be read."""
        try:
            meta = await self._store.meta(match)
            entries = await self._store.read(match, after=meta.version - 1) if meta and meta.version else []
            return (
                (entries[-1].version, milliseconds_of(decode_envelope(entries[-1].e).at))
                if entries
                else (0, 0)
            )
        except (BrokenLog, ValueError):
            # Whoever visits it finds out what is wrong.
            return 0, 0

    def _tell(self, future: list[str]) -> None:
        if future and not self._told:
            _log.error(
                "matches_ahead_of_the_clock", matches=len(future), first=future[0], remedy="tablee doctor"
            )
        elif self._told and not future:
            _log.info("no_match_is_ahead_of_the_clock_any_more")
        self._told = bool(future)

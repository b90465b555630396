"""Finding events of a match, and turning the pages of what was found."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import msgspec

from domain.entries import StoredEntry
from domain.errors import Malformed
from domain.instants import Instant, instant_of
from services.watch.inspection.rows import EventRow, row_of

_YEARS: Final = range(1970, 9999)


class Search(msgspec.Struct, frozen=True):
    """What is looked for; what is empty fits everything.

    Attributes:
        type: The event's type, in capitals or not.
        actor: A part of who acted.
        command: A part of the command's id, or of the correlation id.
        since: Not before this instant.
        until: Not behind this instant.
    """

    type: str = ""
    actor: str = ""
    command: str = ""
    since: Instant = Instant("")
    until: Instant = Instant("")

    @property
    def is_empty(self) -> bool:
        """Whether it fits everything."""
        return self == Search()

    def fits(self, row: EventRow) -> bool:
        """Tell whether an event is what is looked for."""
        return (
            (not self.type or self.type.casefold() == row.type.casefold())
            and self.actor.casefold() in row.actor.casefold()
            and (self.command in row.command or self.command in row.trace)
            and (not self.since or row.at >= self.since)
            and (not self.until or (bool(row.at) and row.at <= self.until))
        )


class EventPage(msgspec.Struct, frozen=True):
    """One page of the events of a match.

    Attributes:
        rows: Its events in their order.
        earlier: The version in front of which earlier ones are to be found; None when there are none.
        later: The version from which on later ones are to be found; None when there are none.
    """

    rows: tuple[EventRow, ...]
    earlier: int | None = None
    later: int | None = None


def page_from(entries: Sequence[StoredEntry], search: Search, first: int, count: int) -> EventPage:
    """Return the page that begins with a version, or the next one behind it that fits."""
    found = _rows(entries, search, range(max(first, 1) - 1, len(entries)), count + 1)
    page = found[:count]
    begin = page[0].version if page else len(entries) + 1
    before = _rows(entries, search, range(begin - 2, -1, -1), 1)
    return EventPage(
        tuple(page),
        page[0].version if before and page else None,
        found[count].version if found[count:] else None,
    )


def page_before(entries: Sequence[StoredEntry], search: Search, end: int, count: int) -> EventPage:
    """Return the page of the last events in front of a version; see :func:`page_from`."""
    found = _rows(entries, search, range(min(end - 1, len(entries)) - 1, -1, -1), count + 1)
    page = found[:count][::-1]
    behind = _rows(entries, search, range(page[-1].version if page else len(entries), len(entries)), 1)
    return EventPage(
        tuple(page), page[0].version if found[count:] else None, behind[0].version if behind else None
    )


def _rows(entries: Sequence[StoredEntry], search: Search, places: range, count: int) -> list[EventRow]:
    found: list[EventRow] = []
    for place in places:
        row = row_of(entries[place])
        if not search.fits(row):
            continue
        found.append(row_of(entries[place], row_of(entries[place - 1]).at) if place else row)
        if len(found) == count:
            break
    return found


def instant_said(text: str, *, end: bool = False) -> Instant:
    """Return the instant that somebody has written: a day, or a day and a time, UTC unless it says otherwise.

    Args:
        text: Such as ``2026-11-29``, ``2026-11-29T19:46``, ``2026-11-29 20:46:23+01:00``. Empty for none.
        end: Take the end of what is written, where that is a day, a minute or a second.

    Raises:
        Malformed: It is none.
    """
    said = text.strip()
    if not said:
        return Instant("")
    try:
        instant = instant_of(_moment_of(said))
    except (ValueError, OverflowError):
        raise Malformed(
            "instant.malformed", "A time is written as 2026-11-29 or 2026-11-29T19:46, in UTC."
        ) from None
    return _end_of(instant, said) if end else instant


def _moment_of(said: str) -> datetime:
    moment = datetime.fromisoformat(said)
    if moment.year not in _YEARS:
        raise ValueError(said)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _end_of(instant: Instant, said: str) -> Instant:
    written = len(said.partition("+")[0].removesuffix("Z"))
    if written <= len("2026-11-29"):
        return Instant(f"{instant[:10]}T23:59:59.999Z")
    if written <= len("2026-11-29T19:46"):
        return Instant(f"{instant[:16]}:59.999Z")
    return Instant(f"{instant[:19]}.999Z") if "." not in said else instant

"""A person's inbox: which of their tables wait for them, and how the others stand.

It always equals the log, however late the rows are: each row that may still change is compared with the log's version,
and read from the log itself if it is behind. Tables that are over never change, so that hundreds of them cost a look
at two indexes, and a page of rows.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

import msgspec

from domain.entries import decode_envelope
from domain.errors import BrokenLog
from domain.instants import Instant
from services.errors import MatchClosed, NoSuchMatch
from services.log.event_store.contract import EventStore
from services.matches.reader import MatchReader
from services.people.memberships import Held, Membership
from services.projections.keys import RowSet
from services.projections.list_positions import ListPosition
from services.projections.list_reader import ListReader
from services.projections.matches import KeptRow, read_row, row_of
from services.projections.owed import HOST, Owed

MOST_FOLDED: Final = 200
"""How many tables without a row are read from the log at once; there are so many only while rows are first built."""

_PIECE: Final = 200


class InboxTable(msgspec.Struct, frozen=True):
    """One of a person's tables.

    Attributes:
        match: The match's id.
        row: How it stands.
        seat: The person's seat; None if they are only its host.
        is_host: Whether they are its host.
        seen: The version at which they looked last; None if they never did, or have seen the end.
    """

    match: str
    row: KeptRow
    seat: int | None
    is_host: bool
    seen: int | None = None

    @property
    def owed(self) -> tuple[Owed, ...]:
        """What waits for this person."""
        return tuple(
            one for one in self.row.owed if one.seat == self.seat or (one.seat == HOST and self.is_host)
        )

    @property
    def until(self) -> int | None:
        """When the first of what they owe is due, in milliseconds; None for no limit."""
        return min((one.until for one in self.owed if one.until is not None), default=None)

    @property
    def has_moved(self) -> bool:
        """Whether something happened since they looked. Nobody is told of an end that they never waited for."""
        seen = self.seen if self.seen is not None or self.row.is_over else 0
        return seen is not None and self.row.version > seen


class Inbox(msgspec.Struct, frozen=True):
    """A person's tables, each in one of four places.

    Attributes:
        turns: Those that wait for the person, the first due first; those without a limit by how long they have waited.
        moved: Those in which something happened since they looked, the newest change first.
        waiting: Those that wait for others, the newest change first.
        finished: Where those that are over stand in the lists, the newest first. Some may be no table of theirs any
            more: they stood up before the start.
    """

    turns: tuple[InboxTable, ...] = ()
    moved: tuple[InboxTable, ...] = ()
    waiting: tuple[InboxTable, ...] = ()
    finished: tuple[ListPosition, ...] = ()


class Finished(msgspec.Struct, frozen=True):
    """A page of tables that are over.

    Attributes:
        tables: The tables, the newest first.
        next: The position after which the next page begins; None on the last.
    """

    tables: tuple[InboxTable, ...]
    next: ListPosition | None


Parts = Mapping[str, Held]
"""Who somebody is, by match."""

Wanted = Callable[[Sequence[InboxTable]], Awaitable[Sequence[InboxTable]]]
"""Returns those of some tables that are wanted."""


def parts_of(memberships: Sequence[Membership]) -> Parts:
    """Return who somebody is at each of their tables, the newest first. Pure."""
    found: dict[str, Held] = {}
    for membership in memberships:
        holder = membership.holder
        before = found.get(holder.match, Held())
        is_seat = holder.role == "seat"
        found[holder.match] = Held(
            holder.player if is_seat else before.seat, before.host if is_seat else holder.player
        )
    return found


class InboxReader:
    """Reads inboxes. Every method may raise ``StoreUnavailable``."""

    def __init__(self, rows: ListReader, store: EventStore, reader: MatchReader) -> None:
        self._rows: Final = rows
        self._store: Final = store
        self._reader: Final = reader

    async def inbox(self, parts: Parts, seen: Mapping[str, int]) -> Inbox:
        """Return somebody's inbox.

        Args:
            parts: Who they are at their tables, the newest first.
            seen: The version at which they looked last, by match.
        """
        if not parts:
            return Inbox()
        rows = await self._rows.readable()
        places = {} if rows is None else await self._rows.places(rows, tuple(parts))
        # What is over and was seen needs no row yet.
        asked = [match for match in parts if match not in places or places[match].is_open or match in seen]
        found = await self._present(rows, asked)
        over = [
            place.position for match, place in places.items() if match not in found and match not in asked
        ]
        tables: list[InboxTable] = []
        for match, row in found.items():
            table = table_in(match, row, parts[match], seen.get(match))
            if row.is_over and not (table and table.has_moved):
                over.append(ListPosition(row.changed_at, match))
            elif table is not None:
                tables.append(table)
        return _sorted(tables, over)

    async def finished(
        self,
        parts: Parts,
        inbox: Inbox,
        after: ListPosition | None,
        count: int,
        wanted: Wanted | None = None,
    ) -> Finished:
        """Return the next tables that are over, and wanted, after a position; None begins with the first."""
        rows = await self._rows.readable()
        behind = [one for one in inbox.finished if after is None or one < after]
        found: list[InboxTable] = []
        size = count + 1 if wanted is None else _PIECE
        for start in range(0, len(behind), size):
            piece = [one.match for one in behind[start : start + size]]
            some = await self._over(rows, parts, piece)
            found += some if wanted is None else await wanted(some)
            if len(found) > count:
                last = found[count - 1]
                return Finished(tuple(found[:count]), ListPosition(last.row.changed_at, last.match))
        return Finished(tuple(found), None)

    async def _over(self, rows: RowSet | None, parts: Parts, matches: Sequence[str]) -> list[InboxTable]:
        found = {} if rows is None else await self._rows.rows(rows, matches)
        # A row that says that its match is over is right for ever.
        known = {match: row for match, row in found.items() if row.is_over}
        known |= await self._from_logs([match for match in matches if match not in known], found)
        tables = (table_in(match, known[match], parts[match], None) for match in matches if match in known)
        return [table for table in tables if table is not None]

    async def _present(self, rows: RowSet | None, matches: Sequence[str]) -> dict[str, KeptRow]:
        """Return rows as the log stands now; without those that cannot be read."""
        known = {} if rows is None else await self._rows.rows(rows, matches)
        versions = dict(zip(matches, await self._store.versions(matches), strict=True))
        late = [match for match in matches if match not in known or known[match].version != versions[match]]
        present = {match: row for match, row in known.items() if row.version == versions[match]}
        return present | await self._from_logs(late[:MOST_FOLDED], known)

    async def _from_logs(self, matches: Sequence[str], known: Mapping[str, KeptRow]) -> dict[str, KeptRow]:
        """Return rows read from the logs; without those that cannot be: one must not take the others from the page."""
        rows = await asyncio.gather(*(self._from_log(match, known.get(match)) for match in matches))
        return {match: row for match, row in zip(matches, rows, strict=True) if row is not None}

    async def _from_log(self, match: str, row: KeptRow | None) -> KeptRow | None:
        try:
            position = await self._reader.head(match)
            made_at = row.made_at if row is not None else await self._made_at(match)
        except (BrokenLog, NoSuchMatch, MatchClosed):
            return None
        return read_row(row_of(position, made_at))

    async def _made_at(self, match: str) -> Instant:
        return decode_envelope((await self._store.read(match, last=1))[0].e).at


def table_in(match: str, row: KeptRow, held: Held, seen: int | None = None) -> InboxTable | None:
    """Return a table as one of somebody's; None if it is no longer."""
    seat = row.seats.index(held.seat) if held.seat in row.seats else None
    if seat is None and not held.host:
        return None
    return InboxTable(match, row, seat, bool(held.host), seen)


def _sorted(tables: Sequence[InboxTable], over: Sequence[ListPosition]) -> Inbox:
    turns = sorted(
        (table for table in tables if table.owed),
        key=lambda table: (table.until is None, table.until or table.row.changed_at, table.match),
    )
    rest = sorted(
        (table for table in tables if not table.owed),
        key=lambda table: (-table.row.changed_at, table.match),
    )
    return Inbox(
        tuple(turns),
        tuple(table for table in rest if table.has_moved),
        tuple(table for table in rest if not table.has_moved),
        tuple(sorted(over, reverse=True)),
    )

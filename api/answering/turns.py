"""Tables as their people list them: who plays, how it stands, what happened last, and what waits for whom."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from domain.errors import BrokenLog
from domain.instants import Instant, instant_from_milliseconds
from domain.viewers import Viewer
from services.bootstrap.parts import Application
from services.matches.history import joined, lines_of
from services.matches.seat_names import called
from services.projections.inbox import InboxTable
from services.projections.matches import STATES, KeptRow, RowPlayer, State, players_of
from services.projections.owed import HOST, What

LINES_READ: Final = 8
"""Among how many of the last events the last line is looked for: nearly every event says something."""


class ListedPlayer(RowPlayer, frozen=True):
    """A seat of one of your tables.

    Attributes:
        name: How its holder wants to be called; else what stands for a name, in your language.
    """

    name: str = ""


class Awaited(msgspec.Struct, frozen=True):
    """Something that waits for you.

    Attributes:
        what: What is to be done: make a `move`, `answer` a request, get `ready`, or `start` the match as its host.
        until: Until when; null for no limit.
    """

    what: What
    until: Instant | None


class ListedTable(msgspec.Struct, frozen=True):
    """One of your tables.

    Attributes:
        match: Its id.
        game: The game's key.
        rules: The rules number.
        state: How far the match is.
        version: The number of its events.
        seen: The version at which you looked last; null if you never did, or have seen the end.
        seat: Your seat; null if you are only the host.
        host: Whether you are the host.
        awaited: What waits for you.
        until: Until when the first of it is due; null for no limit.
        asked: The seats that owe a move.
        owing: The seats that the table waits for, for whatever reason; null stands for the host.
        round: The round, from 1; null before the first.
        players: The seats in their order around the table.
        totals: Points by seat so far; empty before the start.
        ranking: Once finished: seats from first place to last, those that share a place in one group.
        last: What happened last, in your language, as your seat may know it; empty once the match is over.
        changed_at: When that was.
    """

    match: str
    game: str
    rules: int
    state: State
    version: int
    seen: int | None
    seat: int | None
    host: bool
    awaited: tuple[Awaited, ...]
    until: Instant | None
    asked: tuple[int, ...]
    owing: tuple[int | None, ...]
    round: int | None
    players: tuple[ListedPlayer, ...]
    totals: tuple[int, ...]
    ranking: tuple[tuple[int, ...], ...]
    last: str
    changed_at: Instant

    @property
    def names(self) -> tuple[str, ...]:
        """How the seats are called."""
        return tuple(player.name for player in self.players)


async def listed(application: Application, tables: Sequence[InboxTable], language: str) -> list[ListedTable]:
    """Return tables as their person reads them.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    names = await names_at(application, tables, language)
    last = await asyncio.gather(
        *(_last_line(application, table, names[table.match], language) for table in tables)
    )
    return [_listed(table, names[table.match], line) for table, line in zip(tables, last, strict=True)]


async def names_at(
    application: Application, tables: Sequence[InboxTable], language: str
) -> Mapping[str, tuple[str, ...]]:
    """Return how the seats of tables are called, by match, with one question to the store."""
    people = [held for table in tables for held in table.row.seats if isinstance(held, str)]
    given = dict(zip(people, await application.names.of(people), strict=True))
    found = {}
    for table in tables:
        players = players_of(table.row)
        kinds = ["open" if player.kind == "empty" else player.kind for player in players]
        names = [given.get(player.player, "") for player in players]
        found[table.match] = called(kinds, names, language)
    return found


async def _last_line(application: Application, table: InboxTable, names: Sequence[str], language: str) -> str:
    row = table.row
    if row.is_over:  # the ranking says it, and its log may lie in the archive
        return ""
    try:
        entries = await application.store.read(
            table.match, after=max(0, row.version - LINES_READ), last=row.version
        )
    except BrokenLog:
        return ""
    lines = lines_of(entries, Viewer(table.seat), row.game, names, language)
    told = list(joined(lines, row.game, names, language, table.seat))
    return told[-1].text if told else ""


def _listed(table: InboxTable, names: Sequence[str], last: str) -> ListedTable:
    row = table.row
    return ListedTable(
        match=table.match,
        game=row.game,
        rules=row.rules,
        state=STATES[row.state],
        version=row.version,
        seen=table.seen,
        seat=table.seat,
        host=table.is_host,
        awaited=tuple(Awaited(one.what, _instant(one.until)) for one in table.owed),
        until=_instant(table.until),
        asked=row.asked,
        owing=_owing(row),
        round=row.round or None,
        players=tuple(
            ListedPlayer(player.seat, player.kind, player.player, name)
            for player, name in zip(players_of(row), names, strict=True)
        ),
        totals=row.totals,
        ranking=row.ranking,
        last=last,
        changed_at=instant_from_milliseconds(row.changed_at),
    )


def _owing(row: KeptRow) -> tuple[int | None, ...]:
    people = (None if one.seat == HOST else one.seat for one in row.owed)
    return tuple(dict.fromkeys((*people, *row.asked)))


def _instant(milliseconds: int | None) -> Instant | None:
    return None if milliseconds is None else instant_from_milliseconds(milliseconds)

"""What somebody has played, as they read it."""

from collections.abc import Mapping, Sequence

import msgspec

from api.answering.moments import ShownMoment, shown_moment
from api.answering.turns import ListedPlayer, names_at
from domain.games.moments import Moment
from domain.instants import Instant, instant_from_milliseconds
from services.bootstrap.parts import Application
from services.projections.inbox import InboxTable
from services.projections.matches import players_of
from services.projections.played import Outcome, outcome_of


class PlayedMatch(msgspec.Struct, frozen=True):
    """A match that you have played.

    Attributes:
        match: Its id.
        game: The game's key.
        result: How it ended for you: you `won` alone, `shared` the first place, `lost`, it was left `unfinished`, or
            you only `hosted` it.
        place: Your place, from 1; null without a ranking or a seat.
        seat: Your seat; null if you were only the host.
        players: The seats in their order around the table.
        totals: Points by seat.
        ranking: Seats from first place to last, those that share a place in one group.
        rounds: How many rounds it had.
        version: The number of its events.
        began: When the table was made.
        ended: When its last event was accepted.
        seconds: How long that took.
        moments: The moments that you asked for.
    """

    match: str
    game: str
    result: Outcome
    place: int | None
    seat: int | None
    players: tuple[ListedPlayer, ...]
    totals: tuple[int, ...]
    ranking: tuple[tuple[int, ...], ...]
    rounds: int
    version: int
    began: Instant
    ended: Instant
    seconds: int
    moments: tuple[ShownMoment, ...]


async def played_matches(
    application: Application,
    tables: Sequence[InboxTable],
    moments: Mapping[str, Sequence[Moment]],
    language: str,
) -> list[PlayedMatch]:
    """Return tables as their person reads them.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    names = await names_at(application, tables, language)
    return [_shown(table, names[table.match], moments.get(table.match, ()), language) for table in tables]


def _shown(table: InboxTable, names: Sequence[str], moments: Sequence[Moment], language: str) -> PlayedMatch:
    row = table.row
    return PlayedMatch(
        table.match,
        row.game,
        outcome_of(table),
        _place(table),
        table.seat,
        tuple(
            ListedPlayer(player.seat, player.kind, player.player, name)
            for player, name in zip(players_of(row), names, strict=True)
        ),
        row.totals,
        row.ranking,
        row.round,
        row.version,
        row.made_at,
        instant_from_milliseconds(row.changed_at),
        row.lasted // 1000,
        tuple(shown_moment(one, row.game, names, language, table.seat) for one in moments),
    )


def _place(table: InboxTable) -> int | None:
    better = 0
    for group in table.row.ranking:
        if table.seat in group:
            return better + 1
        better += len(group)
    return None

"""Going through the matches that an operator looks for, a page at a time: there may be any number of them."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from msgspec.structs import replace

from api.command_line.opening import LogAddress, work_on
from api.command_line.output import number_of, tell
from domain.match.state import OVER
from services.bootstrap import present_instant
from services.bootstrap.log_parts import LogParts
from services.people.player_names import PlayerNames
from services.projections.listing import ListingPage, MatchFilter
from services.projections.matches import NAME, MatchRow
from services.projections.standing import dead_letters

_PAGE: Final = 500


class Found(NamedTuple):
    """Some of the matches.

    Attributes:
        rows: Their rows.
        names: How those are called who play there, by their ids; without those who have no name.
    """

    rows: Sequence[MatchRow]
    names: Mapping[str, str]


def found_matches(log: LogAddress, wanted: MatchFilter, player: str | None) -> Iterator[Found]:
    """Yield the matches that fit, newest change first; those that move meanwhile come last, and none comes twice.

    Args:
        log: Where they are looked for.
        wanted: What they must be like.
        player: A name or an opaque id of somebody who plays there; None for anybody.
    """
    begun = present_instant()
    players = work_on(log, lambda parts: _players(parts, player))
    if players is not None:
        # Somebody's matches are few, and their ids are many: one at each table.
        yield work_on(log, lambda parts: _of_players(parts, wanted, players))
        return
    moving: set[str] = set()
    for found in _pages(log, wanted):
        moving.update(row.match for row in found.rows if row.state not in OVER or row.changed_at >= begun)
        yield found
    # A match that moved has gone to the front, which was passed long ago.
    if wanted.until is None or wanted.until > begun:
        later = replace(wanted, since=max(begun, wanted.since or begun))
        for found in _pages(log, later):
            yield found._replace(rows=[row for row in found.rows if row.match not in moving])


def _pages(log: LogAddress, wanted: MatchFilter) -> Iterator[Found]:
    after: str | None = None
    while True:
        page, names = work_on(log, partial(_page, wanted=wanted, after=after))
        yield Found(page.rows, names)
        after = page.next
        if after is None:
            return


async def _page(
    parts: LogParts, wanted: MatchFilter, after: str | None
) -> tuple[ListingPage, dict[str, str]]:
    page = await parts.listing.page(wanted, after, _PAGE)
    return page, await _named(parts.names, page.rows)


async def _players(parts: LogParts, player: str | None) -> list[str] | None:
    """Bring the lists up to date; return the ids of those who are called so, None if nobody in particular is wanted."""
    problem = await parts.keeper().catch_up()
    if problem:
        tell(f"The list may be old: {problem} See tablee rebuild.")
    put_aside = await dead_letters(parts.log_client, parts.store.shards)
    aside = [one for one in put_aside if one.projection == NAME]
    if aside:
        tell(
            f"{number_of(len(aside), 'match', 'matches')} cannot be read and may be missing: see tablee doctor."
        )
    return None if player is None else sorted({player, *await parts.names.called(player)})


async def _of_players(parts: LogParts, wanted: MatchFilter, players: Sequence[str]) -> Found:
    found: dict[str, MatchRow] = {}
    for player in players:
        after: str | None = None
        while True:
            page = await parts.listing.page(replace(wanted, player=player), after, _PAGE)
            found |= {row.match: row for row in page.rows}
            after = page.next
            if after is None:
                break
    rows = sorted(found.values(), key=lambda row: (row.changed_at, row.match), reverse=True)
    return Found(rows, await _named(parts.names, rows))


async def _named(known: PlayerNames, rows: Sequence[MatchRow]) -> dict[str, str]:
    people = sorted({held.player for row in rows for held in row.players if held.kind == "person"})
    names: dict[str, str] = {}
    for start in range(0, len(people), _PAGE):
        some = people[start : start + _PAGE]
        names |= {who: name for who, name in zip(some, await known.of(some), strict=True) if name}
    return names

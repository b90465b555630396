"""Listing matches: a page of rows, newest change first, without reading a match or scanning the store."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
import redis.asyncio

from domain.errors import Malformed
from domain.instants import Instant, milliseconds_of
from services.event_store.contract import Status
from services.projections.asking import available
from services.projections.generations import Generations
from services.projections.keys import RowSet
from services.projections.ledger import Ledger
from services.projections.matches import CHANGED, MATCHES, OPEN, MatchRow, State, bucket_of, match_row

MOST_LOOKED_AT: Final = 5000
"""After so many rows a page ends, with fewer matches than were asked for: a filter that fits nothing costs no more."""

_BIGGEST_PIECE: Final = 500
_NEVER: Final = "+inf"

_BEFORE_ALL: Final = "~"
"""Stands in front of all matches of an instant: it is behind every letter of an id, and the list goes downwards."""

_CURSOR: Final = re.compile(r"([0-9]{1,15})\.([A-Za-z0-9_-]{1,64}|~)").fullmatch


class Parts(msgspec.Struct, frozen=True):
    """In which private matches somebody has a part.

    Attributes:
        hosts: Ids of the matches that he made.
        players: Opaque ids of the players that he is: he sees a match for as long as he sits there.
    """

    hosts: frozenset[str] = frozenset()
    players: frozenset[str] = frozenset()

    def open_to_him(self, row: MatchRow) -> bool:
        """Tell whether he may see a match."""
        return (
            not row.private
            or row.match in self.hosts
            or any(held.player in self.players for held in row.players)
        )


class MatchFilter(msgspec.Struct, frozen=True):
    """Which matches are wanted; what is left out does not matter.

    Attributes:
        player: The opaque id of a person who sits, or sat at the end, at the table.
        game: The game's key.
        state: How far the match is.
        since: With their last event at this instant or later.
        until: With their last event before this instant.
        seen_by: Who looks, by his parts in private matches. None for an operator, who sees every row.
    """

    player: str | None = None
    game: str | None = None
    state: State | None = None
    since: Instant | None = None
    until: Instant | None = None
    seen_by: Parts | None = None

    def fits(self, row: MatchRow) -> bool:
        """Tell whether a match is wanted."""
        return (
            (self.player is None or any(self.player == held.player for held in row.players))
            and self.game in {None, row.game}
            and self.state in {None, row.state}
            and (self.since is None or row.changed_at >= self.since)
            and (self.until is None or row.changed_at < self.until)
            and (self.seen_by is None or self.seen_by.open_to_him(row))
        )


class ListingPage(msgspec.Struct, frozen=True):
    """A page of a list.

    Attributes:
        rows: The matches, newest change first.
        next: Where the next page begins; None when this is the last. A page may hold fewer rows than were asked for
            and still have a next one.
    """

    rows: tuple[MatchRow, ...]
    next: str | None


class _Place(NamedTuple):
    """A place in the list: it goes from high to low."""

    changed_at: int
    match: str


class Listing:
    """Lists matches. Every method may raise ``StoreUnavailable``."""

    def __init__(self, client: "redis.asyncio.Redis", shards: int) -> None:
        """Take a client of the log's server and the store's number of shards."""
        self._client: Final = client
        self._ledger: Final = Ledger(client, shards, MATCHES)
        self._generations: Final = Generations(client, self._ledger)
        self._shards: Final = shards

    async def row(self, match: str) -> MatchRow | None:
        """Return a match's row; None when there is none (yet)."""
        rows = await self._readable()
        return None if rows is None else (await self._rows(rows, [match])).get(match)

    async def page(self, wanted: MatchFilter, after: str | None, count: int) -> ListingPage:
        """Return a page of matches.

        Matches that change while somebody turns the pages move to the front: he meets none twice, and may miss those.

        Args:
            wanted: Which ones.
            after: The ``next`` of the page before; None for the first page.
            count: At most so many.

        Raises:
            Malformed: ``after`` is none that this gave out.
        """
        place = None if after is None else _place_of(after)
        rows = await self._readable()
        if rows is None:
            return ListingPage((), None)
        places = await self._of_player(rows, wanted.player) if wanted.player is not None else None
        found: list[MatchRow] = []
        looked_at = 0
        while True:
            piece = min(_BIGGEST_PIECE, max(count + 1 - len(found), looked_at))
            if places is None:
                next_places, is_last = await self._next_places(rows, wanted, place, piece)
            else:
                behind = [one for one in places if place is None or one < place]
                next_places, is_last = behind[:piece], len(behind) <= piece
            by_match = await self._rows(rows, [one.match for one in next_places])
            for one in next_places:
                row = by_match.get(one.match)
                # A row that has changed between two questions stands at the front of the list now.
                if row is not None and milliseconds_of(row.changed_at) == one.changed_at and wanted.fits(row):
                    if len(found) == count:
                        return ListingPage(tuple(found), _cursor(found[-1]))
                    found.append(row)
                place = one
            looked_at += len(next_places)
            if is_last:
                return ListingPage(tuple(found), None)
            if looked_at >= MOST_LOOKED_AT and place is not None:
                same_instant = found and milliseconds_of(found[-1].changed_at) == place.changed_at
                return ListingPage(
                    tuple(found), _cursor(found[-1]) if same_instant else f"{place.changed_at}.{_BEFORE_ALL}"
                )

    async def _readable(self) -> RowSet | None:
        generation = (await self._generations.standing()).readable
        return None if generation is None else self._ledger.of(generation)

    async def _next_places(
        self, rows: RowSet, wanted: MatchFilter, after: _Place | None, count: int
    ) -> tuple[list[_Place], bool]:
        """Return the next places behind one, in their order, at least one if there is any; and whether that is all."""
        index = OPEN if wanted.state in {"gathering", "playing"} else CHANGED
        lowest = "-inf" if wanted.since is None else milliseconds_of(wanted.since)
        highest: int | str = _NEVER if wanted.until is None else f"({milliseconds_of(wanted.until)}"
        # Of each shard so many that together they are enough, if the shards are alike.
        each = count // self._shards + 4
        if after is not None:
            highest = f"({after.changed_at}"
            if wanted.until is not None and milliseconds_of(wanted.until) <= after.changed_at:
                highest = f"({milliseconds_of(wanted.until)}"
        with available():
            pipe = self._client.pipeline(transaction=False)
            for shard in range(self._shards):
                key = rows.index(shard, index)
                pipe.zrevrangebyscore(key, highest, lowest, start=0, num=each, withscores=True)
            if after is not None:
                for shard in range(self._shards):
                    # Those of the very same instant: some of them are behind the place.
                    pipe.zrangebyscore(rows.index(shard, index), after.changed_at, after.changed_at)
            answers = await pipe.execute()
        return _merged(answers[: self._shards], answers[self._shards :], after, each)

    async def _of_player(self, rows: RowSet, player: str) -> list[_Place]:
        """Return the places of all matches that may be a player's, in their order."""
        index = bucket_of(player)
        with available():
            pipe = self._client.pipeline(transaction=False)
            for shard in range(self._shards):
                pipe.zrange(rows.index(shard, index), 0, -1)
            by_shard = [[match.decode() for match in some] for some in await pipe.execute()]
            for shard, some in enumerate(by_shard):
                if some:
                    pipe.zmscore(rows.index(shard, CHANGED), some)
            answers = await pipe.execute()
        scores = [score for answer in answers for score in answer]
        matches = [match for some in by_shard for match in some]
        places = zip(scores, matches, strict=True)
        return sorted(
            (_Place(int(score), match) for score, match in places if score is not None), reverse=True
        )

    async def _rows(self, rows: RowSet, matches: Sequence[str]) -> Mapping[str, MatchRow]:
        """Return the rows of matches; whether one is archived, the log's own record tells."""
        if not matches:
            return {}
        found = await self._ledger.rows(rows, matches)
        with available():
            pipe = self._client.pipeline(transaction=False)
            for match in found:
                pipe.hget(self._ledger.keyspace.of_match(match).meta, "status")
            statuses: list[Any] = await pipe.execute()
        archived = Status.ARCHIVED.encode()
        return {
            match: match_row(match, row, archived=status == archived)
            for (match, row), status in zip(found.items(), statuses, strict=True)
        }


def _merged(
    newest: Sequence[Sequence[tuple[bytes, float]]],
    same_instant: Sequence[Sequence[bytes]],
    after: _Place | None,
    each: int,
) -> tuple[list[_Place], bool]:
    """Merge what the shards have behind a place.

    Where a shard has given all that was asked of it, it may have more: what is behind its last one waits.
    """
    places = [_Place(int(score), match.decode()) for some in newest for match, score in some]
    full = [some[-1] for some in newest if len(some) == each]
    horizon = max((_Place(int(score), match.decode()) for match, score in full), default=None)
    if horizon is not None:
        places = [place for place in places if place >= horizon]
    if after is not None:
        at = after.changed_at
        places += [_Place(at, match.decode()) for some in same_instant for match in some]
        places = [place for place in places if place < after]
    return sorted(places, reverse=True), horizon is None


def _cursor(row: MatchRow) -> str:
    """Return what leads on behind a row.

    It names no match that its page does not show: whoever knows the id of a private table that gathers may sit down.
    """
    return f"{milliseconds_of(row.changed_at)}.{row.match}"


def _place_of(cursor: str) -> _Place:
    read = _CURSOR(cursor)
    if read is None:
        raise Malformed("list.after_malformed", "`after` is the `next` of a page that was given out before.")
    return _Place(int(read[1]), read[2])

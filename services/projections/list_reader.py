"""Reading rows and their order in few round trips, at a cost that does not grow with the store."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final

import msgspec

from services.log.event_store.connections import Command
from services.log.event_store.contract import Status
from services.log.event_store.keys import Keyspace
from services.projections.generations import standing_commands, standing_of
from services.projections.keys import RowSet, found_rows
from services.projections.list_positions import ListPosition, Scored, merged
from services.projections.matches import ENDED, OPEN, SHARED, KeptRow, place_of_player, read_row

Look = Callable[[Sequence[Command]], Awaitable[list[Any]]]
"""Sends commands to the log's server and returns its answers; may raise ``StoreUnavailable``."""

_END: Final = "+inf"


class Range(msgspec.Struct, frozen=True):
    """A range of instants in milliseconds: from the first, up to but without the second."""

    since: int | None = None
    until: int | None = None


class PlaceInLists(msgspec.Struct, frozen=True):
    """Where a match stands in the lists.

    Attributes:
        position: Its position.
        is_open: Whether its row says that it goes on.
    """

    position: ListPosition
    is_open: bool


class ListReader:
    """Reads rows. Every method may raise ``StoreUnavailable``."""

    def __init__(self, look: Look, shards: int) -> None:
        self._look: Final = look
        self._keyspace: Final = Keyspace(shards)
        self._shards: Final = shards

    async def readable(self) -> RowSet | None:
        """Return the rows to read; None if there are none yet."""
        standing = standing_of(await self._look(standing_commands(self._shards)))
        generation = standing.readable
        return None if generation is None else RowSet(self._keyspace, generation)

    async def behind(
        self, rows: RowSet, indexes: Sequence[str], within: Range, after: ListPosition | None, count: int
    ) -> tuple[list[ListPosition], bool]:
        """Return the next positions of some indexes: about as many as wanted, at least one if there is any.

        Returns:
            The positions in order, and whether these are all.
        """
        lowest = "-inf" if within.since is None else within.since
        ends = [end for end in (within.until, None if after is None else after.changed_at) if end is not None]
        highest = f"({min(ends)}" if ends else _END
        # Enough in all, if matches are spread evenly over the shards.
        each = count // self._shards + 4
        keys = [rows.index(shard, index) for index in indexes for shard in range(self._shards)]
        commands: list[Command] = [
            ("ZREVRANGEBYSCORE", key, highest, lowest, "WITHSCORES", "LIMIT", 0, each) for key in keys
        ]
        if after is not None:
            # Of the matches of the same instant, some come after the position.
            commands += [("ZRANGEBYSCORE", key, after.changed_at, after.changed_at) for key in keys]
        answers = await self._look(commands)
        newest = [_scored(answer) for answer in answers[: len(keys)]]
        return merged(newest, answers[len(keys) :], after, each)

    async def of_player(self, rows: RowSet, player: str) -> list[ListPosition]:
        """Return the positions of all matches that may be a player's, in order."""
        index, own = place_of_player(player)
        keys = [rows.index(shard, index) for shard in range(self._shards)]
        found = await self._look(
            [("ZRANGEBYSCORE", key, score, score) for key in keys for score in (own, SHARED)]
        )
        matches = [match.decode() for some in found for match in some]
        places = await self.places(rows, matches) if matches else {}
        return sorted((place.position for place in places.values()), reverse=True)

    async def places(self, rows: RowSet, matches: Sequence[str]) -> dict[str, PlaceInLists]:
        """Return where matches stand in the lists; without those that have no row."""
        by_shard = rows.by_shard(matches)
        answers = await self._look(
            [
                ("ZMSCORE", rows.index(shard, index), *some)
                for shard, some in by_shard.items()
                for index in (OPEN, ENDED)
            ]
        )
        found: dict[str, PlaceInLists] = {}
        for some, still, over in zip(by_shard.values(), answers[::2], answers[1::2], strict=True):
            for match, goes_on, ended in zip(some, still, over, strict=True):
                # One that has ended in between stands in both answers.
                changed = goes_on if ended is None else ended
                if changed is not None:
                    found[match] = PlaceInLists(ListPosition(int(float(changed)), match), ended is None)
        return found

    async def rows(self, rows: RowSet, matches: Iterable[str]) -> dict[str, KeptRow]:
        """Return the rows of matches that have one."""
        by_shard = rows.by_shard(matches)
        if not by_shard:
            return {}
        answers = await self._look(
            [("HMGET", rows.rows(shard), *wanted) for shard, wanted in by_shard.items()]
        )
        return {match: read_row(row) for match, row in found_rows(by_shard, answers).items()}

    async def archived(self, matches: Sequence[str]) -> Mapping[str, bool]:
        """Tell which matches are in the archive. Their records say so; no event does."""
        if not matches:
            return {}
        statuses = await self._look(
            [("HGET", self._keyspace.of_match(match).meta, "status") for match in matches]
        )
        archived = Status.ARCHIVED.encode()
        return {match: status == archived for match, status in zip(matches, statuses, strict=True)}


def _scored(answer: Sequence[bytes]) -> Scored:
    """Pair the members of an answer with the scores that follow them."""
    return [
        (member, float(score))
        for member, score in zip(islice(answer, 0, None, 2), islice(answer, 1, None, 2), strict=True)
    ]

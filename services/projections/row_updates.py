"""Making updates of rows: each match's row as of now, or a dead letter with the reason."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Final

import msgspec
import structlog

from domain.entries import decode_envelope
from domain.errors import TableeError
from domain.instants import Instant
from domain.match.fold import Position
from services.errors import NoSuchMatch, StoreUnavailable
from services.log.dead_letters import reason_of, version_of
from services.log.event_store.contract import EventStore
from services.log.subscription import StoreWentBack
from services.matches.reader import MatchReader
from services.projections.feats import Feat, feats_of, has_feats
from services.projections.ledger import Failure, RowUpdate
from services.projections.matches import NAME, head_mark, marks_of, read_row, row_of, stamp_of

_AT_ONCE: Final = 16
"""Matches that are read at the same time."""

_log = structlog.get_logger(__name__)


class RowUpdater:
    """Makes row updates."""

    def __init__(self, store: EventStore, reader: MatchReader, now: Callable[[], Instant]) -> None:
        self._store: Final = store
        self._reader: Final = reader
        self._now: Final = now

    async def updates(self, versions: Mapping[str, int], rows: Mapping[str, bytes]) -> list[RowUpdate]:
        """Return the row updates of matches, given each one's newest known version; 0 for whatever there is.

        Raises:
            StoreWentBack: A row was made from a log that is no longer there.
            StoreUnavailable: The store or the archive did not answer.
        """
        late = [
            (match, version, rows.get(match))
            for match, version in versions.items()
            if match not in rows or stamp_of(rows[match]).version < version
        ]
        updates: list[RowUpdate] = []
        for start in range(0, len(late), _AT_ONCE):
            # The store answers for one while another is folded.
            some = late[start : start + _AT_ONCE]
            updates += await asyncio.gather(*(self._update_or_failure(*one) for one in some))
        return updates

    async def _update_or_failure(self, match: str, version: int, row: bytes | None) -> RowUpdate:
        expected = 0 if row is None else stamp_of(row).version
        try:
            return await self._update(match, version, row)
        except (StoreUnavailable, StoreWentBack):
            raise
        except Exception as error:  # noqa: BLE001
            # One match that fails must not hold up the others.
            reason = reason_of(error)
            # Our own errors explain themselves in a line; others need a traceback.
            foreseen = isinstance(error, TableeError)
            told = {"projection": NAME, "match": match, "version": version, "reason": reason}
            _log.error("match_parked", **told, exc_info=not foreseen)
            failure = Failure(version_of(error, version), reason, self._now())
            return RowUpdate(match, expected, failure=msgspec.json.encode(failure))

    async def _update(self, match: str, version: int, row: bytes | None) -> RowUpdate:
        expected, leaves = 0, set[str]()
        if row is not None:
            await self._require_same_log(match, row)
            expected, leaves = stamp_of(row).version, set(marks_of(row))
        # The newest version that there is, where none is known.
        position = await (self._reader.reached(match, version) if version else self._reader.head(match))
        made_at = await self._first_at(match) if row is None else read_row(row).made_at
        new = row_of(position, made_at, await self._feats(match, position))
        scores = marks_of(new)
        left = tuple(sorted(leaves - scores.keys()))
        return RowUpdate(match, expected, new, scores, left, head=position.head)

    async def _feats(self, match: str, position: Position) -> tuple[Feat, ...]:
        if not has_feats(position.state):
            return ()
        # Once in a match's life: what is over never changes.
        return feats_of(await self._store.read(match, last=position.version), position.state)

    async def _require_same_log(self, match: str, row: bytes) -> None:
        """Make sure that the row was made from this log: the hashes at the row's version must agree."""
        stamp = stamp_of(row)
        found = await self._store.read(match, after=stamp.version - 1, last=stamp.version)
        if not found:
            raise StoreWentBack(f"The match {match} had {stamp.version} events, and has fewer now.")
        if head_mark(found[0].h) != stamp.head:
            raise StoreWentBack(
                f"The match {match} has another history at version {stamp.version} than before."
            )

    async def _first_at(self, match: str) -> Instant:
        first = await self._store.read(match, last=1)
        if not first:
            raise NoSuchMatch(match)
        return decode_envelope(first[0].e).at

"""Making the rows of matches: each as it stands now, or set aside with the reason."""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec
import structlog

from domain.entries import decode_envelope
from domain.errors import TableeError
from domain.instants import Instant
from services.errors import NoSuchMatch, StoreUnavailable
from services.log.dead_letters import reason_of, version_of
from services.log.event_store.contract import EventStore
from services.log.subscription import StoreWentBack
from services.matches.reader import MatchReader
from services.projections.ledger import Failure, Taking
from services.projections.matches import NAME, head_mark, marks_of, read_row, row_of, stamp_of

_log = structlog.get_logger(__name__)


class Taker:
    """Makes rows of matches."""

    def __init__(self, store: EventStore, reader: MatchReader, now: Callable[[], Instant]) -> None:
        self._store: Final = store
        self._reader: Final = reader
        self._now: Final = now

    async def take(self, versions: Mapping[str, int], rows: Mapping[str, bytes]) -> list[Taking]:
        """Return what is to be written of matches, given the newest version known of each; 0 for whatever there is.

        Raises:
            StoreWentBack: A row was read from a log that is not there any more.
            StoreUnavailable: The store or the archive did not answer.
        """
        takings: list[Taking] = []
        for match, version in versions.items():
            row = rows.get(match)
            if row is None or stamp_of(row).version < version:
                takings.append(await self._taken_or_parked(match, version, row))
        return takings

    async def _taken_or_parked(self, match: str, version: int, row: bytes | None) -> Taking:
        expected = 0 if row is None else stamp_of(row).version
        try:
            return await self._taken(match, row)
        except (StoreUnavailable, StoreWentBack):
            raise
        except Exception as error:  # noqa: BLE001
            # One match that cannot be taken must not hide the others.
            reason = reason_of(error)
            # An error of ours explains itself in a line; any other needs its traceback.
            foreseen = isinstance(error, TableeError)
            told = {"projection": NAME, "match": match, "version": version, "reason": reason}
            _log.error("match_parked", **told, exc_info=not foreseen)
            parking = Failure(version_of(error, version), reason, self._now())
            return Taking(match, expected, parked=msgspec.json.encode(parking))

    async def _taken(self, match: str, row: bytes | None) -> Taking:
        expected, leaves = 0, set[str]()
        if row is not None:
            await self._require_same_log(match, row)
            expected, leaves = stamp_of(row).version, set(marks_of(row))
        position = await self._reader.head(match)
        made_at = await self._first_at(match) if row is None else read_row(row).made_at
        new = row_of(position, made_at)
        scores = marks_of(new)
        return Taking(match, expected, new, scores, tuple(sorted(leaves - scores.keys())))

    async def _require_same_log(self, match: str, row: bytes) -> None:
        """Make sure that the row was read from this log: its hash stands there at the row's version."""
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

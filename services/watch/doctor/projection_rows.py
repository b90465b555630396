"""Do the rows of matches say what the logs say?"""

from collections.abc import Mapping
from typing import Final

import msgspec
import redis.asyncio

from domain.instants import Instant, milliseconds_of
from domain.match.fold import Position
from services.log.event_store.contract import Meta
from services.log.redis_errors import available
from services.projections.feats import Feat
from services.projections.generations import Generations, Standing
from services.projections.keys import RowSet
from services.projections.ledger import Ledger
from services.projections.matches import INDEXES, NAME, head_mark, marks_of, row_of, stamp_of
from services.watch.doctor.diagnosis import Diagnosis, act, look
from services.watch.findings import Severity

BEHIND_MS: Final = 30_000
"""How far a row may be behind its log while the service runs."""

_PLAYERS: Final = "by"
"""How the names of those indexes begin in which a match stands once for each of its players."""


class RowFacts(msgspec.Struct, frozen=True):
    """A match's row.

    Attributes:
        row: The row; None if there is none.
        places: Where the match stands in the indexes, of those that were looked at.
        read_all: Whether the projection had read the whole feed before the row was read.
    """

    row: bytes | None
    places: Mapping[str, int | None]
    read_all: bool = False


class RowLooker:
    """Reads rows of matches, and where they stand in indexes."""

    def __init__(self, client: "redis.asyncio.Redis", shards: int) -> None:
        self._client: Final = client
        self._ledger: Final = Ledger(client, shards)
        self._generations: Final = Generations(client, shards)
        self._standing: Standing | None = None

    async def look(self, match: str, position: Position | None) -> RowFacts | None:
        """Return a match's row, with its position also its places; None while no rows are read.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        self._standing = self._standing or await self._generations.standing()
        if self._standing.current is None:
            return None
        rows = self._ledger.of(self._standing.current)
        row = (await self._ledger.rows(rows, [match])).get(match)
        read_all = False
        if position is not None and _stamp(row)[0] < position.version:
            # A row is written in one step with the checkpoint: behind it, none can be older than its log.
            read_all = await self._has_read_all(rows, match)
            row = (await self._ledger.rows(rows, [match])).get(match)
        places = {} if row is None or position is None else await self._places(rows, match, row)
        return RowFacts(row, places, read_all)

    async def _has_read_all(self, rows: RowSet, match: str) -> bool:
        shard = rows.keyspace.of_shard_of(match).shard
        with available():
            position, checkpoint = await self._client.hmget(shard, "position", rows.checkpoint_field)
        return checkpoint is not None and int(checkpoint) >= int(position or 0)

    async def _places(self, rows: RowSet, match: str, row: bytes) -> dict[str, int | None]:
        try:
            marked = set(marks_of(row))
        except (msgspec.MsgspecError, LookupError, ValueError, TypeError):
            return {}
        # Of the many indexes by players only those are looked at in which the row is to stand.
        names = [name for name in INDEXES if name in marked or not name.startswith(_PLAYERS)]
        with available():
            pipe = self._client.pipeline(transaction=False)
            for name in names:
                pipe.zscore(rows.index(rows.shard_of(match), name), match)
            scores: list[float | None] = await pipe.execute()
        return {
            name: None if score is None else int(score) for name, score in zip(names, scores, strict=True)
        }


def judge_row(
    row: RowFacts | None,
    made_at: Instant,
    position: Position,
    now: int,
    *,
    running: bool,
    feats: tuple[Feat, ...] = (),
) -> list[Diagnosis]:
    """Compare a match's row with what its log comes to.

    Args:
        row: Its row; None while no rows are read.
        made_at: When its first event was accepted.
        position: What its log comes to.
        now: Milliseconds since the epoch.
        running: Whether the service runs: without it, rows wait to be brought up to date.
        feats: What of the match may be a record, by its log.
    """
    late = running and now - milliseconds_of(position.at) > BEHIND_MS
    problem = None if row is None else _compared(row, made_at, position, feats, late=late)
    return [] if problem is None else [_finding(position.match, position.version, *problem)]


def judge_archived_row(row: RowFacts | None, match: str, meta: Meta) -> list[Diagnosis]:
    """Compare the stamp of an archived match's row with its tombstone, without reading the archive."""
    if row is None or row.row is None:
        return []
    version, head = _stamp(row.row)
    if (version, head) == (meta.version, head_mark(meta.head)):
        return []
    detail = f"it was read at version {version}, the match ended with {meta.version}"
    return [_finding(match, meta.version, "rows.differ", detail)]


def _compared(
    one: RowFacts, made_at: Instant, position: Position, feats: tuple[Feat, ...], *, late: bool
) -> tuple[str, str] | None:
    version, head = _stamp(one.row)
    if version < position.version:
        return _older(one, version, late=late)
    if version > position.version:
        return "rows.ahead", f"it was read at version {version}: the store has been put back since"
    if head != head_mark(position.head):
        return "rows.ahead", "it was read from another history: the log was written anew since"
    try:
        wanted = row_of(position, made_at, feats)
        marks = marks_of(wanted)
    except ValueError as error:
        return "rows.differ", f"the log gives none ({error})"
    if one.row != wanted:
        return "rows.differ", f"it is {_shown(one.row)}; by the log it is {_shown(wanted)}"
    misplaced = sorted(name for name, score in one.places.items() if marks.get(name) != score)
    return ("rows.misplaced", f"it stands wrongly in {', '.join(misplaced)}") if misplaced else None


def _older(one: RowFacts, version: int, *, late: bool) -> tuple[str, str] | None:
    what = "there is none" if one.row is None else f"it stands at version {version}"
    if one.read_all:
        return "rows.missing", f"{what}, although the projection has read everything"
    return ("rows.behind", what) if late else None


def _stamp(row: bytes | None) -> tuple[int, str]:
    if row is None:
        return 0, ""
    try:
        stamp = stamp_of(row)
    except msgspec.MsgspecError:
        return 0, ""
    return stamp.version, stamp.head


def _shown(row: bytes | None) -> str:
    # Rows hold nothing that was ever sealed; whoever alters one may write anything into it.
    return "missing" if row is None else row[:300].decode(errors="replace")


def _finding(match: str, version: int, code: str, detail: str) -> Diagnosis:
    past = code == "rows.ahead"
    return Diagnosis(
        code,
        Severity.ACT if past else Severity.LOOK,
        f"The row of {match} (version {version}) in the projection `{NAME}`: {detail}.",
        "Events that were acknowledged are gone, or were replaced."
        if past
        else "Lists and searches show it wrongly; the match itself is not touched.",
        "Stop the service and look for a newer copy of `log`; see `store.in_the_past`."
        if past
        else f"`tablee doctor --repair`, or `tablee rebuild {NAME}`, builds the rows anew.",
        match,
        version,
        repair="" if past else "rows",
    )


def judge_standing(standings: Mapping[str, Standing], *, running: bool) -> list[Diagnosis]:
    """Judge how the projections as a whole stand."""
    found = []
    for name, standing in standings.items():
        if standing.halted is not None:
            found.append(
                act(
                    "projection.halted",
                    f"The projection `{name}` was halted at {standing.halted.since}: {standing.halted.reason}",
                    "The store is not what it was when the rows were read; lists and searches stand still.",
                    "Find out first whether the store has lost events (`store.in_the_past`). If it is as it should be: "
                    f"`tablee rebuild {name}`.",
                )
            )
        elif standing.current is None and standing.building is None and running:
            found.append(
                look(
                    "projection.missing",
                    f"The projection `{name}` was never built.",
                    "Lists and searches are empty.",
                    f"The loops build it at their start; `tablee rebuild {name}` does it now.",
                )
            )
    return found

"""An installation that has grown: many finished matches in the archive, some that are played, made in a few minutes.

A few dozen short matches are played; their logs stand under many ids, at other instants and with other players, chained
anew. Each is taken in as an import is: an archive's file and a tombstone, or a whole log. Rows of lists are written as
the loops would write them. Files are not synced.
"""

import asyncio
import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import redis.asyncio

from domain.entries import StoredEntry, decode_envelope
from domain.match.evolve import seats_to_act
from domain.match.fold import beginning, fold
from services.bootstrap import present_instant
from services.log.archive.folder import FolderStorage
from services.log.archive.log_with_archive import LogWithArchive
from services.log.archive.shelf import Archive
from services.log.event_store.contract import Adoption, Status
from services.log.event_store.redis_store import RedisEventStore
from services.matches.reader import MatchReader
from services.projections.feats import feats_of
from services.projections.keeper import Keeper
from services.projections.ledger import RowUpdate
from services.projections.matches import KeptRow, head_mark, marks_of, read_row, row_of
from tests.conformance.backends import patient
from tests.kit.games import GAME_KEYS
from tests.kit.log import rechained
from tests.kit.logs import Log, adoption, finished, running

TEMPLATES: Final = 4
"""Logs of each game, finished and at play."""

SHARDS: Final = 16
_AT_ONCE: Final = 100
_PLAYER: Final = b"player-0"
_HOURS: Final = {Status.ARCHIVED: 8761, Status.OPEN: 23}
"""Over how many hours matches are spread. Primes: otherwise each hour would have matches of one game only."""

_ENCODER: Final = msgspec.json.Encoder()


class Template(NamedTuple):
    """A log that is written under many ids.

    Attributes:
        hour: The date and hour of all its instants, as they begin.
        row: Its row in the lists.
    """

    game: str
    log: Log
    hour: bytes
    row: KeptRow
    types: tuple[str, ...]
    due: int | None


class Written(NamedTuple):
    """A log under an id of its own."""

    match: str
    log: Sequence[StoredEntry]
    row: bytes
    due: int | None
    template: Template


class QuickFolder(FolderStorage):
    """A folder that trusts the machine not to lose its power during a benchmark."""

    def _put_new(self, name: str, content: bytes) -> bool:
        target = self._folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        return True


def match_id(number: int) -> str:
    """Return the id of a match; longer than it need be, as the service's are."""
    return f"vb56ltup7amwx{number:07}"


def player_of(number: int) -> str:
    """Return the player who sits on the first seat of a match."""
    return f"pq7amwx4tuvb{number:08}"


def templates(status: Status) -> list[Template]:
    """Play the matches whose logs are used."""
    made: list[Template] = []
    for game in GAME_KEYS:
        number, most = -1, len(made) + TEMPLATES
        while len(made) < most:
            number += 1
            log = finished(game, 2, number) if status is Status.ARCHIVED else running(game, 2, number)
            position = fold(beginning("m1"), log)
            if 1 in seats_to_act(position.state):
                # A bot that owes a move for hours is something to look at.
                continue
            first, last = decode_envelope(log[0].e).at, decode_envelope(log[-1].e).at
            assert first[:13] == last[:13], (first, last)
            feats = feats_of(log, position.state) if status is Status.ARCHIVED else ()
            taken = adoption("m1", log, Status.CLOSED if status is Status.ARCHIVED else status, game)
            row = read_row(row_of(position, first, feats))
            made.append(Template(game, log, first[:13].encode(), row, taken.types, taken.due))
    return made


def written(number: int, made: Sequence[Template], until: datetime, hours: int) -> Written:
    """Return the log of a match, some hours before an instant."""
    template, match = made[number % len(made)], match_id(number)
    hour = datetime.fromisoformat(f"{template.hour.decode()}:00:00+00:00")
    moved = (until - timedelta(hours=(number * 7919) % hours)).replace(minute=0, second=0, microsecond=0)
    to, player = moved.strftime("%Y-%m-%dT%H").encode(), player_of(number).encode()
    entries = [
        msgspec.structs.replace(entry, e=entry.e.replace(template.hour, to).replace(_PLAYER, player))
        for entry in template.log
    ]
    log = rechained(match, entries)
    later = round((moved - hour).total_seconds() * 1000)
    row = template.row
    due = None if template.due is None else template.due + later
    kept = msgspec.structs.replace(
        row,
        head=head_mark(log[-1].h),
        changed_at=row.changed_at + later,
        seats=tuple(player.decode() if seat == _PLAYER.decode() else seat for seat in row.seats),
        due=None if row.due is None else row.due + later,
    )
    return Written(match, log, _ENCODER.encode(kept), due, template)


class House(NamedTuple):
    """Where matches are written."""

    store: RedisEventStore
    client: "redis.asyncio.Redis"
    archive: Archive
    keeper: Keeper


async def opened(url: str, folder: Path) -> House:
    """Open a house."""
    store = await RedisEventStore.open(url, SHARDS, patient())
    client = redis.asyncio.Redis.from_url(url)
    archive = Archive(QuickFolder(folder))
    log = LogWithArchive(store, archive)
    return House(store, client, archive, Keeper(client, log, MatchReader(log), present_instant))


async def _take_in(house: House, some: Sequence[Written], status: Status) -> None:
    if status is Status.ARCHIVED:
        await asyncio.gather(
            *(house.archive.write(one.match, one.template.game, 1, tuple(one.log)) for one in some)
        )
    adopted = await asyncio.gather(*(house.store.adopt(_adoption(one, status)) for one in some))
    assert all(adopted)


def _adoption(one: Written, status: Status) -> Adoption:
    template = one.template
    entries = () if status is Status.ARCHIVED else tuple(one.log)
    due = one.due if status is Status.OPEN else None
    return Adoption(
        *(one.match, entries, len(one.log), one.log[-1].h, status, template.game, template.row.rules, due),
        template.types,
    )


async def _fill(url: str, folder: Path, status: Status, numbers: range, until: datetime, rows: bool) -> None:
    house, made = await opened(url, folder), templates(status)
    kept = house.keeper.ledger.of((await house.keeper.generations.standing()).current or 0)
    remaining: Iterator[int] = iter(numbers)
    while some := [written(number, made, until, _HOURS[status]) for number in islice(remaining, _AT_ONCE)]:
        await _take_in(house, some, status)
        if rows:
            updates = [RowUpdate(one.match, 0, one.row, marks_of(one.row)) for one in some]
            assert await house.keeper.ledger.commit(kept, updates)
    await house.store.close()
    await house.client.aclose()


def _filled(url: str, folder: Path, status: Status, until: datetime, rows: bool, numbers: range) -> None:
    asyncio.run(_fill(url, folder, status, numbers, until, rows))


async def _begin(url: str, folder: Path) -> None:
    house = await opened(url, folder)
    await house.keeper.rebuilder.rebuild()
    await house.store.close()
    await house.client.aclose()


async def _read_by_all(url: str, folder: Path) -> None:
    """Let everybody have read the feed, as after a quiet night."""
    house = await opened(url, folder)
    current = (await house.keeper.generations.standing()).current or 0
    for shard, head in (await house.store.positions()).items():
        for consumer in ("archive", "bots", house.keeper.ledger.of(current).consumer):
            await house.store.advance(consumer, shard, await house.store.checkpoint(consumer, shard), head)
        await house.store.trim_feed(shard)
    await house.client.set("tb:{s00}:p:archive:filled", 1)
    await house.store.close()
    await house.client.aclose()


def fill(url: str, folder: Path, archived: int, playing: int, *, begin: int = 0, rows: bool = True) -> None:
    """Fill a store, and the archive's folder, with matches; all of the feed is read.

    Args:
        url: The log's server.
        folder: The archive.
        archived: How many matches are over.
        playing: How many are being played, beside them.
        begin: The number of the first match; whoever makes an installation grow goes on from there.
        rows: Whether lists have them.
    """
    until = datetime.fromisoformat(present_instant()) - timedelta(hours=2)
    if begin == 0:
        asyncio.run(_begin(url, folder))
    jobs = os.cpu_count() or 1
    pieces = [
        (status, range(start + offset, start + count, jobs))
        for status, start, count in (
            (Status.ARCHIVED, begin, archived),
            (Status.OPEN, begin + archived, playing),
        )
        for offset in range(jobs)
        if count
    ]
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        work = [
            pool.submit(partial(_filled, url, folder, status, until, rows), numbers)
            for status, numbers in pieces
        ]
        for one in work:
            one.result()
    if rows:
        asyncio.run(_read_by_all(url, folder))

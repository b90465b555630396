"""Digests: what leaves the house, so that whoever holds the store cannot rewrite history unnoticed.

A digest names the matches whose heads have moved since the one before, each with version and chain hash. It is numbered
from 1, and says the SHA-256 of the digest before it: who keeps one file holds the whole row behind it to account.
:mod:`services.audit.digest_format` says what stands in it, ``docs/understand/archive.md`` what it is good for.

Whoever knows the id of a private table that gathers may sit down: such a match stands there under its h(0).
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import Final

import structlog

from domain.errors import BrokenLog
from domain.instants import Instant
from services.audit.digest_format import (
    Digest,
    PieceLine,
    PublishedHead,
    heads_in,
    names_of,
    piece_of,
    read_digest,
    written_digest,
)
from services.audit.errors import DigestUnreadable
from services.log.archive.closed_matches import ClosedMatches
from services.log.archive.shelf import DIGESTS, PIECES
from services.log.archive.storage import Storage
from services.log.event_store.checks import GREATEST_NUMBER
from services.log.event_store.contract import EventStore, Meta

NO_DIGEST: Final = ""
"""What the first digest says of the one before it."""

_DAY: Final = len("2026-11-29")
_AT_ONCE: Final = 32

_log = structlog.get_logger(__name__)


class Digests:
    """The row of digests at the archive's place."""

    def __init__(self, storage: Storage) -> None:
        """Take the archive's place."""
        self._storage: Final = storage

    async def latest(self) -> int:
        """Return the number of the latest digest; 0 when there is none."""
        names = await self._storage.names(DIGESTS)
        return max((_number_of(name) for name in names), default=0)

    async def content(self, number: int) -> bytes | None:
        """Return the bytes of a digest's own file, which vouch for all of it; None if there is none."""
        return await self._storage.get(_name_of(number))

    async def read(self, number: int) -> Digest | None:
        """Return a digest with all of its heads; None if there is none.

        Raises:
            DigestUnreadable: What stands there is none, or a piece is lost or altered.
        """
        content = await self.whole(number)
        return None if content is None else read_digest(content)

    async def whole(self, number: int) -> bytes | None:
        """Return a digest's file with all of its pieces behind it; None if there is none.

        Raises:
            DigestUnreadable: What stands there is none, or a piece is lost.
        """
        content = await self.content(number)
        if content is None:
            return None
        pieces = await asyncio.gather(*(self._piece(number, piece) for piece in read_digest(content).pieces))
        return b"".join((content, *pieces))

    async def excerpt(self, number: int, place: str) -> bytes | None:
        """Return a digest's file with the piece that has a match, by its h(0), behind it; None if there is no digest.

        Raises:
            DigestUnreadable: What stands there is none, or the piece is lost.
        """
        content = await self.content(number)
        piece = None if content is None else piece_of(read_digest(content), place)
        return content if content is None or piece is None else content + await self._piece(number, piece)

    async def heads_in(self, number: int) -> int:
        """Return how many heads a digest says that it names; 0 if it does not say so."""
        content = await self.content(number)
        try:
            return heads_in(content or b"")
        except DigestUnreadable:
            return 0

    async def add(self, now: Instant, heads: Iterable[PublishedHead]) -> Digest:
        """Write the next digest of the row, durably.

        Raises:
            DigestUnreadable: The one before it cannot be read.
        """
        named = tuple(heads)
        while True:
            # Somebody else may write this number meanwhile: then ours is the next.
            added = await self.add_behind(await self.latest(), now, named)
            if added is not None:
                return added

    async def add_behind(self, latest: int, now: Instant, heads: Iterable[PublishedHead]) -> Digest | None:
        """Write the digest that follows on a number, durably; None if another one does by now.

        Raises:
            DigestUnreadable: The one before it cannot be read.
        """
        previous = await self.content(latest) if latest else None
        sha256 = hashlib.sha256(previous).hexdigest() if previous is not None else NO_DIGEST
        written = written_digest(latest + 1, now, sha256, heads)
        # The pieces first. Their names say what is in them: another process may write the same digest with others.
        for piece, content in written.pieces.items():
            await self._storage.put_new(_name_of_piece(latest + 1, piece), content)
        if not await self._storage.put_new(_name_of(latest + 1), written.content):
            return None
        return read_digest(b"".join((written.content, *written.pieces.values())))

    async def _piece(self, number: int, piece: PieceLine) -> bytes:
        content = await self._storage.get(_name_of_piece(number, piece))
        if content is None:
            raise DigestUnreadable(f"its piece {piece.piece} is lost")
        return content


class DigestMaker:
    """Makes a digest when a day is over, of what has moved since the last one."""

    def __init__(
        self, log: EventStore, digests: Digests, closed: ClosedMatches, now: Callable[[], Instant]
    ) -> None:
        """Take the log with the archive behind it, the row, what has moved, and a clock."""
        self._log: Final = log
        self._digests: Final = digests
        self._closed: Final = closed
        self._now: Final = now
        self._made_on = ""

    async def make_if_due(self) -> Digest | None:
        """Make today's digest (UTC), unless it is there or nothing has moved."""
        today = self._now()[:_DAY]
        if today == self._made_on:
            return None
        number = await self._digests.latest()
        latest = await self._digests.read(number)
        if latest is not None and latest.line.at[:_DAY] >= today:
            self._made_on = today
            return None
        return await self.make(behind=number)

    async def make(self, behind: int | None = None) -> Digest | None:
        """Make a digest of what has moved since the last one; None if nothing has.

        Args:
            behind: The digest that it is to follow on. If another process has made one since, that one names what had
                moved, and None is returned.
        """
        heads: list[PublishedHead] = []
        published: list[tuple[str, int]] = []
        async for some in self._moved():
            for match, head in zip(some, await asyncio.gather(*map(self._head, some)), strict=True):
                if head is not None:
                    heads.append(head)
                # It was there once: whoever compares with an earlier digest will find that it is gone.
                published.append((match, GREATEST_NUMBER if head is None else head.version))
        digest = None
        if heads and behind is None:
            digest = await self._digests.add(self._now(), heads)
        elif heads and behind is not None:
            digest = await self._digests.add_behind(behind, self._now(), heads)
            if digest is None:
                return None
        if digest is not None:
            await self._closed.note_digest(digest.line.digest, digest.sha256)
        # Struck off afterwards: a process that ends here publishes these heads once more, and loses none.
        await self._closed.forget_moved(published)
        return digest

    async def _moved(self) -> AsyncIterator[Sequence[str]]:
        """Yield the matches that have moved, some at a time: one after the other would wait for the store each time."""
        some: list[str] = []
        async for match in self._closed.moved():
            some.append(match)
            if len(some) == _AT_ONCE:
                yield some
                some = []
        if some:
            yield some

    async def _head(self, match: str) -> PublishedHead | None:
        """Return a match's head as it is published; None for no match, or a record that cannot be read."""
        meta = await self._meta(match)
        if meta is None:
            return None
        return PublishedHead(names_of(match)[await self._is_private(match)], meta.version, meta.head.hex())

    async def _meta(self, match: str) -> Meta | None:
        try:
            return await self._log.meta(match)
        except BrokenLog:
            # One record that somebody spoilt must not keep the heads of all others at home; `verify` names it.
            _log.exception("head_not_published", match=match)
            return None

    async def _is_private(self, match: str) -> bool:
        try:
            first = await self._log.read(match, last=1)
        except BrokenLog:
            return True
        # Terms stand in the first event, in public, and never change.
        return not first or b'"visibility":"private"' in first[0].e


def _name_of(number: int) -> str:
    return f"{DIGESTS}/{number:06}.ndjson"


def _number_of(name: str) -> int:
    stem = name.rpartition("/")[2].removesuffix(".ndjson")
    return int(stem) if stem.isdecimal() else 0


def _name_of_piece(number: int, piece: PieceLine) -> str:
    return f"{PIECES}/{number:06}/{piece.piece}.{piece.sha256[:16]}.ndjson"

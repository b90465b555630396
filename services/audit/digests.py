r"""Digests: what leaves the house, so that whoever holds the store cannot rewrite history unnoticed.

A digest names the matches whose heads have moved since the one before, each with version and chain hash. It is a file
of lines of JSON, numbered from 1, and says the SHA-256 of the digest before it: who keeps one file holds the whole
row behind it to account. ``docs/understand/archive.md`` describes it.

::

    {"kind":"digest","format":1,"digest":2,"at":"...","previous":"<SHA-256 of digest 1>","heads":2}
    {"match":"...","version":123,"head":"..."}
    {"match":"sha256:<h(0)>","version":5,"head":"..."}

Whoever knows the id of a private table that gathers may sit down: such a match stands there under its h(0).
"""

import hashlib
from collections.abc import Callable, Iterable
from typing import Final

import msgspec
import structlog

from domain.chain import genesis
from domain.errors import BrokenLog
from domain.instants import Instant
from services.audit.errors import DigestUnreadable
from services.log.archive.closed_matches import ClosedMatches
from services.log.archive.shelf import DIGESTS
from services.log.archive.storage import Storage
from services.log.event_store.checks import GREATEST_NUMBER
from services.log.event_store.contract import EventStore, Meta

DIGEST_FORMAT: Final = 1

NO_DIGEST: Final = ""
"""What the first digest says of the one before it."""

HIDDEN: Final = "sha256:"
_DAY: Final = len("2026-11-29")

_log = structlog.get_logger(__name__)


class PublishedHead(msgspec.Struct, frozen=True):
    """A head as a digest names it.

    Attributes:
        match: The match's id; for a private one ``sha256:`` and its h(0).
        version: Its version.
        head: The chain hash there, 64 hexadecimal digits.
    """

    match: str
    version: int
    head: str


class DigestLine(msgspec.Struct, frozen=True, tag_field="kind", tag="digest"):
    """The line with which a digest begins.

    Attributes:
        previous: SHA-256 of the file of the digest before it, 64 hexadecimal digits; empty for the first.
        heads: How many heads follow.
    """

    format: int
    digest: int
    at: Instant
    previous: str
    heads: int


class Digest(msgspec.Struct, frozen=True):
    """A digest that was read.

    Attributes:
        sha256: The hash of its file.
    """

    line: DigestLine
    heads: tuple[PublishedHead, ...]
    sha256: str


_ENCODER: Final = msgspec.json.Encoder()
_LINES: Final = msgspec.json.Decoder(DigestLine)
_HEADS: Final = msgspec.json.Decoder(PublishedHead)


def names_of(match: str) -> tuple[str, str]:
    """Return the names under which a match may stand in a digest: its id, and the hidden one."""
    return match, HIDDEN + genesis(match).hex()


def read_digest(content: bytes) -> Digest:
    """Read a digest's file.

    Raises:
        DigestUnreadable: It is none.
    """
    first, *rest = content.splitlines() or [b""]
    try:
        line = _LINES.decode(first)
        heads = tuple(map(_HEADS.decode, rest))
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise DigestUnreadable("this is not a digest") from None
    if line.format != DIGEST_FORMAT:
        raise DigestUnreadable(f"this digest has format {line.format}; known is {DIGEST_FORMAT}")
    if line.heads != len(heads):
        raise DigestUnreadable(f"digest {line.digest} is to name {line.heads} heads, there are {len(heads)}")
    return Digest(line, heads, hashlib.sha256(content).hexdigest())


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
        """Return the bytes of a digest; None if there is none."""
        return await self._storage.get(_name_of(number))

    async def read(self, number: int) -> Digest | None:
        """Return a digest; None if there is none.

        Raises:
            DigestUnreadable: What stands there is none.
        """
        content = await self.content(number)
        return None if content is None else read_digest(content)

    async def heads_in(self, number: int) -> int:
        """Return how many heads a digest says that it has; 0 if it does not say so."""
        content = await self.content(number)
        try:
            return _LINES.decode((content or b"").partition(b"\n")[0]).heads
        except (msgspec.MsgspecError, UnicodeDecodeError):
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
        named = tuple(sorted(heads, key=lambda head: head.match))
        previous = await self.content(latest) if latest else None
        sha256 = hashlib.sha256(previous).hexdigest() if previous is not None else NO_DIGEST
        line = DigestLine(DIGEST_FORMAT, latest + 1, now, sha256, len(named))
        content = _ENCODER.encode_lines((line, *named))
        return read_digest(content) if await self._storage.put_new(_name_of(latest + 1), content) else None


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
        async for match in self._closed.moved():
            meta = await self._meta(match)
            if meta is None:
                # It was there once: whoever compares with an earlier digest will find that it is gone.
                published.append((match, GREATEST_NUMBER))
                continue
            name = names_of(match)[await self._is_private(match)]
            heads.append(PublishedHead(name, meta.version, meta.head.hex()))
            published.append((match, meta.version))
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

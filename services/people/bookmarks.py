"""Bookmarks: positions of matches that a person keeps, with a note of their own.

The log's server keeps ``tb:people:person:<person>:bookmarks``, a Redis hash of bookmarks by match and version, and for
one that is shared ``tb:people:bookmark:<share>``, which leads to it. A bookmark is its person's alone; who has the
address of a shared one reads the note and the person's name. It opens no match to anybody: the position is looked at
under the rules of the match. The share is kept as it is, so that it can be shown again: who reads this store reads the
notes anyway.
"""

from typing import Any, Final

import msgspec
import redis.asyncio

from domain.errors import Refused
from domain.instants import Instant
from services.log.redis_errors import available
from services.people.dossiers import Whom
from services.people.hashed_secrets import new_secret
from services.people.stored_text import text_of

MOST: Final = 500
"""How many one person may keep."""

LONGEST_NOTE: Final = 1000
"""Characters."""


class Bookmark(msgspec.Struct, frozen=True, omit_defaults=True):
    """A position that somebody keeps.

    Attributes:
        match: The match's id.
        version: The version.
        since: When they kept it.
        note: What they wrote about it; empty for nothing.
        share: What makes the address of its note; empty if it is not shared.
    """

    match: str
    version: int
    since: Instant
    note: str = ""
    share: str = ""


class Shared(msgspec.Struct, frozen=True):
    """A bookmark whose address somebody has given out."""

    person: str
    bookmark: Bookmark


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Bookmark)


class Bookmarks:
    """Keeps bookmarks. Methods may raise ``StoreUnavailable``."""

    def __init__(self, client: "redis.asyncio.Redis") -> None:
        self._client: Final = client

    async def of(self, person: str) -> list[Bookmark]:
        """Return a person's bookmarks, the newest first."""
        with available():
            rows = await self._client.hvals(_key(person))
        found = map(_DECODER.decode, rows)
        return sorted(found, key=lambda one: (one.since, one.match, one.version), reverse=True)

    async def at(self, person: str, match: str, version: int) -> Bookmark | None:
        """Return a person's bookmark of a position; None if there is none."""
        with available():
            row = await self._client.hget(_key(person), _field(match, version))
        return _DECODER.decode(row) if row else None

    async def keep(
        self, person: str, match: str, version: int, note: str, *, shared: bool, now: Instant
    ) -> Bookmark:
        """Keep a position, with a note instead of the one before.

        Raises:
            Refused: The note is too long, or they keep too many.
        """
        said = note.strip()
        if len(said) > LONGEST_NOTE:
            raise Refused("bookmark.note_too_long", "bookmarks", longest=LONGEST_NOTE)
        before = await self.at(person, match, version)
        if before is None and await self._count(person) >= MOST:
            raise Refused("bookmark.too_many", "bookmarks", most=MOST)
        share = (before.share if before is not None else "") or new_secret() if shared else ""
        kept = Bookmark(match, version, now if before is None else before.since, said, share)
        with available():
            async with self._client.pipeline(transaction=True) as pipeline:
                if before is not None and before.share and before.share != share:
                    pipeline.delete(_share(before.share))
                pipeline.hset(_key(person), _field(match, version), _ENCODER.encode(kept))
                if share:
                    pipeline.set(_share(share), f"{person} {_field(match, version)}")
                await pipeline.execute()
        return kept

    async def remove(self, person: str, match: str, version: int) -> None:
        """Forget a bookmark; its address then leads nowhere."""
        before = await self.at(person, match, version)
        if before is None:
            return
        with available():
            async with self._client.pipeline(transaction=True) as pipeline:
                if before.share:
                    pipeline.delete(_share(before.share))
                pipeline.hdel(_key(person), _field(match, version))
                await pipeline.execute()

    async def shared(self, share: str) -> Shared | None:
        """Return the bookmark to which an address leads; None if it leads nowhere, or no longer."""
        with available():
            person, _, field = text_of(await self._client.get(_share(share))).partition(" ")
            row = await self._client.hget(_key(person), field) if person else None
        found = _DECODER.decode(row) if row else None
        return Shared(person, found) if found is not None and found.share == share else None

    async def move(self, person: str, to: str) -> None:
        """Let bookmarks be another person's, but where they have one of the same position."""
        for one in await self.of(person):
            if await self.at(to, one.match, one.version) is None:
                with available():
                    async with self._client.pipeline(transaction=True) as pipeline:
                        field = _field(one.match, one.version)
                        pipeline.hset(_key(to), field, _ENCODER.encode(one))
                        pipeline.hdel(_key(person), field)
                        if one.share:
                            pipeline.set(_share(one.share), f"{to} {field}")
                        await pipeline.execute()

    async def erase(self, person: str) -> None:
        """Forget all bookmarks of a person."""
        shares = [_share(one.share) for one in await self.of(person) if one.share]
        with available():
            await self._client.delete(_key(person), *shares)

    async def _count(self, person: str) -> int:
        with available():
            return int(await self._client.hlen(_key(person)))


class PositionsKept:
    """The kind of a dossier: the positions that they keep, with their notes."""

    name: Final = "bookmarks"

    def __init__(self, bookmarks: Bookmarks) -> None:
        self._bookmarks = bookmarks

    async def shown(self, whom: Whom) -> Any:
        """Return the bookmarks; of a shared one that it is, not its address."""
        return [
            {
                "match": one.match,
                "version": one.version,
                "since": one.since,
                "note": one.note,
                "shared": bool(one.share),
            }
            for one in await self._bookmarks.of(whom.person)
        ]

    async def move(self, whom: Whom, to: str) -> None:
        """Let the other person have them."""
        await self._bookmarks.move(whom.person, to)

    async def erase(self, whom: Whom) -> None:
        """Forget them."""
        await self._bookmarks.erase(whom.person)


def _key(person: str) -> str:
    return f"tb:people:person:{person}:bookmarks"


def _share(share: str) -> str:
    return f"tb:people:bookmark:{share}"


def _field(match: str, version: int) -> str:
    return f"{match}:{version}"

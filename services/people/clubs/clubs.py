"""Clubs, kept beside the log.

The log's server keeps ``tb:people:club:<club>`` (the club with its members and invitations), and what leads there:
``tb:people:person:<person>:clubs``, ``tb:people:invitation:<hash of a code>``, the sorted set ``tb:people:clubs`` of
all clubs by the millisecond at which each was made, and ``tb:people:clubs:unused`` of those that close by themselves,
by when they do. This is stored data with backups, not a projection.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar

import msgspec
import redis.asyncio

from domain.errors import Refused
from domain.instants import Instant, instant_from_milliseconds, milliseconds_of
from services.errors import Contended, NoSuchClub, NoSuchInvitation
from services.log.redis_errors import available
from services.people.clubs.changes import joined, taken_over, without
from services.people.clubs.club import MOST_CLUBS, TOLD_DAYS, UNUSED_DAYS, Club, Member
from services.people.clubs.club_tables import ClubTables
from services.people.clubs.keys import CLUBS, UNUSED, club_key, clubs_of, invitation_key
from services.people.clubs.leagues import Leagues
from services.people.clubs.roles import may
from services.people.contacts import forget_contacts
from services.people.hashed_secrets import hash_of, is_secret
from services.people.stored_text import text_of

if TYPE_CHECKING:
    from redis.asyncio.client import Pipeline

    _Pipeline: TypeAlias = Pipeline

C = TypeVar("C")

Step = Callable[[Club], Club | None]
"""What a club becomes, None if it closes; see :mod:`services.people.clubs.changes`."""

_ATTEMPTS: Final = 50
_A_DAY: Final = 24 * 3600 * 1000
_AT_ONCE: Final = 10

_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Club)


class Clubs:
    """Clubs by their ids. Methods may raise ``StoreUnavailable``."""

    def __init__(self, client: "redis.asyncio.Redis") -> None:
        self._client = client
        self.tables: Final = ClubTables(client)
        self.leagues: Final = Leagues(client)

    async def of(self, club: str) -> Club | None:
        """Return a club; None if there is none with this id, or no longer."""
        with available():
            stored = await self._client.get(club_key(club))
        return _DECODER.decode(stored) if stored else None

    async def of_person(self, person: str) -> list[Club]:
        """Return the clubs that a person is in, by name."""
        if not person:
            return []
        with available():
            ids = [text_of(one) for one in await self._client.smembers(clubs_of(person))]
        found = await self._several(ids)
        return sorted(found, key=lambda club: (club.name.casefold(), club.id))

    async def has_at(self, match: str, person: str) -> Literal["", "theirs", "others"]:
        """Return whether a match is a table of a person's club or of another one; empty if it is no club's."""
        club = await self.tables.club_of(match)
        found = await self.of(club) if club else None
        if found is None:
            return ""
        return "theirs" if may(found.role(person), "watch") else "others"

    async def invited_to(self, code: str) -> Club:
        """Return the club to which the code of an invitation leads.

        Raises:
            NoSuchInvitation: There is none, or it ended long ago.
        """
        if not is_secret(code):
            raise NoSuchInvitation
        with available():
            club = text_of(await self._client.get(invitation_key(hash_of(code))))
        found = await self.of(club) if club else None
        if found is None or found.invitation(hash_of(code)) is None:
            raise NoSuchInvitation
        return found

    async def create(self, club: Club, now: Instant) -> Club:
        """Keep a new club, and close some that were never used. The same club is made once.

        Raises:
            Refused: Its founder is in too many.
            Contended: Others were quicker every time.
        """
        await self.close_unused(now, _AT_ONCE)

        async def tried(pipeline: "_Pipeline") -> Club:
            await pipeline.watch(club_key(club.id))
            stored = await pipeline.get(club_key(club.id))
            if stored:
                pipeline.multi()  # type: ignore[no-untyped-call]
                return _DECODER.decode(stored)
            await _require_room(pipeline, (member.person for member in club.members))
            pipeline.multi()  # type: ignore[no-untyped-call]
            self._write(pipeline, None, club)
            pipeline.zadd(CLUBS, {club.id: milliseconds_of(now)})
            pipeline.zadd(UNUSED, {club.id: milliseconds_of(now) + UNUSED_DAYS * _A_DAY})
            return club

        return await self._attempt(tried)

    async def change(self, club: str, step: Step) -> Club | None:
        """Let a club become what a step says, whatever others change at the same moment.

        Returns:
            The club; None if it is closed now. Its tables go on, and are only their players' from then on.

        Raises:
            NoSuchClub: There is none.
            Contended: Others were quicker every time.
        """

        async def tried(pipeline: "_Pipeline") -> Club | None:
            await pipeline.watch(club_key(club))
            stored = await pipeline.get(club_key(club))
            if not stored:
                raise NoSuchClub
            before = _DECODER.decode(stored)
            after = step(before)
            if after is not None:
                await _require_room(pipeline, _persons(after) - _persons(before))
            pipeline.multi()  # type: ignore[no-untyped-call]
            if after is None:
                self._remove(pipeline, before)
            elif after != before:
                self._write(pipeline, before, after)
            return after

        changed = await self._attempt(tried)
        if changed is None:
            await self.tables.forget(club)
            await self.leagues.forget_club(club)
            await forget_contacts(self._client, club)
        return changed

    async def join(self, code: str, member: Member, now: Instant) -> Club:
        """Let somebody in by an invitation. See :func:`joined` for what it may raise."""
        club = await self.invited_to(code)
        after = await self.change(club.id, lambda present: joined(present, hash_of(code), member, now))
        return club if after is None else after

    async def closes_at(self, club: str) -> Instant | None:
        """Return when a club closes by itself because it is not used; None if it does not."""
        with available():
            score = await self._client.zscore(UNUSED, club)
        return None if score is None else instant_from_milliseconds(int(score))

    async def close_unused(self, now: Instant, most: int) -> int:
        """Close some clubs that were never used and whose time is over; return how many."""
        with available():
            found = await self._client.zrange(
                UNUSED, "-inf", milliseconds_of(now), byscore=True, offset=0, num=most
            )
        for club in map(text_of, found):
            with contextlib.suppress(NoSuchClub):
                await self.change(club, _unless_joined)
            with available():
                await self._client.zrem(UNUSED, club)
        return len(found)

    async def all(self) -> AsyncIterator[Club]:
        """Return all clubs, oldest first, for the operator."""
        start = 0
        while True:
            with available():
                ids = [text_of(one) for one in await self._client.zrange(CLUBS, start, start + 99)]
            if not ids:
                return
            for club in await self._several(ids):
                yield club
            start += len(ids)

    async def move(self, person: str, to: str) -> None:
        """Let all of a person's places be another's."""
        for club in await self.of_person(person):
            # In too many clubs, they leave this one.
            with contextlib.suppress(Refused):
                await self.change(club.id, lambda present: taken_over(present, person, to))

    async def erase(self, person: str) -> None:
        """Take a person out of all their clubs. One that they leave empty is closed."""
        for club in await self.of_person(person):
            await self.change(club.id, lambda present: without(present, person))
        with available():
            await self._client.delete(clubs_of(person))

    async def _several(self, ids: Sequence[str]) -> list[Club]:
        if not ids:
            return []
        with available():
            stored = await self._client.mget([club_key(one) for one in ids])
        return [_DECODER.decode(one) for one in stored if one]

    async def _attempt(self, tried: "Callable[[_Pipeline], Awaitable[C]]") -> C:
        with available():
            async with self._client.pipeline(transaction=True) as pipeline:
                for _ in range(_ATTEMPTS):
                    try:
                        result = await tried(pipeline)
                        await pipeline.execute()
                    except redis.WatchError:
                        await asyncio.sleep(0)
                        continue
                    return result
        raise Contended

    @staticmethod
    def _write(pipeline: "_Pipeline", before: Club | None, after: Club) -> None:
        """Write a club, and what leads there."""
        persons, known = _persons(after), set() if before is None else _persons(before)
        pipeline.set(club_key(after.id), _ENCODER.encode(after))
        for person in persons - known:
            pipeline.sadd(clubs_of(person), after.id)
        for person in known - persons:
            pipeline.srem(clubs_of(person), after.id)
        codes = set() if before is None else {one.code for one in before.invitations}
        for one in after.invitations:
            if one.code not in codes:
                ends = milliseconds_of(one.expires) + TOLD_DAYS * _A_DAY
                pipeline.set(invitation_key(one.code), after.id, pxat=ends)
        if len(persons) > 1:
            pipeline.zrem(UNUSED, after.id)

    @staticmethod
    def _remove(pipeline: "_Pipeline", club: Club) -> None:
        for member in club.members:
            pipeline.srem(clubs_of(member.person), club.id)
        for one in club.invitations:
            pipeline.delete(invitation_key(one.code))
        pipeline.delete(club_key(club.id))
        pipeline.zrem(CLUBS, club.id)
        pipeline.zrem(UNUSED, club.id)


def _unless_joined(club: Club) -> Club | None:
    """Close a club, unless somebody joined at the last moment."""
    return club if len(club.members) > 1 else None


def _persons(club: Club) -> set[str]:
    return {member.person for member in club.members}


async def _require_room(pipeline: "_Pipeline", persons: Iterable[str]) -> None:
    for person in persons:
        await pipeline.watch(clubs_of(person))
        if await pipeline.scard(clubs_of(person)) >= MOST_CLUBS:
            raise Refused("club.too_many", "clubs", most=MOST_CLUBS)

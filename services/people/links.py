"""Links that lead back in, each once and for a while: to a person on another device, or to one seat that was lost.

The log's server keeps ``tb:people:link:<hash>``, which goes some weeks after its end: until then a page can say why a
link opens nothing. ``tb:people:person:<person>:link`` and ``tb:people:player:<player>:link`` name the newest one, which
ends the one before. This is stored data with backups, not a projection.
"""

from typing import Final, Literal

import msgspec
import redis.asyncio

from domain.instants import Instant, after, milliseconds_of, seconds_between
from services.errors import Contended, LinkExpired, LinkRevoked, LinkUsed, NoSuchLink
from services.log.redis_errors import available
from services.people.hashed_secrets import hash_of, is_secret
from services.people.identity import Holder
from services.people.stored_text import text_of

MAIL_SECONDS: Final = 15 * 60
"""How long a link lasts that was sent by mail, or made for who has proved a passkey."""

PERSON_SECONDS: Final = 24 * 3600
"""How long a link to one's other devices is good for."""

SEAT_SECONDS: Final = 7 * 24 * 3600
"""How long a link to a seat is good for."""

TOLD_SECONDS: Final = 30 * 24 * 3600
"""How long after its end a page can still say what became of a link."""

RETRY_SECONDS: Final = 600
"""How long the session that has used a link may send the same request again, because the answer was lost."""

Proved = Literal["", "mail", "passkey"]
"""What somebody has proved to whom a link was given; nothing where its maker hands it on."""

State = Literal["valid", "used", "expired", "revoked"]

_ATTEMPTS: Final = 20


class Link(msgspec.Struct, frozen=True, omit_defaults=True):
    """A link.

    Attributes:
        made: When it was made.
        until: How long it is good for.
        person: The person to whom it leads; empty for a seat's.
        holder: The seat to which it leads; None for a person's.
        used: When it was used; empty if it was not.
        used_by: The session's id that used it: asked again, that one gets the same answer for a while.
        revoked: Whether it was taken back, or another one made after it.
        by: What whoever got it has proved.
    """

    made: Instant
    until: Instant
    person: str = ""
    holder: Holder | None = None
    used: Instant = Instant("")
    used_by: str = ""
    revoked: bool = False
    by: Proved = ""

    def state(self, now: Instant) -> State:
        """Return what can be done with it."""
        if self.used:
            return "used"
        if self.revoked:
            return "revoked"
        return "valid" if milliseconds_of(now) < milliseconds_of(self.until) else "expired"


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Link)


class Links:
    """Makes links and uses them up. Methods may raise ``StoreUnavailable``."""

    def __init__(self, client: "redis.asyncio.Redis") -> None:
        self._client = client

    async def make_for_person(self, token: str, person: str, now: Instant) -> Link:
        """Make a link to a person's other devices; the same token makes it once. It ends the one before."""
        until = after(now, PERSON_SECONDS)
        return await self._make(token, Link(now, until, person=person), _of_person(person))

    async def make_for_seat(self, token: str, holder: Holder, now: Instant) -> Link:
        """Make a link to a seat; the same token makes it once. It ends the one before."""
        until = after(now, SEAT_SECONDS)
        return await self._make(token, Link(now, until, holder=holder), _of_player(holder.player))

    async def make_by_mail(self, token: str, person: str, now: Instant) -> Link:
        """Make a link that a mail takes to a person. It ends the one before, and lasts :data:`MAIL_SECONDS`."""
        until = after(now, MAIL_SECONDS)
        return await self._make(token, Link(now, until, person=person, by="mail"), _mailed_to(person))

    async def make_by_passkey(self, token: str, person: str, now: Instant) -> Link:
        """Make a link for who has proved a passkey, and yet has to choose. It lasts :data:`MAIL_SECONDS`."""
        until = after(now, MAIL_SECONDS)
        return await self._make(token, Link(now, until, person=person, by="passkey"), _proved_to(person))

    async def named(self, name: str) -> Link | None:
        """Return a link by the hash of its token; None if there is none, or no longer."""
        with available():
            stored = await self._client.get(_key(name))
        return _DECODER.decode(stored) if stored else None

    async def find(self, token: str) -> Link | None:
        """Return a link by its token; None if there is none, or no longer."""
        if not is_secret(token):
            return None
        with available():
            stored = await self._client.get(_key(hash_of(token)))
        return _DECODER.decode(stored) if stored else None

    async def use(self, token: str, session_id: str, now: Instant) -> Link:
        """Use a link up; the session that has just used it may do so again.

        Raises:
            NoSuchLink: There is none.
            LinkUsed, LinkExpired, LinkRevoked: It opens nothing any more.
        """
        key = _key(hash_of(token))
        with available():
            async with self._client.pipeline(transaction=True) as pipeline:
                for _ in range(_ATTEMPTS):
                    # Of several who use it at once, one gets in.
                    await pipeline.watch(key)
                    stored = await pipeline.get(key)
                    link = usable(_DECODER.decode(stored) if stored else None, session_id, now)
                    if link.used:
                        return link
                    link = msgspec.structs.replace(link, used=now, used_by=session_id)
                    pipeline.multi()  # type: ignore[no-untyped-call]
                    pipeline.set(key, _ENCODER.encode(link), keepttl=True)
                    try:
                        await pipeline.execute()
                    except redis.WatchError:
                        continue
                    return link
        raise Contended

    async def newest_of(self, person: str) -> Link | None:
        """Return the newest link to a person; None if there is none, or no longer."""
        with available():
            name = text_of(await self._client.get(_of_person(person)))
            stored = await self._client.get(_key(name)) if name else None
        return _DECODER.decode(stored) if stored else None

    async def revoke(self, person: str) -> None:
        """Take back the links to a person that were not used, also one that is in a mail."""
        for newest in _all_of(person):
            await self._end(newest)

    async def revoke_mailed(self, person: str) -> None:
        """Take back the link in a mail that was not used."""
        await self._end(_mailed_to(person))

    async def revoke_for_seat(self, player: str) -> None:
        """Take back the link to a seat that was not used."""
        await self._end(_of_player(player))

    async def erase(self, person: str) -> None:
        """Forget the links to a person."""
        for newest in _all_of(person):
            with available():
                name = text_of(await self._client.get(newest))
                await self._client.delete(newest, *([_key(name)] if name else []))

    async def _make(self, token: str, link: Link, newest: str) -> Link:
        known = await self.find(token)
        if known is not None:
            return known
        await self._end(newest)
        gone_at = milliseconds_of(link.until) + TOLD_SECONDS * 1000
        with available():
            async with self._client.pipeline(transaction=True) as pipeline:
                pipeline.set(_key(hash_of(token)), _ENCODER.encode(link), pxat=gone_at)
                pipeline.set(newest, hash_of(token), pxat=gone_at)
                await pipeline.execute()
        return link

    async def _end(self, newest: str) -> None:
        with available():
            name = text_of(await self._client.get(newest))
            stored = await self._client.get(_key(name)) if name else None
            if stored:
                ended = msgspec.structs.replace(_DECODER.decode(stored), revoked=True)
                # Used in this very moment, it stays used or becomes revoked: neither lets a second one in.
                await self._client.set(_key(name), _ENCODER.encode(ended), keepttl=True, xx=True)


def usable(link: Link | None, session_id: str, now: Instant) -> Link:
    """Return a link that a session may use.

    Raises:
        NoSuchLink: There is none.
        LinkUsed, LinkExpired, LinkRevoked: It opens nothing any more.
    """
    if link is None:
        raise NoSuchLink
    match link.state(now):
        case "used":
            if link.used_by != session_id or seconds_between(link.used, now) > RETRY_SECONDS:
                raise LinkUsed
        case "expired":
            raise LinkExpired
        case "revoked":
            raise LinkRevoked
    return link


def _key(name: str) -> str:
    return f"tb:people:link:{name}"


def _of_person(person: str) -> str:
    return f"tb:people:person:{person}:link"


def _mailed_to(person: str) -> str:
    return f"tb:people:person:{person}:mailed"


def _proved_to(person: str) -> str:
    return f"tb:people:person:{person}:proved"


def _all_of(person: str) -> tuple[str, ...]:
    return _of_person(person), _mailed_to(person), _proved_to(person)


def _of_player(player: str) -> str:
    return f"tb:people:player:{player}:link"

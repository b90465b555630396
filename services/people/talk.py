"""Table talk: short messages and reactions of the people at a table. It is beside the log, and never in an export.

The log's server keeps, for each match at which somebody spoke, the stream ``tb:people:talk:<match>`` of its last
messages, and ``tb:people:talk:<match>:off`` if its host wants none; both are forgotten :data:`KEPT_SECONDS` after the
last word. For each person it keeps ``tb:people:person:<person>:talked``, the matches at which they spoke, and
``tb:people:person:<person>:muted``. ``tb:people:talk-feed`` tells all processes at which tables something was said.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import redis.asyncio

from domain.errors import Malformed
from domain.instants import Instant, instant_from_milliseconds
from services.errors import NotAllowed, TooManyRequests
from services.log.redis_errors import available
from services.people.dossiers import Whom
from services.people.stored_text import fields_of, text_of

LONGEST: Final = 280
"""Characters of a message."""

MOST_KEPT: Final = 200
"""Messages of a table; the oldest goes first."""

MOST_IN_A_MINUTE: Final = 12
"""Messages of one person at one table."""

KEPT_SECONDS: Final = 180 * 24 * 3600

REACTIONS: Final = ("well-played", "thanks", "sorry", "wow", "good-luck")

_FEED: Final = "tb:people:talk-feed"
_FED: Final = 1000
_SAID_SECONDS: Final = 600
"""For how long the same words under the same key are the same message."""


class TalkOff(NotAllowed):
    """The host wants no talk at this table."""

    code = "talk.off"


class NotYourMessage(NotAllowed):
    """Only its author and the host may delete a message."""

    code = "talk.not_yours"


class Message(NamedTuple):
    """Something that was said.

    Attributes:
        id: Its id; later ones sort behind.
        at: When.
        player: Who said it: their id at this match.
        text: What; empty for a reaction.
        reaction: One of :data:`REACTIONS`; empty for words.
    """

    id: str
    at: Instant
    player: str
    text: str
    reaction: str


class Talk:
    """Keeps what is said at tables. Methods may raise ``StoreUnavailable``."""

    def __init__(self, client: "redis.asyncio.Redis") -> None:
        self._client = client

    async def say(
        self, match: str, player: str, person: str, *, text: str = "", reaction: str = "", key: str = ""
    ) -> str:
        """Keep a message, or a reaction; return its id, empty if it was kept before.

        Args:
            match: The match.
            player: Who says it.
            person: The person; empty for who has only a token.
            text: The words.
            reaction: One of the reactions instead.
            key: The same words of the same player under the same key are said once; empty for no key.

        Raises:
            Malformed: It says nothing, or too much.
            TalkOff: The host wants no talk.
            TooManyRequests: They have said much within a minute.
        """
        said = tidy(text)
        if bool(said) == bool(reaction) or (reaction and reaction not in REACTIONS):
            raise Malformed("talk.malformed", "Say some words, or send one of the reactions.")
        if len(said) > LONGEST:
            raise Malformed("talk.too_long", f"A message has {LONGEST} characters at most.")
        if await self.is_off(match):
            raise TalkOff
        await self._require_patience(match, player)
        if key and not await self._is_new(match, player, f"{key}\n{said}\n{reaction}"):
            return ""
        fields = {name: value for name, value in (("p", player), ("t", said), ("r", reaction)) if value}
        with available():
            async with self._client.pipeline(transaction=True) as pipeline:
                pipeline.xadd(_key(match), fields, maxlen=MOST_KEPT, approximate=False)  # type: ignore[arg-type]
                pipeline.expire(_key(match), KEPT_SECONDS)
                pipeline.xadd(_FEED, {"m": match}, maxlen=_FED, approximate=True)
                if person:
                    pipeline.sadd(_talked(person), match)
                added, *_ = await pipeline.execute()
        return text_of(added)

    async def of(self, match: str) -> list[Message]:
        """Return what was said at a table, the oldest first."""
        with available():
            rows: Any = await self._client.xrange(_key(match))
        return [_message(text_of(row), fields_of(fields)) for row, fields in rows]

    async def delete(self, match: str, message: str, player: str, *, is_host: bool) -> bool:
        """Delete a message; tell whether it was there.

        Raises:
            NotYourMessage: It is somebody else's, and they are not the host.
        """
        found = next((one for one in await self.of(match) if one.id == message), None)
        if found is None:
            return False
        if found.player != player and not is_host:
            raise NotYourMessage
        with available():
            async with self._client.pipeline(transaction=True) as pipeline:
                pipeline.xdel(_key(match), found.id)
                pipeline.xadd(_FEED, {"m": match}, maxlen=_FED, approximate=True)
                await pipeline.execute()
        return True

    async def is_off(self, match: str) -> bool:
        """Tell whether the host wants no talk."""
        with available():
            return bool(await self._client.exists(_off(match)))

    async def switch(self, match: str, *, on: bool) -> None:
        """Let people talk at a table, or not."""
        with available():
            async with self._client.pipeline(transaction=True) as pipeline:
                if on:
                    pipeline.delete(_off(match))
                else:
                    pipeline.set(_off(match), 1, ex=KEPT_SECONDS)
                pipeline.xadd(_FEED, {"m": match}, maxlen=_FED, approximate=True)
                await pipeline.execute()

    async def muted(self, person: str) -> set[str]:
        """Return whom a person does not want to read: persons' ids, or players' of those who are nobody's."""
        if not person:
            return set()
        with available():
            return {text_of(one) for one in await self._client.smembers(_muted(person))}

    async def mute(self, person: str, author: str, *, on: bool) -> None:
        """Mute somebody for a person, or no longer."""
        with available():
            await (self._client.sadd if on else self._client.srem)(_muted(person), author)

    async def news(self, after: str) -> tuple[set[str], str]:
        """Return at which tables something was said since a place of the feed, and the next place.

        Args:
            after: The place; empty to begin at the present.
        """
        with available():
            if not after:
                newest: Any = await self._client.xrevrange(_FEED, count=1)
                return set(), text_of(newest[0][0]) if newest else "0-0"
            rows: Any = await self._client.xrange(_FEED, min=f"({after}")
        matches = {fields_of(fields)["m"] for _, fields in rows}
        return matches, text_of(rows[-1][0]) if rows else after

    async def spoken(self, person: str) -> set[str]:
        """Return at which matches a person spoke."""
        with available():
            return {text_of(one) for one in await self._client.smembers(_talked(person))}

    async def move(self, person: str, to: str) -> None:
        """Remember a person's words and wishes as another's."""
        with available():
            for key in (_talked, _muted):
                await self._client.sunionstore(key(to), [key(to), key(person)])

    async def erase(self, person: str, players: Sequence[str]) -> None:
        """Delete all that a person said, and whom they muted."""
        for match in await self.spoken(person):
            mine = [one.id for one in await self.of(match) if one.player in players]
            if mine:
                with available():
                    await self._client.xdel(_key(match), *mine)
        with available():
            await self._client.delete(_talked(person), _muted(person))

    async def _is_new(self, match: str, player: str, what: str) -> bool:
        name = hashlib.sha256(f"{player}\n{what}".encode()).hexdigest()[:32]
        with available():
            return bool(await self._client.set(f"{_key(match)}:said:{name}", 1, ex=_SAID_SECONDS, nx=True))

    async def _require_patience(self, match: str, player: str) -> None:
        key = f"{_key(match)}:rate:{player}"
        with available():
            async with self._client.pipeline(transaction=True) as pipeline:
                pipeline.set(key, 0, ex=60, nx=True)
                pipeline.incr(key)
                pipeline.ttl(key)
                _, count, wait = await pipeline.execute()
        if count > MOST_IN_A_MINUTE:
            raise TooManyRequests(max(1, wait))


class WordsAtTables:
    """The kind of a dossier: what they said at tables, and whom they muted."""

    name: Final = "talk"

    def __init__(self, talk: Talk) -> None:
        self._talk = talk

    async def shown(self, whom: Whom) -> Any:
        """Return their words by match; whom they muted is others'."""
        found: dict[str, list[dict[str, str]]] = {}
        for match in await self._talk.spoken(whom.person):
            said = [one for one in await self._talk.of(match) if one.player in whom.players]
            found[match] = [{"at": one.at, "said": one.text or one.reaction} for one in said]
        return found

    async def move(self, whom: Whom, to: str) -> None:
        """Let the words be the other person's: they belong to seats, which go along."""
        await self._talk.move(whom.person, to)

    async def erase(self, whom: Whom) -> None:
        """Delete their words."""
        await self._talk.erase(whom.person, whom.players)


def tidy(text: str) -> str:
    """Return a text on one line, without characters that are not seen."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def _message(message_id: str, fields: Mapping[str, str]) -> Message:
    at = instant_from_milliseconds(int(message_id.partition("-")[0]))
    return Message(message_id, at, fields.get("p", ""), fields.get("t", ""), fields.get("r", ""))


def _key(match: str) -> str:
    return f"tb:people:talk:{match}"


def _off(match: str) -> str:
    return f"{_key(match)}:off"


def _talked(person: str) -> str:
    return f"tb:people:person:{person}:talked"


def _muted(person: str) -> str:
    return f"tb:people:person:{person}:muted"

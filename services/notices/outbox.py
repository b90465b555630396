"""The outbox: what is planned, entered, to be sent, on its way, delivered.

An entry is one occasion for one person through one channel. It is written once (``enter.lua``), however often somebody
looks. The log's server keeps, all in one slot:

- ``tb:{notices}:plans``: occasions by the millisecond at which to look whether they still hold;
- ``tb:{notices}:entries:<match>``: entries by kind, turn, player and channel; of what is about no match, by its turn;
- ``tb:{notices}:outgoing``: entries that wait to be put into a message;
- ``tb:{notices}:message:<id>`` and ``tb:{notices}:sending``: messages, and when each is tried next;
- ``tb:{notices}:dead``: messages that were given up;
- ``tb:{notices}:nudges:<match>``: when each player was nudged last, for two days;
- ``tb:{notices}:log`` and ``tb:{notices}:log:<person>``: what was delivered, newest first.

This is stored data with backups: derived from the log anew, it would tell people again what they were told.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import msgspec
import redis.asyncio

from domain.instants import Instant, instant_from_milliseconds, milliseconds_of
from services.log.event_store.scripts import Script, read_script
from services.log.redis_errors import available
from services.notices.choices import Channel
from services.notices.messages import Delivery, Message
from services.notices.occasions import Name
from services.people.stored_text import fields_of, text_of

ENTRIES_KEPT: Final = 90 * 24 * 3600
"""Seconds after the last entry of a match for which its entries are kept, so that nothing is told twice."""

NUDGE_SECONDS: Final = 24 * 3600
"""How long after a nudge the same player may be nudged again at the same match."""

_LAST_KEPT: Final = 3600
MESSAGES_KEPT: Final = 30 * 24 * 3600
LOGGED: Final = 5000
LOGGED_OF_PERSON: Final = 100
CLAIM_SECONDS: Final = 120
"""How long one attempt at a delivery may take before another may begin."""

_REACHED: Final = "reached:"
_PLANS: Final = "tb:{notices}:plans"
_OUTGOING: Final = "tb:{notices}:outgoing"
_SENDING: Final = "tb:{notices}:sending"
_DEAD: Final = "tb:{notices}:dead"
_LOG: Final = "tb:{notices}:log"
_ENTER, _TAKE, _CLAIM, _NUDGE = (
    read_script("services.notices", name) for name in ("enter", "take", "claim", "nudge")
)

_NAME: Final = msgspec.json.Decoder(Name)
_MESSAGE: Final = msgspec.json.Decoder(Message)
_DELIVERY: Final = msgspec.json.Decoder(Delivery)


class Outgoing(NamedTuple):
    """An entry that waits to be put into a message."""

    person: str
    channel: Channel
    occasion: Name


_OUTGOING_DECODER: Final = msgspec.json.Decoder(Outgoing)


class Claimed(NamedTuple):
    """A message for one attempt.

    Attributes:
        attempt: Which attempt it is, from 1.
    """

    message: Message
    attempt: int


class Outbox:
    """What is told to whom. Methods may raise ``StoreUnavailable``."""

    def __init__(self, client: "redis.asyncio.Redis") -> None:
        self._client = client

    async def plan(self, occasions: Iterable[tuple[Name, Instant]]) -> None:
        """Plan to look at occasions at instants; one that is planned already keeps its instant."""
        planned = {msgspec.json.encode(occasion): milliseconds_of(at) for occasion, at in occasions}
        if planned:
            with available():
                await self._client.zadd(_PLANS, planned, nx=True)

    async def plan_anew(self, occasion: Name, at: Instant) -> None:
        """Look at a planned occasion at another instant."""
        with available():
            await self._client.zadd(_PLANS, {msgspec.json.encode(occasion): milliseconds_of(at)})

    async def drop(self, occasion: Name) -> None:
        """Forget a plan: there is nothing to tell any more."""
        with available():
            await self._client.zrem(_PLANS, msgspec.json.encode(occasion))

    async def planned(self, now: Instant, most: int) -> list[Name]:
        """Return occasions that are to be looked at now."""
        return [_NAME.decode(one) for one in await self._due(_PLANS, now, most)]

    async def nudge(self, occasion: Name, now: Instant) -> Instant | None:
        """Take note of a nudge, and plan to tell it now; return when there was one less than a day ago instead."""
        present = milliseconds_of(now)
        arguments = (
            occasion.player,
            present,
            present - NUDGE_SECONDS * 1000,
            msgspec.json.encode(occasion),
            2 * NUDGE_SECONDS,
        )
        before = await self._run(_NUDGE, [_nudges(occasion.match), _PLANS], arguments)
        return instant_from_milliseconds(before) if isinstance(before, int) and before else None

    async def nudges(self, match: str, now: Instant) -> dict[str, Instant]:
        """Return who was nudged at a match within a day, and when."""
        with available():
            stored = fields_of(await self._client.hgetall(_nudges(match)))
        earliest = milliseconds_of(now) - NUDGE_SECONDS * 1000
        return {
            player: instant_from_milliseconds(int(at)) for player, at in stored.items() if int(at) > earliest
        }

    async def enter(self, occasion: Name, person: str, channels: Iterable[tuple[Channel, Instant]]) -> int:
        """Enter an occasion for a person through channels, each from an instant on; return how many were new."""
        arguments: list[str | bytes | int] = [msgspec.json.encode(occasion), ENTRIES_KEPT]
        for channel, at in channels:
            outgoing = msgspec.json.encode(Outgoing(person, channel, occasion))
            arguments += [entry_field(occasion, channel), person, outgoing, milliseconds_of(at)]
        new = await self._run(
            _ENTER, [_entries(occasion.match or occasion.turn), _OUTGOING, _PLANS], arguments
        )
        return new if isinstance(new, int) else 0

    async def entries(self, match: str) -> dict[str, str]:
        """Return a match's entries: by field, the person. See :func:`entry_field`."""
        with available():
            stored = await self._client.hgetall(_entries(match))
        return {text_of(field): text_of(person) for field, person in stored.items()}

    async def outgoing(self, now: Instant, most: int) -> list[Outgoing]:
        """Return entries that may go out now, the earliest first."""
        return [_OUTGOING_DECODER.decode(one) for one in await self._due(_OUTGOING, now, most)]

    async def put_off(self, entries: Iterable[Outgoing], until: Instant) -> None:
        """Let entries wait until an instant."""
        waiting = {msgspec.json.encode(entry): milliseconds_of(until) for entry in entries}
        if waiting:
            with available():
                await self._client.zadd(_OUTGOING, waiting, xx=True)

    async def withdraw(self, entries: Iterable[Outgoing]) -> None:
        """Take entries back that are pointless by now."""
        members = [msgspec.json.encode(entry) for entry in entries]
        if members:
            with available():
                await self._client.zrem(_OUTGOING, *members)

    async def take(self, message: Message, entries: Sequence[Outgoing], now: Instant) -> bool:
        """Make a message of entries; tell whether nobody else did."""
        content, written = msgspec.json.encode(message), milliseconds_of(now)
        arguments: tuple[str | bytes | int, ...] = (message.id, content, written, MESSAGES_KEPT)
        keys = [_OUTGOING, _SENDING, _message(message.id)]
        members = tuple(msgspec.json.encode(entry) for entry in entries)
        taken = bool(await self._run(_TAKE, keys, arguments + members))
        if taken:
            with available():
                await self._client.set(_last(message.person, message.channel), now, ex=_LAST_KEPT)
        return taken

    async def last_sent(self, person: str, channel: Channel) -> Instant | None:
        """Return when the last message to a person through a channel was written; None if that is long ago."""
        with available():
            stored = text_of(await self._client.get(_last(person, channel)))
        return Instant(stored) if stored else None

    async def on_their_way(self, now: Instant, most: int) -> list[str]:
        """Return the ids of messages that are to be tried now."""
        return await self._due(_SENDING, now, most)

    async def claim(self, message_id: str, now: Instant) -> Claimed | None:
        """Claim a message for one attempt; None if there is nothing to do about it now."""
        present = milliseconds_of(now)
        arguments = (message_id, present, present + CLAIM_SECONDS * 1000)
        answer = await self._run(_CLAIM, [_SENDING, _message(message_id)], arguments)
        match answer:
            case [bytes(content), int(attempt)]:
                return Claimed(_MESSAGE.decode(content), attempt)
        return None

    async def reached(self, message_id: str) -> set[str]:
        """Return the numbers of the contacts that have a message already."""
        with available():
            fields = fields_of(await self._client.hgetall(_message(message_id)))
        return {name.removeprefix(_REACHED) for name in fields if name.startswith(_REACHED)}

    async def note_reached(self, message_id: str, number: str) -> None:
        """Note that a contact has a message."""
        with available():
            await self._client.hset(_message(message_id), f"{_REACHED}{number}", 1)

    async def settle(self, claimed: Claimed, delivery: Delivery, again_at: Instant | None = None) -> None:
        """Note how an attempt ended: delivered, to be tried again at an instant, or given up."""
        message, encoded = claimed.message, msgspec.json.encode(delivery)
        with available():
            async with self._client.pipeline(transaction=True) as pipeline:
                pipeline.hset(_message(message.id), "state", delivery.result)
                if again_at is not None:
                    pipeline.zadd(_SENDING, {message.id: milliseconds_of(again_at)})
                else:
                    pipeline.zrem(_SENDING, message.id)
                if delivery.result == "dead":
                    pipeline.zadd(_DEAD, {message.id: milliseconds_of(delivery.at)})
                for key, most in ((_LOG, LOGGED), (_log(message.person), LOGGED_OF_PERSON)):
                    pipeline.lpush(key, encoded)
                    pipeline.ltrim(key, 0, most - 1)
                pipeline.expire(_log(message.person), ENTRIES_KEPT)
                await pipeline.execute()

    async def deliveries(self, person: str = "", most: int = LOGGED_OF_PERSON) -> list[Delivery]:
        """Return what was delivered to a person, or to everybody, newest first."""
        with available():
            stored = await self._client.lrange(_log(person) if person else _LOG, 0, most - 1)
        return [_DELIVERY.decode(one) for one in stored]

    async def dead(self, most: int = 100) -> list[Message]:
        """Return messages that were given up, the newest first."""
        with available():
            ids = [text_of(one) for one in await self._client.zrange(_DEAD, 0, most - 1, desc=True)]
            found = [await self._client.hget(_message(one), "content") for one in ids]
        return [_MESSAGE.decode(content) for content in found if content]

    async def retry(self, message_id: str, now: Instant) -> bool:
        """Try a message again that was given up; tell whether there is one."""
        with available():
            if not await self._client.zrem(_DEAD, message_id):
                return False
            if not await self._client.exists(_message(message_id)):
                return False
            await self._client.zadd(_SENDING, {message_id: milliseconds_of(now)})
        return True

    async def waiting(self) -> dict[str, int]:
        """Return how many occasions are planned, entries outgoing, messages on their way and given up."""
        keys = {"planned": _PLANS, "outgoing": _OUTGOING, "sending": _SENDING, "dead": _DEAD}
        with available():
            return {name: await self._client.zcard(key) for name, key in keys.items()}

    async def late_seconds(self, now: Instant) -> float:
        """Return for how long the message that has waited longest is due to be tried; 0 if none is."""
        with available():
            first = await self._client.zrange(_SENDING, 0, 0, withscores=True)
        return max(0.0, (milliseconds_of(now) - float(first[0][1])) / 1000) if first else 0.0

    async def erase(self, person: str) -> None:
        """Forget what was sent to a person."""
        with available():
            await self._client.delete(_log(person))
            logged = await self._client.lrange(_LOG, 0, -1)
            for one in logged:
                if _DELIVERY.decode(one).person == person:
                    await self._client.lrem(_LOG, 0, text_of(one))
        for message in await self.dead(LOGGED):
            if message.person == person:
                with available():
                    await self._client.zrem(_DEAD, message.id)
                    await self._client.delete(_message(message.id))

    async def _due(self, key: str, now: Instant, most: int) -> list[str]:
        with available():
            found = await self._client.zrange(
                key, "-inf", milliseconds_of(now), byscore=True, offset=0, num=most
            )
        return [text_of(one) for one in found]

    async def _run(
        self, script: Script, keys: Sequence[str], arguments: Sequence[str | bytes | int]
    ) -> object:
        with available():
            return await self._client.eval(script.text.decode(), len(keys), *keys, *arguments)


def entry_field(occasion: Name, channel: Channel) -> str:
    """Return the name of an entry within its match."""
    return f"{occasion.kind} {occasion.turn} {occasion.player} {channel}"


def _entries(match: str) -> str:
    return f"tb:{{notices}}:entries:{match}"


def _nudges(match: str) -> str:
    return f"tb:{{notices}}:nudges:{match}"


def _message(message_id: str) -> str:
    return f"tb:{{notices}}:message:{message_id}"


def _last(person: str, channel: Channel) -> str:
    return f"tb:{{notices}}:last:{person}:{channel}"


def _log(person: str) -> str:
    return f"tb:{{notices}}:log:{person}"

"""Bringing news to the streams.

One follower of the feed for the whole process, and one reading of a match for all who look on.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import structlog

from api.streams.messages import News, envelopes_of, news_of
from domain.errors import TableeError
from services.errors import StoreUnavailable
from services.log.event_store.contract import EventStore, Pointer
from services.log.event_store.errors import NotRegistered
from services.log.subscription import Subscription

_log = structlog.get_logger(__name__)

MOST_STREAMS: Final = 2000
"""Open streams of one process."""

MOST_OF_PERSON: Final = 40
"""How many of them one person, or one browser, may have: eight devices with five pages each."""

MOST_OF_ADDRESS: Final = 400
"""How many of them may come from one address, behind which a whole club may sit."""

MOST_WAITING: Final = 64
"""Rows of events that may wait for a reader; one who is slower is cut off, and goes on where he was."""

SLOW: Final = "too slow"

_BLOCK: Final = 5.0
_COUNT: Final = 500
_PAUSE: Final = 0.5
_GATHER: Final = 0.005
"""Seconds in which news gathers: at many commands a second one look at the feed serves several."""


class StreamsFull(TableeError):
    """This process has as many open streams as it can serve."""

    code = "streams.full"


class TooManyStreams(TableeError):
    """One person, or one address, has as many open streams as are its share; others still find room."""

    code = "streams.too_many"


class Looker(NamedTuple):
    """Who opens a stream, for their share; empty where that is not known.

    Attributes:
        address: The name of the address.
        person: What stands for the person, or for their browser.
    """

    address: str = ""
    person: str = ""

    @property
    def shares(self) -> Iterator[tuple[str, int]]:
        """What the stream counts against, with how many there may be."""
        if self.address:
            yield f"address {self.address}", MOST_OF_ADDRESS
        if self.person:
            yield f"person {self.person}", MOST_OF_PERSON


class Subscriber:
    """One open stream's end of the hub.

    Attributes:
        match: The match that it looks on.
        looker: Who looks on.
        seat: With whose eyes.
        news: What it has not sent yet; None says that it should read the log itself.
        ended: Done when the stream must end.
    """

    def __init__(self, match: str, seat: int | None, looker: Looker) -> None:
        self.match = match
        self.looker = looker
        self.seat = seat
        self.news: asyncio.Queue[News | None] = asyncio.Queue(MOST_WAITING)
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def offer(self, news: News | None) -> None:
        """Hand over news, unless the reader is too slow."""
        try:
            self.news.put_nowait(news)
        except asyncio.QueueFull:
            self.end(SLOW)

    def end(self, why: str) -> None:
        """End the stream."""
        if not self.ended.done():
            self.ended.set_result(why)


class Watcher:
    """The hub's end of a stream that tells only in which matches something happened.

    Attributes:
        matches: The matches that are watched; may change while the stream is open.
        looker: Who watches.
        versions: What is to be told, by match: its version.
        lost: Whether something may have been missed in any of them.
        stirred: Set when there is something to be told.
        ended: Done when the stream must end.
    """

    def __init__(self, matches: Iterable[str], looker: Looker) -> None:
        self.matches = set(matches)
        self.looker = looker
        self.versions: dict[str, int] = {}
        self.lost = False
        self.stirred = asyncio.Event()
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def tell(self, match: str, version: int) -> None:
        """Say how far a match is. Whoever reads slowly is told the newest only."""
        if match in self.matches:
            self.versions[match] = version
            self.stirred.set()

    def tell_lost(self) -> None:
        """Say that something may have been missed."""
        self.lost = True
        self.stirred.set()

    def end(self, why: str) -> None:
        """End the stream."""
        if not self.ended.done():
            self.ended.set_result(why)


class StreamHub:
    """All open streams of a process."""

    def __init__(self, store: EventStore) -> None:
        """Take the log."""
        self.store = store
        self._subscribers: dict[str, set[Subscriber]] = {}
        self._watchers: set[Watcher] = set()
        self._open = 0
        self._shares: Counter[str] = Counter()
        self._closed = False
        self._wanted = asyncio.Event()

    @property
    def open(self) -> int:
        """How many streams are open."""
        return self._open

    def require_room(self, looker: Looker) -> None:
        """Make sure that there is room for one more stream, before anything is done for it.

        Raises:
            StreamsFull: There is none.
            TooManyStreams: There is none for this person, or for this address.
        """
        if self._closed or self._open >= MOST_STREAMS:
            raise StreamsFull
        for share, most in looker.shares:
            if self._shares[share] >= most:
                raise TooManyStreams(share)

    def subscribe(self, match: str, seat: int | None, looker: Looker) -> Subscriber:
        """Take news of a match from now on. Whoever subscribes must unsubscribe, whatever happens.

        Raises:
            StreamsFull: There are too many streams already, or the process is about to end.
            TooManyStreams: This person, or this address, has its share already.
        """
        self.require_room(looker)
        subscriber = Subscriber(match, seat, looker)
        self._subscribers.setdefault(match, set()).add(subscriber)
        self._count(looker, 1)
        return subscriber

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Take no more news."""
        others = self._subscribers.get(subscriber.match, set())
        if subscriber in others:
            others.remove(subscriber)
            self._count(subscriber.looker, -1)
        if not others:
            self._subscribers.pop(subscriber.match, None)

    def watch(self, matches: Iterable[str], looker: Looker) -> Watcher:
        """Take note of where something happens from now on. Whoever watches must leave, whatever happens.

        Raises:
            StreamsFull: There are too many streams already, or the process is about to end.
            TooManyStreams: This person, or this address, has its share already.
        """
        self.require_room(looker)
        watcher = Watcher(matches, looker)
        self._watchers.add(watcher)
        self._count(looker, 1)
        return watcher

    def leave(self, watcher: Watcher) -> None:
        """Watch no more."""
        if watcher in self._watchers:
            self._watchers.remove(watcher)
            self._count(watcher.looker, -1)

    def _count(self, looker: Looker, change: int) -> None:
        self._open += change
        for share, _ in looker.shares:
            self._shares[share] += change
            if not self._shares[share]:
                del self._shares[share]
        if self._open:
            self._wanted.set()
        else:
            self._wanted.clear()

    def close(self) -> None:
        """End all streams, and let nobody open another: the process is about to end."""
        self._closed = True
        streams: list[Subscriber | Watcher] = [*self._all(), *self._watchers]
        for stream in streams:
            stream.end("the service stops")

    async def run(self) -> None:
        """Follow the feed while anybody looks on, until cancelled."""
        while True:
            # With nobody looking on, following would cost as much as every third move.
            await self._wanted.wait()
            await self._follow(Subscription(self.store))

    async def _follow(self, subscription: Subscription) -> None:
        while self._wanted.is_set():
            try:
                batch = await subscription.next(_COUNT, _BLOCK)
            except StoreUnavailable as error:
                _log.warning("feed_unavailable", error=str(error))
                await asyncio.sleep(_PAUSE)
                continue
            if batch.missed is not None:
                if not isinstance(batch.missed, NotRegistered):
                    _log.warning("feed_gap", reason=str(batch.missed))
                self._tell_missed()
            await self._tell(batch.pointers)
            await subscription.commit(batch)
            await asyncio.sleep(_GATHER if batch.pointers else 0)

    def _tell_missed(self) -> None:
        """Let every stream look for itself: nobody knows what was missed."""
        for subscriber in self._all():
            subscriber.offer(None)
        for watcher in self._watchers:
            watcher.tell_lost()

    async def _tell(self, pointers: Iterable[Pointer]) -> None:
        rows: dict[str, tuple[int, int]] = {}
        for pointer in pointers:
            for watcher in self._watchers:
                watcher.tell(pointer.match, pointer.last)
            if pointer.match in self._subscribers:
                first, _ = rows.get(pointer.match, (pointer.first, 0))
                rows[pointer.match] = first, pointer.last
        await asyncio.gather(*(self._publish(match, first, last) for match, (first, last) in rows.items()))

    async def _publish(self, match: str, first: int, last: int) -> None:
        try:
            entries = await self.store.read(match, after=first - 1, last=last)
            envelopes = envelopes_of(entries)
        except (TableeError, ValueError) as error:
            _log.warning("stream_not_fed", match=match, first=first, error=str(error))
            entries, envelopes = [], ()
        shown: dict[int | None, News | None] = {}
        for subscriber in tuple(self._subscribers.get(match, ())):
            seat = subscriber.seat
            if seat not in shown:
                shown[seat] = news_of(entries, envelopes, seat) if entries else None
            subscriber.offer(shown[seat])

    def _all(self) -> list[Subscriber]:
        return [one for several in self._subscribers.values() for one in several]

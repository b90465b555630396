"""News for the streams: a process follows the feed once, and reads a match once for all its streams."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Final, NamedTuple

import structlog

from api.streams.messages import Eyes, News, envelopes_of, news_of
from domain.errors import TableeError
from services.errors import StoreUnavailable
from services.log.event_store.contract import EventStore, Pointer
from services.log.event_store.errors import NotRegistered
from services.log.subscription import Subscription

_log = structlog.get_logger(__name__)

MOST_STREAMS: Final = 2000
"""Open streams of one process."""

MOST_OF_PERSON: Final = 40
"""Streams of one person or browser: eight devices with five pages each."""

MOST_OF_ADDRESS: Final = 400
"""Streams from one address, which a whole club may share."""

MOST_WAITING: Final = 64
"""News that may wait for a reader. A slower reader is cut off, and may continue after the last event received."""

SLOW: Final = "too slow"

_BLOCK: Final = 5.0
_COUNT: Final = 500
_PAUSE: Final = 0.5
_HEARD_EVERY: Final = 0.5
"""Seconds between two looks at the feed of talk."""
_GATHER: Final = 0.005
"""Seconds in which news gathers: under load, one read of the feed serves several commands."""


class StreamsFull(TableeError):
    """This process has as many open streams as it can serve."""

    code = "streams.full"


class TooManyStreams(TableeError):
    """One person or address has its full share of streams; others still find room."""

    code = "streams.too_many"


class Looker(NamedTuple):
    """Who opens a stream, for their share; empty where unknown.

    Attributes:
        person: What stands for the person, or for their browser.
    """

    address: str = ""
    person: str = ""

    @property
    def shares(self) -> Iterator[tuple[str, int]]:
        """What the stream counts against, and the limit of each."""
        if self.address:
            yield f"address {self.address}", MOST_OF_ADDRESS
        if self.person:
            yield f"person {self.person}", MOST_OF_PERSON


class Stream:
    """The hub's end of one open stream.

    Attributes:
        ended: Done when the stream must end, with the reason.
    """

    def __init__(self, looker: Looker) -> None:
        self.looker = looker
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def end(self, why: str) -> None:
        """End the stream."""
        if not self.ended.done():
            self.ended.set_result(why)


class Subscriber(Stream):
    """A stream of one match's events.

    Attributes:
        eyes: Who reads it.
        news: What it has not sent yet; None makes it read the log itself.
    """

    def __init__(self, match: str, eyes: Eyes, looker: Looker) -> None:
        super().__init__(looker)
        self.match = match
        self.eyes = eyes
        self.news: asyncio.Queue[News | None] = asyncio.Queue(MOST_WAITING)

    def offer(self, news: News | None) -> None:
        """Queue news, or end the stream of a reader who is too slow."""
        try:
            self.news.put_nowait(news)
        except asyncio.QueueFull:
            self.end(SLOW)


class Watcher(Stream):
    """A stream that only tells which matches have changed.

    Attributes:
        matches: The watched matches; may change while the stream is open.
        versions: What to tell: the new version, by match.
        lost: Whether it may have missed something.
        partaking: The watched matches whose talk its reader may read.
        talked: At which of them something was said.
        stirred: Set when there is something to tell.
    """

    def __init__(self, matches: Iterable[str], looker: Looker) -> None:
        super().__init__(looker)
        self.matches = set(matches)
        self.versions: dict[str, int] = {}
        self.lost = False
        self.stirred = asyncio.Event()
        self.partaking: set[str] = set()
        self.talked: set[str] = set()

    def tell(self, match: str, version: int) -> None:
        """Note a match's version. A slow reader gets only the newest."""
        if match in self.matches:
            self.versions[match] = version
            self.stirred.set()

    def tell_talk(self, matches: Iterable[str]) -> None:
        """Note at which matches something was said."""
        heard = self.partaking.intersection(matches)
        if heard:
            self.talked |= heard
            self.stirred.set()

    def tell_lost(self) -> None:
        """Note that something may have been missed."""
        self.lost = True
        self.stirred.set()


class StreamHub:
    """All open streams of a process."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self._subscribers: dict[str, set[Subscriber]] = {}
        self._watchers: set[Watcher] = set()
        self._open: set[Stream] = set()
        self._shares: Counter[str] = Counter()
        self._closed = False
        self._wanted = asyncio.Event()

    @property
    def open(self) -> int:
        """How many streams are open."""
        return len(self._open)

    def require_room(self, looker: Looker) -> None:
        """Make sure that there is room for one more stream.

        Raises:
            StreamsFull: There is none, or the process is about to end.
            TooManyStreams: This person or address has its full share.
        """
        if self._closed or self.open >= MOST_STREAMS:
            raise StreamsFull
        for share, most in looker.shares:
            if self._shares[share] >= most:
                raise TooManyStreams(share)

    def subscribe(self, match: str, eyes: Eyes, looker: Looker) -> Subscriber:
        """Open a stream of a match's events. It must always :meth:`leave` in the end.

        Raises:
            StreamsFull: There are too many streams already, or the process is about to end.
            TooManyStreams: This person, or this address, has its share already.
        """
        self.require_room(looker)
        subscriber = Subscriber(match, eyes, looker)
        self._subscribers.setdefault(match, set()).add(subscriber)
        self._enter(subscriber)
        return subscriber

    def watch(self, matches: Iterable[str], looker: Looker) -> Watcher:
        """Open a stream that tells which matches change. It must always :meth:`leave` in the end.

        Raises:
            StreamsFull: There are too many streams already, or the process is about to end.
            TooManyStreams: This person, or this address, has its share already.
        """
        self.require_room(looker)
        watcher = Watcher(matches, looker)
        self._watchers.add(watcher)
        self._enter(watcher)
        return watcher

    def _enter(self, stream: Stream) -> None:
        self._open.add(stream)
        self._shares.update(share for share, _ in stream.looker.shares)
        self._wanted.set()

    def leave(self, stream: Subscriber | Watcher) -> None:
        """Release everything held for a stream."""
        if stream not in self._open:
            return
        self._open.remove(stream)
        self._shares -= Counter(share for share, _ in stream.looker.shares)
        if isinstance(stream, Watcher):
            self._watchers.discard(stream)
        else:
            others = self._subscribers[stream.match]
            others.remove(stream)
            if not others:
                del self._subscribers[stream.match]
        if not self._open:
            self._wanted.clear()

    def close(self) -> None:
        """End all streams and refuse new ones: the process is about to end."""
        self._closed = True
        for stream in self._open:
            stream.end("the service stops")

    async def run(self) -> None:
        """Follow the feed while any stream is open, until cancelled."""
        while True:
            # Without streams, following would cost a third of what moves cost.
            await self._wanted.wait()
            await self._follow(Subscription(self.store))

    async def run_talk(self, news: Callable[[str], Awaitable[tuple[set[str], str]]]) -> None:
        """Tell what is said at tables while any stream is open, until cancelled.

        Args:
            news: Returns at which matches something was said since a place of the feed of talk, and the next place.
        """
        place = ""
        while True:
            if not self._wanted.is_set():
                await self._wanted.wait()
                place = ""
            try:
                matches, place = await news(place)
            except StoreUnavailable:
                matches = set()
            if matches:
                for watcher in self._watchers:
                    watcher.tell_talk(matches)
            await asyncio.sleep(_HEARD_EVERY)

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
        """Make every stream read for itself: nobody knows what was missed."""
        for subscriber in (one for several in self._subscribers.values() for one in several):
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
        shown: dict[Eyes, News | None] = {}
        for subscriber in tuple(self._subscribers.get(match, ())):
            eyes = subscriber.eyes
            if eyes not in shown:
                shown[eyes] = news_of(entries, envelopes, eyes) if entries else None
            subscriber.offer(shown[eyes])

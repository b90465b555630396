"""Bringing news to the streams: a process follows the feed once, and reads a match once for all who look on."""

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
"""Pieces of news that may wait for a reader; a slower one is cut off, and comes back to where they were."""

SLOW: Final = "too slow"

_BLOCK: Final = 5.0
_COUNT: Final = 500
_PAUSE: Final = 0.5
_GATHER: Final = 0.005
"""Seconds in which news gathers: with many commands a second, one look at the feed serves several."""


class StreamsFull(TableeError):
    """This process has as many open streams as it can serve."""

    code = "streams.full"


class TooManyStreams(TableeError):
    """One person, or one address, has as many open streams as are its share; others still find room."""

    code = "streams.too_many"


class Looker(NamedTuple):
    """Who opens a stream, for their share; empty where that is not known.

    Attributes:
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


class Stream:
    """The hub's end of one open stream.

    Attributes:
        looker: Who looks on.
        ended: Done when the stream must end; says why.
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
        seat: With whose eyes it looks on.
        news: What it has not sent yet; None tells it to read the log itself.
    """

    def __init__(self, match: str, seat: int | None, looker: Looker) -> None:
        super().__init__(looker)
        self.match = match
        self.seat = seat
        self.news: asyncio.Queue[News | None] = asyncio.Queue(MOST_WAITING)

    def offer(self, news: News | None) -> None:
        """Hand over news, unless the reader is too slow."""
        try:
            self.news.put_nowait(news)
        except asyncio.QueueFull:
            self.end(SLOW)


class Watcher(Stream):
    """A stream that tells only in which matches something happened.

    Attributes:
        matches: The matches that are watched; may change while the stream is open.
        versions: What is to be told, by match: its version.
        lost: Whether something may have been missed in any of them.
        stirred: Set when there is something to be told.
    """

    def __init__(self, matches: Iterable[str], looker: Looker) -> None:
        super().__init__(looker)
        self.matches = set(matches)
        self.versions: dict[str, int] = {}
        self.lost = False
        self.stirred = asyncio.Event()

    def tell(self, match: str, version: int) -> None:
        """Say how far a match is. A slow reader hears only the newest version."""
        if match in self.matches:
            self.versions[match] = version
            self.stirred.set()

    def tell_lost(self) -> None:
        """Say that something may have been missed."""
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
        """Make sure that there is room for one more stream, before anything is done for it.

        Raises:
            StreamsFull: There is none, or the process is about to end.
            TooManyStreams: There is none for this person, or for this address.
        """
        if self._closed or self.open >= MOST_STREAMS:
            raise StreamsFull
        for share, most in looker.shares:
            if self._shares[share] >= most:
                raise TooManyStreams(share)

    def subscribe(self, match: str, seat: int | None, looker: Looker) -> Subscriber:
        """Open a stream of a match's events. Whatever happens, it must leave in the end.

        Raises:
            StreamsFull: There are too many streams already, or the process is about to end.
            TooManyStreams: This person, or this address, has its share already.
        """
        self.require_room(looker)
        subscriber = Subscriber(match, seat, looker)
        self._subscribers.setdefault(match, set()).add(subscriber)
        self._enter(subscriber)
        return subscriber

    def watch(self, matches: Iterable[str], looker: Looker) -> Watcher:
        """Open a stream that tells where something happens. Whatever happens, it must leave in the end.

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
        """Hold nothing for a stream any more."""
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
        """End all streams, and let nobody open another: the process is about to end."""
        self._closed = True
        for stream in self._open:
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
        shown: dict[int | None, News | None] = {}
        for subscriber in tuple(self._subscribers.get(match, ())):
            seat = subscriber.seat
            if seat not in shown:
                shown[seat] = news_of(entries, envelopes, seat) if entries else None
            subscriber.offer(shown[seat])

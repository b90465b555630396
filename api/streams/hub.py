"""News for the streams: a process follows the feed where somebody watches, and reads a match once for all of them."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable
from typing import Final, TypeVar

import structlog

from api.streams.messages import Eyes, Messages, News
from api.streams.open_streams import Looker, Stream, Subscriber, Watcher
from api.streams.watched_feed import WatchedFeed
from domain.errors import TableeError
from services.errors import StoreUnavailable
from services.log.event_store.contract import EventStore, Pointer

_log = structlog.get_logger(__name__)

MOST_STREAMS: Final = 2000
"""Open streams of one process."""

_BLOCK: Final = 5.0
_COUNT: Final = 500
_PAUSE: Final = 0.5
_HEARD_EVERY: Final = 0.5
"""Seconds between two looks at the feed of talk."""
_GATHER: Final = 0.005
"""Seconds in which news gathers: under load, one read of the feed serves several commands."""


AnyStream = TypeVar("AnyStream", bound=Stream)


class StreamsFull(TableeError):
    """This process has as many open streams as it can serve."""

    code = "streams.full"


class TooManyStreams(TableeError):
    """One person or address has its full share of streams; others still find room."""

    code = "streams.too_many"


class StreamHub:
    """All open streams of a process."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self._feed = WatchedFeed(store)
        self._subscribers: dict[str, set[Subscriber]] = {}
        self._watchers: set[Watcher] = set()
        self._watching: dict[str, set[Watcher]] = {}
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
        self._feed.enter((match,))
        self._enter(subscriber)
        return subscriber

    def watch(self, matches: Iterable[str], looker: Looker) -> Watcher:
        """Open a stream that tells which matches change. It must always :meth:`leave` in the end.

        Raises:
            StreamsFull: There are too many streams already, or the process is about to end.
            TooManyStreams: This person, or this address, has its share already.
        """
        self.require_room(looker)
        watcher = Watcher(looker)
        self._watchers.add(watcher)
        self.watch_instead(watcher, matches)
        self._enter(watcher)
        return watcher

    def watch_instead(self, watcher: Watcher, matches: Iterable[str]) -> None:
        """Let a stream tell of other matches from now on."""
        before, watcher.matches = watcher.matches, frozenset(matches)
        for match in watcher.matches - before:
            self._watching.setdefault(match, set()).add(watcher)
        for match in before - watcher.matches:
            _drop(self._watching, match, watcher)
        self._feed.enter(watcher.matches - before)
        self._feed.leave(before - watcher.matches)

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
            self.watch_instead(stream, ())
            self._watchers.discard(stream)
        else:
            _drop(self._subscribers, stream.match, stream)
            self._feed.leave((stream.match,))
        if not self._open:
            self._wanted.clear()

    def close(self) -> None:
        """End all streams and refuse new ones: the process is about to end."""
        self._closed = True
        for stream in self._open:
            stream.end("the service stops")

    async def run(self) -> None:
        """Follow the feed where somebody watches, until cancelled."""
        while True:
            try:
                part = await self._feed.next(_COUNT, _BLOCK)
            except StoreUnavailable as error:
                _log.warning("feed_unavailable", error=str(error))
                await asyncio.sleep(_PAUSE)
                continue
            if part.anew:
                self._tell_anew(part.anew)
            await self._tell(part.pointers)
            await asyncio.sleep(_GATHER if part.pointers else 0)

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

    def _tell_anew(self, shards: Collection[int]) -> None:
        """Make the streams of some shards read for themselves: what happened there may have been told to nobody."""
        for match, subscribers in self._subscribers.items():
            if self._feed.shard_of(match) in shards:
                for subscriber in subscribers:
                    subscriber.offer(None)
        for match, watchers in self._watching.items():
            if self._feed.shard_of(match) in shards:
                for watcher in watchers:
                    watcher.tell_lost()

    async def _tell(self, pointers: Iterable[Pointer]) -> None:
        rows: dict[str, tuple[int, int]] = {}
        for pointer in pointers:
            for watcher in self._watching.get(pointer.match, ()):
                watcher.tell(pointer.match, pointer.last)
            if pointer.match in self._subscribers:
                first, _ = rows.get(pointer.match, (pointer.first, 0))
                rows[pointer.match] = first, pointer.last
        await asyncio.gather(*(self._publish(match, first, last) for match, (first, last) in rows.items()))

    async def _publish(self, match: str, first: int, last: int) -> None:
        try:
            entries = await self.store.read(match, after=first - 1, last=last)
            messages = Messages(entries) if entries else None
        except (TableeError, ValueError) as error:
            _log.warning("stream_not_fed", match=match, first=first, error=str(error))
            messages = None
        shown: dict[Eyes, News | None] = {}
        for subscriber in tuple(self._subscribers.get(match, ())):
            eyes = subscriber.eyes
            if eyes not in shown:
                shown[eyes] = None if messages is None else messages.news(eyes)
            subscriber.offer(shown[eyes])


def _drop(streams: dict[str, set[AnyStream]], match: str, stream: AnyStream) -> None:
    streams[match].remove(stream)
    if not streams[match]:
        del streams[match]

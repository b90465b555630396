"""What the hub holds of each open stream: who reads it, and what it has still to tell."""

import asyncio
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from api.streams.messages import Eyes, News

MOST_OF_PERSON: Final = 40
"""Streams of one person or browser: eight devices with five pages each."""

MOST_OF_ADDRESS: Final = 400
"""Streams from one address, which a whole club may share."""

MOST_WAITING: Final = 64
"""News that may wait for a reader. A slower reader is cut off, and may continue after the last event received."""

SLOW: Final = "too slow"


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
        matches: The watched matches; the hub changes them.
        versions: What to tell: the new version, by match.
        lost: Whether it may have missed something.
        partaking: The watched matches whose talk its reader may read.
        talked: At which of them something was said.
        stirred: Set when there is something to tell.
    """

    def __init__(self, looker: Looker) -> None:
        super().__init__(looker)
        self.matches: frozenset[str] = frozenset()
        self.versions: dict[str, int] = {}
        self.lost = False
        self.stirred = asyncio.Event()
        self.partaking: set[str] = set()
        self.talked: set[str] = set()

    def tell(self, match: str, version: int) -> None:
        """Note the version of a watched match. A slow reader gets only the newest."""
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

"""The HTTP API as commands read it that need no store."""

import time
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urlencode

import httpx
import msgspec

from api.command_line.playing.client import Client, EventLine, EventList, bearer, content_of
from services.projections.matches import MatchRow

_PAGE: Final = "200"
_PAUSE: Final = 0.2
_SILENCE: Final = 60.0
"""Seconds without a word after which a stream is dead: a live one says now and then that it is."""


class _MatchPage(msgspec.Struct, frozen=True):
    matches: tuple[MatchRow, ...]
    next: str | None


class _DigestList(msgspec.Struct, frozen=True):
    latest: int


class RemoteClient(Client):
    """One service, read."""

    def matches(self, **wanted: str | None) -> Iterator[MatchRow]:
        """Yield the matches that one may see and that fit the filters of ``GET /matches``, newest change first."""
        after: str | None = None
        while True:
            query = _query(**wanted, limit=_PAGE, after=after)
            page = msgspec.json.decode(self.get(f"/matches?{query}"), type=_MatchPage)
            yield from page.matches
            after = page.next
            if after is None:
                return

    def at(self, match: str, version: int, eyes: str | None) -> dict[str, Any]:
        """Return a match as it stood at a version."""
        return self._object(f"/matches/{match}/at/{version}?{_query(**{'as': eyes})}")

    def event(self, match: str, version: int) -> EventLine:
        """Return one event."""
        answer = self.get(f"/matches/{match}/events?after={version - 1}&limit=1&format=json")
        return msgspec.json.decode(answer, type=EventList).events[0]

    def difference(self, match: str, before: int, after: int | None, eyes: str | None) -> dict[str, Any]:
        """Return what changes between two versions."""
        query = _query(before=str(before), after=None if after is None else str(after), **{"as": eyes})
        return self._object(f"/matches/{match}/difference?{query}")

    def latest_digest(self) -> int:
        """Return the number of the newest digest; 0 when there is none."""
        return msgspec.json.decode(self.get("/digests"), type=_DigestList).latest

    def digest(self, number: int, place: str | None = None) -> bytes:
        """Return a digest's file; with a match's h(0), behind it the piece that has the match."""
        return self.get(f"/digests/{number}" if place is None else f"/digests/{number}/{place}")

    def readiness(self) -> dict[str, Any]:
        """Return what the service says of itself, ready or not."""
        answer = self.sent("GET", "/health/ready", {}, None)
        if answer.status_code != httpx.codes.SERVICE_UNAVAILABLE:
            content_of(answer)
        found: dict[str, Any] = msgspec.json.decode(answer.content)
        return found

    def follow(self, match: str, after: int) -> Iterator[EventLine]:
        """Yield events as they come, until the match is over; after a break it goes on where it was.

        Raises:
            CommandFailed: The connection broke, and nobody answers.
        """
        while True:
            self.readiness()
            try:
                with self._stream(match, after) as answer:
                    if answer.status_code == httpx.codes.NO_CONTENT:
                        return
                    for event in _events(answer):
                        after = event.version
                        yield event
            except httpx.TransportError:
                pass
            time.sleep(_PAUSE)

    def _stream(self, match: str, after: int) -> Any:
        path = f"/matches/{match}/stream?after={after}"
        return self.http.stream("GET", path, headers=bearer(self.token), timeout=_SILENCE)

    def _object(self, path: str) -> dict[str, Any]:
        found: dict[str, Any] = msgspec.json.decode(self.get(path))
        return found


def _query(**fields: str | None) -> str:
    return urlencode({name: value for name, value in fields.items() if value is not None})


def _events(answer: httpx.Response) -> Iterator[EventLine]:
    if not answer.is_success:
        answer.read()
        content_of(answer)
    named = False
    for line in answer.iter_lines():
        name, _, value = line.partition(": ")
        if name == "data" and not named:
            yield msgspec.json.decode(value, type=EventLine)
        # What has a name of its own only says that the stream lives, or ends.
        named = name == "event" or (named and bool(line))

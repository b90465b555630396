"""Positions of long matches, kept over restarts: the first look back after one need not fold thousands of events.

They are a cache and nothing else. What was folded from the first event writes them, everything may read them, and
commands are never decided on what comes from here.
"""

import asyncio
from typing import Final

from domain.match.fold import Position
from domain.match.packing import NotPacked, Unpackable, packed, unpacked
from services.log.kept_files import KeptFiles

EVERY: Final = 512
"""Events between two of them."""

FIRST: Final = 2048
"""From which version on they are kept; whatever is shorter is folded as quickly."""

MOST_OBJECTS: Final = 4096
"""Of how many objects a position may be made: one with a longer past takes as long to read as to fold."""

_KIND: Final = "at-"

_MOST_KNOWN: Final = 10_000
"""Of how many positions a process remembers that they are kept, so as not to look again."""


class KeptPositions:
    """The positions that this installation keeps.

    Attributes:
        every: Events between two of them.
    """

    def __init__(self, files: KeptFiles, first: int = FIRST, every: int = EVERY) -> None:
        self.every: Final = every
        self._first: Final = first
        self._files: Final = files
        self._known: Final = set[tuple[str, int]]()
        self._writing: Final = set[asyncio.Task[None]]()
        self._turn: Final = asyncio.Lock()

    async def before(self, match: str, version: int | None, after: int = 0) -> Position | None:
        """Return the last position kept at or before a version (None: of all), but behind another; None for none."""
        if version is not None and version < self._first:
            return None
        return await asyncio.to_thread(self._before, match, version, after)

    def keep(self, position: Position, since: int) -> None:
        """Keep a position that was folded from the first event, if one is due since a version."""
        due = position.version // self.every
        if (
            position.version < self._first
            or since // self.every == due
            or (position.match, due) in self._known
        ):
            return
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        self._known.add((position.match, due))
        task = asyncio.create_task(self._keep(position))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    async def forget(self, match: str) -> None:
        """Throw away what is kept of a match."""
        self._known.difference_update([one for one in self._known if one[0] == match])
        await asyncio.to_thread(self._files.forget, match)

    async def settled(self) -> None:
        """Wait until all that was to be kept is kept."""
        while self._writing:
            await asyncio.gather(*self._writing)

    async def _keep(self, position: Position) -> None:
        async with self._turn:
            await asyncio.to_thread(self._write, position)

    def _write(self, position: Position) -> None:
        due = position.version // self.every
        if any(_version_of(name) // self.every == due for name in self._files.names(position.match)):
            return
        try:
            content = packed(position, MOST_OBJECTS)
            # A game from outside may hold something that looks the same and is not.
            if packed(unpacked(content)) != content:
                return
        except (Unpackable, NotPacked):
            return
        self._files.write(position.match, f"{_KIND}{position.version}", content)

    def _before(self, match: str, version: int | None, after: int) -> Position | None:
        kept = sorted(map(_version_of, self._files.names(match)), reverse=True)
        for at in kept:
            if at <= after or (version is not None and at > version):
                continue
            content = self._files.read(match, f"{_KIND}{at}")
            if content is None:
                continue
            try:
                position = unpacked(content)
            except NotPacked:
                position = None
            if position is not None and (position.match, position.version) == (match, at):
                return position
            self._files.drop(match, f"{_KIND}{at}")
        return None


def _version_of(name: str) -> int:
    kind, _, number = name.partition("-")
    return int(number) if f"{kind}-" == _KIND and number.isascii() and number.isdecimal() else 0

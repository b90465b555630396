"""Positions at regular versions, kept in memory: looking back need not fold a match from its start."""

from collections import OrderedDict
from typing import Final

from domain.match.fold import Position

DISTANCE: Final = 64
"""Events between two snapshots of a match."""

MATCHES_KEPT: Final = 32
"""How many matches one process keeps snapshots of."""


class SnapshotCache:
    """Snapshots of the matches that a process has read from their beginning."""

    def __init__(self, kept: int = MATCHES_KEPT) -> None:
        self._kept: Final = kept
        self._by_match: Final[OrderedDict[str, dict[int, Position]]] = OrderedDict()

    def keep(self, position: Position) -> None:
        """Keep a position if its version is one for a snapshot."""
        if not position.version % DISTANCE and position.version:
            self.hold(position)

    def hold(self, position: Position) -> None:
        """Keep a position, whatever its version."""
        found = self._by_match.setdefault(position.match, {})
        found[position.version] = position
        self._by_match.move_to_end(position.match)
        while len(self._by_match) > self._kept:
            self._by_match.popitem(last=False)

    def before(self, match: str, version: int | None) -> Position | None:
        """Return the last snapshot at or before a version (None: the head), if any."""
        found = self._by_match.get(match)
        if not found:
            return None
        self._by_match.move_to_end(match)
        return found.get(max((at for at in found if version is None or at <= version), default=0))

    def forget(self, match: str) -> None:
        """Drop a match's snapshots because its log contradicts them."""
        self._by_match.pop(match, None)

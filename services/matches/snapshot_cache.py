"""Positions of matches at regular versions, kept in memory: who looks back need not wait until all is folded again."""

from collections import OrderedDict
from typing import Final

from domain.match.fold import Position

DISTANCE: Final = 64
"""How many events lie between two snapshots of a match."""

MATCHES_KEPT: Final = 32
"""For how many matches one process keeps snapshots."""


class SnapshotCache:
    """What a process remembers of the course of the matches that it has read from their beginning."""

    def __init__(self, kept: int = MATCHES_KEPT) -> None:
        self._kept: Final = kept
        self._by_match: Final[OrderedDict[str, dict[int, Position]]] = OrderedDict()

    def keep(self, position: Position) -> None:
        """Keep a position, if a snapshot is there."""
        if position.version % DISTANCE or not position.version:
            return
        found = self._by_match.setdefault(position.match, {})
        found[position.version] = position
        self._by_match.move_to_end(position.match)
        while len(self._by_match) > self._kept:
            self._by_match.popitem(last=False)

    def before(self, match: str, version: int | None) -> Position | None:
        """Return the last snapshot that is not behind a version (None: the head), if there is one."""
        found = self._by_match.get(match)
        if not found:
            return None
        self._by_match.move_to_end(match)
        return found.get(max((at for at in found if version is None or at <= version), default=0))

    def forget(self, match: str) -> None:
        """Drop those of a match, when its log contradicts them."""
        self._by_match.pop(match, None)

"""How far the feeds had come, noted beside the store: a store that was put back to an earlier state cannot know it.

Checkpoints, projections and rows are in the store itself and go back with it; digests are made once a day. This file is
written every few seconds, so that an older copy of the log is noticed at once.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from domain.instants import Instant
from services.log.whole_files import replace_file

FILE_NAME: Final = "heights.json"
"""Its name in the data folder."""


class WentBack(msgspec.Struct, frozen=True):
    """A feed that is shorter than it was.

    Attributes:
        shard: Its shard.
        was: The position at which it was seen.
        since: When that was.
        now: The position at which it ended when this was noticed.
        at: When that was.
    """

    shard: int
    was: int
    since: Instant
    now: int
    at: Instant


class HighWaterMark(msgspec.Struct, frozen=True):
    """What the file says.

    Attributes:
        at: When it was written.
        store: Of which store: a digest of its address, which may hold a password.
        positions: The head position of every shard's feed then.
        went_back: That the store is older than it was; stays until somebody removes the file.
        installation: The id of the log's installation: a replica that was promoted is the same store elsewhere.
    """

    at: Instant
    store: str
    positions: dict[int, int]
    went_back: WentBack | None = None
    installation: str = ""


def compared(noted: HighWaterMark, positions: Mapping[int, int], now: Instant) -> WentBack | None:
    """Return which feed is shorter than it was, if one is."""
    if noted.went_back is not None:
        return noted.went_back
    for shard, was in sorted(noted.positions.items()):
        present = positions.get(shard, 0)
        if present < was:
            return WentBack(shard, was, noted.at, present, now)
    return None


class HighWaterMarkFile:
    """The file.

    Attributes:
        installation: The id of the log's installation, once it is known.
    """

    def __init__(self, folder: Path, log_store_url: str) -> None:
        """Take the data folder and where the log is: what was noted of another store does not count."""
        self.file: Final = folder / FILE_NAME
        self.installation = ""
        self._store: Final = hashlib.sha256(log_store_url.encode()).hexdigest()[:16]

    def read(self) -> HighWaterMark | None:
        """Return what it says of this store; None if it says nothing that can be read."""
        try:
            noted = msgspec.json.decode(self.file.read_bytes(), type=HighWaterMark)
        except (OSError, msgspec.MsgspecError):
            return None
        if noted.installation and self.installation:
            return noted if noted.installation == self.installation else None
        return noted if noted.store == self._store else None

    def note_went_back(self, went_back: WentBack) -> None:
        """Write that a feed is shorter than what was acknowledged, unless that is known.

        Raises:
            OSError: The file cannot be written.
        """
        known = self.read()
        if known is None or known.went_back is None:
            positions = {} if known is None else known.positions
            self._write(HighWaterMark(went_back.since, self._store, positions, went_back, self.installation))

    def note(
        self, positions: Mapping[int, int], now: Instant, known: HighWaterMark | None = None
    ) -> WentBack | None:
        """Write how far the feeds are; return that the store went back, if it did.

        Args:
            positions: How far they are.
            now: The present instant.
            known: What the file said before the positions were asked for. What another process has noted since then may
                be higher, without anything having gone back.

        Raises:
            OSError: The file cannot be written.
        """
        present = self.read()
        if present is not None and present.went_back is not None:
            return present.went_back
        went_back = None if known is None else compared(known, positions, now)
        if known is not None and went_back is not None:
            self._write(HighWaterMark(known.at, self._store, known.positions, went_back, self.installation))
            return went_back
        before = {} if present is None else present.positions
        highest = {shard: max(at, before.get(shard, 0)) for shard, at in positions.items()}
        if present is None or highest != before:
            self._write(HighWaterMark(now, self._store, highest, installation=self.installation))
        return None

    def _write(self, noted: HighWaterMark) -> None:
        # Where the stores are elsewhere, nobody else may have made the folder.
        self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(self.file, msgspec.json.encode(noted))

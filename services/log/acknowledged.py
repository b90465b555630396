"""How far the feeds had come with the last command that was acknowledged here: a store that is behind that lost events.

A replica that was promoted may lack the newest events, and cannot know it. So every process remembers the feed's
position behind each command that the store acknowledged to it, and hands it over with the next one; the store's script
takes no command below it. The positions are also in a file of the data folder, mapped into memory: that costs no write
to the disk, and survives the end of the process, though not of the machine (for that there is
:mod:`services.log.high_water_mark`).
"""

import mmap
from contextlib import suppress
from pathlib import Path
from struct import Struct
from typing import Final

import structlog

from services.log.event_store.keys import MOST_SHARDS

FILE_NAME: Final = "acknowledged.bin"

_NAME: Final = Struct("64s")
_POSITION: Final = Struct("<Q")
_SIZE: Final = _NAME.size + MOST_SHARDS * _POSITION.size

_log = structlog.get_logger(__name__)


class Acknowledged:
    """The positions, by shard; in memory until :meth:`keep_in` names a file."""

    def __init__(self) -> None:
        self._positions: dict[int, int] = {}
        self._map: mmap.mmap | None = None

    def keep_in(self, folder: Path, installation: str) -> None:
        """Go on from what the processes of this data folder noted of an installation's log, and note it there.

        What was noted of another installation is dropped. A folder that cannot be written is told, and done without.
        """
        name = _NAME.pack(installation.encode())
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with (folder / FILE_NAME).open("a+b") as file:
                if file.seek(0, 2) != _SIZE:
                    file.truncate(_SIZE)
                self._map = mmap.mmap(file.fileno(), _SIZE)
        except OSError as error:
            _log.warning("acknowledged_not_noted", reason=str(error))
            return
        if self._map[: _NAME.size] != name:
            self._map[:] = name + bytes(_SIZE - _NAME.size)

    def position(self, shard: int) -> int:
        """Return the highest position that was acknowledged in a shard; 0 for none."""
        known = self._positions.get(shard, 0)
        if self._map is not None:
            # Another process of this folder may know of a later one.
            return max(known, int(_POSITION.unpack_from(self._map, _place(shard))[0]))
        return known

    def note(self, shard: int, position: int) -> None:
        """Note that a command was acknowledged."""
        if position > self.position(shard):
            self._positions[shard] = position
            if self._map is not None:
                _POSITION.pack_into(self._map, _place(shard), position)

    def positions(self) -> dict[int, int]:
        """Return the highest positions of all shards in which something was acknowledged."""
        return {shard: at for shard in range(MOST_SHARDS) if (at := self.position(shard))}

    def forget(self) -> None:
        """Begin anew: an operator has settled what was lost."""
        self._positions.clear()
        if self._map is not None:
            self._map[_NAME.size :] = bytes(_SIZE - _NAME.size)

    def close(self) -> None:
        """Close the file."""
        if self._map is not None:
            with suppress(BufferError):
                self._map.close()
            self._map = None


def _place(shard: int) -> int:
    return _NAME.size + shard * _POSITION.size

"""How far the doctor has come: which matches the next visit begins with, and which shards a full look has proven.

An everyday visit examines logs for some seconds, shard by shard, and the next one goes on where it stopped. A full look
takes as long as it takes; one that was ended on the way goes on with the shards in which all was well.
"""

from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from domain.instants import Instant, milliseconds_of
from services.log.whole_files import replace_file
from services.watch.doctor.diagnosis import Diagnosis, fine

FILE_NAME: Final = "doctor-visits.json"
"""Its name in the data folder."""

_BAD_KEPT: Final = 200
"""So many matches are examined again at every visit until they are well."""

_DEEP_MS: Final = 7 * 86_400_000
"""For so long a full look that was ended may be gone on with."""


class FullLook(msgspec.Struct, frozen=True):
    """A full look that was ended on the way.

    Attributes:
        done: The shards in which all was well.
    """

    began: Instant
    done: tuple[int, ...] = ()


class Visits(msgspec.Struct, frozen=True):
    """What is noted.

    Attributes:
        installation: Of which installation's log.
        shard: With which shard the next visit begins to read logs.
        listed: With which shard it begins to list the archive's files.
        bad: Matches of which something was wrong.
        full: The full look that is not ended.
    """

    installation: str = ""
    shard: int = 0
    listed: int = 0
    bad: tuple[str, ...] = ()
    full: FullLook | None = None

    def order(self, shards: int) -> list[int]:
        """Return all shards in the order in which they are visited."""
        return [(self.shard + number) % shards for number in range(shards)]

    def visited(self, shard: int | None, listed: int | None, bad: list[str]) -> "Visits":
        """Return what is noted after a visit, with the first shards that were left; None where none was."""
        return replace(
            self,
            shard=self.shard if shard is None else shard,
            listed=self.listed if listed is None else listed,
            bad=tuple(bad[:_BAD_KEPT]),
        )

    def gone_on(self, now: Instant, *, anew: bool = False) -> "Visits":
        """Return what is noted as a full look begins, or goes on."""
        full = self.full
        if anew or full is None or milliseconds_of(now) - milliseconds_of(full.began) > _DEEP_MS:
            full = FullLook(now)
        return replace(self, full=full)

    def proven(self, shard: int) -> "Visits":
        """Return what is noted once all was well in a shard, during a full look."""
        full = self.full
        return self if full is None else replace(self, full=replace(full, done=(*full.done, shard)))

    def ended(self) -> "Visits":
        """Return what is noted at the end of a full look."""
        return replace(self, full=None)


class VisitsFile:
    """The note in the data folder, of one installation's log."""

    def __init__(self, folder: Path, installation: str) -> None:
        self._file: Final = folder / FILE_NAME
        self._installation: Final = installation

    def read(self) -> Visits:
        """Return what is noted; of another installation, or if nothing is, that there was no visit."""
        try:
            noted = msgspec.json.decode(self._file.read_bytes(), type=Visits)
        except (OSError, msgspec.MsgspecError):
            noted = Visits()
        return noted if noted.installation == self._installation else Visits(self._installation)

    def note(self, visits: Visits) -> None:
        """Note how far it has come. If that cannot be written, the next visit begins as this one did."""
        try:
            replace_file(self._file, msgspec.json.encode(visits))
        except OSError:
            return


def judge_going_on(visits: Visits, shards: int) -> list[Diagnosis]:
    """Tell that a full look goes on."""
    full = visits.full
    if full is None or not full.done:
        return []
    told = (
        f"The full look that began at {full.began} goes on: {len(full.done)} of {shards} shards were proven then. "
        "`--anew` begins again."
    )
    return [fine("doctor.goes_on", told)]

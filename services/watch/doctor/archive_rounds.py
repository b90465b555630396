"""Reading the archive's files in turn, some with every visit of the doctor, so that each is read within a month."""

import heapq
import time
from collections.abc import Awaitable, Callable, Iterable
from itertools import chain
from pathlib import Path
from typing import Final

import msgspec

from domain.instants import Instant, instant_from_milliseconds, milliseconds_of
from domain.match.verification import Verdict
from services.log.whole_files import replace_file
from services.watch.doctor.diagnosis import Diagnosis, fine, look

FILE_NAME: Final = "archive-round.json"
"""Its name in the data folder."""

_DAY_MS: Final = 86_400_000
_ROUND_MS: Final = 20 * _DAY_MS
"""How long a round is to take: ten days are left for visits that do not come."""
_LATE_MS: Final = 30 * _DAY_MS
_FEWEST: Final = 20
_SECONDS: Final = 8.0
_MOST: Final = 20_000
_BAD_KEPT: Final = 200
"""So many bad files are read again each time, so that they are told until they are healed."""


class ArchiveRound(msgspec.Struct, frozen=True):
    """How far the present round has come.

    Attributes:
        at: When the last files were read.
        after: The last match whose file was read; files are read in the order of their matches.
        bad: Matches whose files were found bad.
    """

    began: Instant
    at: Instant
    after: str = ""
    bad: tuple[str, ...] = ()


class ArchiveRoundFile:
    """What is noted of the round in the data folder, beside the store."""

    def __init__(self, folder: Path) -> None:
        self._file: Final = folder / FILE_NAME

    def read(self, now: Instant) -> ArchiveRound:
        """Return how far the round is; one that begins now if nothing is noted."""
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=ArchiveRound)
        except (OSError, msgspec.MsgspecError):
            return ArchiveRound(now, instant_from_milliseconds(milliseconds_of(now) - _DAY_MS))

    def note(self, archive_round: ArchiveRound) -> bool:
        """Note how far the round is; tell whether that could be written."""
        try:
            replace_file(self._file, msgspec.json.encode(archive_round))
        except OSError:
            return False
        return True


class Sampled(msgspec.Struct, frozen=True):
    """What reading some of the files came to.

    Attributes:
        bad: The verdicts on those that are not whole.
        read: How many were read.
        total: How many there are.
        round: How far the round is now.
    """

    bad: tuple[Verdict, ...]
    read: int
    total: int
    round: ArchiveRound


class Turn:
    """Which files' turn it is, gathered from all archived matches, in whatever order they come."""

    def __init__(self, before: ArchiveRound) -> None:
        self.before: Final = before
        self.total = 0
        self.last = ""
        self.bad: Final[list[str]] = []
        self.next: list[str] = []

    def offer(self, archived: Iterable[str]) -> None:
        """Take archived matches."""
        some = list(archived)
        self.total += len(some)
        self.last = max(self.last, max(some, default=""))
        self.bad.extend(set(self.before.bad).intersection(some))
        behind = (match for match in some if match > self.before.after)
        # No visit reads more of them, however many there are.
        self.next = heapq.nsmallest(_MOST, chain(self.next, behind))


async def sample(
    turn: Turn,
    now: Instant,
    prove: Callable[[str], Awaitable[Verdict]],
    clock: Callable[[], float] = time.monotonic,
) -> Sampled:
    """Read the files whose turn it is, for some seconds at most."""
    before = turn.before
    ends, moment = clock() + _SECONDS, milliseconds_of(now)
    passed = max(0, moment - milliseconds_of(before.at))
    wanted = max(_FEWEST, -(-turn.total * passed // _ROUND_MS))
    bad = {match: verdict for match in sorted(turn.bad) if not (verdict := await prove(match)).good}
    read, after = 0, before.after
    for match in turn.next[:wanted]:
        if clock() > ends:
            break
        verdict = await prove(match)
        if not verdict.good:
            bad[match] = verdict
        read, after = read + 1, match
    ended = not turn.total or after >= turn.last
    present = ArchiveRound(
        began=now if ended else before.began, at=now, after="" if ended else after, bad=tuple(bad)[:_BAD_KEPT]
    )
    return Sampled(tuple(bad.values()), read, turn.total, present)


def judge_round(sampled: Sampled, now: Instant, *, noted: bool) -> Diagnosis:
    """Judge whether the files are read soon enough."""
    began = sampled.round.began
    said = (
        f"{sampled.read} of {sampled.total} file(s) of the archive were read; their round began at {began}."
    )
    if milliseconds_of(now) - milliseconds_of(began) > _LATE_MS:
        return look(
            "archive.not_read",
            said,
            "A file that a disk has damaged is noticed late, perhaps after the last backup that has it whole.",
            "Let the doctor come more often, by a timer; or `tablee doctor --deep` once, which reads all of them.",
        )
    if sampled.total and not noted:
        return look(
            "archive.round_not_noted",
            f"{said} How far the round is cannot be noted in the data folder.",
            "The same files are read each time.",
            "Can this user write into the data folder, and is there room?",
        )
    return fine("archive.read_in_turn", said)

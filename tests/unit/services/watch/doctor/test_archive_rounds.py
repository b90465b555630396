"""The doctor reads the archive's files in turn."""

from collections import Counter

import pytest

from domain.instants import instant_from_milliseconds
from domain.match.verification import Verdict
from services.watch.doctor.archive_rounds import ArchiveRound, ArchiveRoundFile, Turn, judge_round, sample

DAY = 86_400_000
BEGIN = 1_800_000_000_000
MATCHES = sorted(f"match{number}" for number in range(1000))


class Disk:
    """Files of which some are damaged; counts how often each was read."""

    def __init__(self) -> None:
        self.damaged: set[str] = set()
        self.read = Counter[str]()

    async def prove(self, match: str) -> Verdict:
        self.read[match] += 1
        return Verdict(match, code="log.cut" if match in self.damaged else "", bad_version=3)


@pytest.fixture
def disk():
    return Disk()


def turn_of(before: ArchiveRound) -> Turn:
    """Return whose turn it is when the matches come as a store tells them, shard by shard."""
    turn = Turn(before)
    for shard in range(4):
        turn.offer(MATCHES[shard::4])
    return turn


def day(number: float):
    return instant_from_milliseconds(BEGIN + round(number * DAY))


@pytest.mark.parametrize("every", [1 / 96, 1, 7])
async def test_each_file_is_read_within_a_month_however_often_the_doctor_comes(disk, tmp_path, every):
    file, visit, largest = ArchiveRoundFile(tmp_path), 0.0, 0
    while visit < 30:
        sampled = await sample(turn_of(file.read(day(visit))), day(visit), disk.prove)
        assert file.note(sampled.round)
        largest, visit = max(largest, sampled.read), visit + every
    assert disk.read.keys() == set(MATCHES)
    assert largest <= max(20, 1000 * every / 20 + 1, 51)


async def test_what_was_found_bad_is_told_each_time_until_it_is_healed(disk, tmp_path):
    file = ArchiveRoundFile(tmp_path)
    disk.damaged.add(MATCHES[3])
    for visit in range(3):
        sampled = await sample(turn_of(file.read(day(visit))), day(visit), disk.prove)
        file.note(sampled.round)
        assert [verdict.match for verdict in sampled.bad] == [MATCHES[3]]
    disk.damaged.clear()
    sampled = await sample(turn_of(file.read(day(4))), day(4), disk.prove)
    assert (sampled.bad, sampled.round.bad) == ((), ())


async def test_a_slow_disk_ends_the_visit_and_the_next_one_goes_on_there(disk, tmp_path):
    file, seconds = ArchiveRoundFile(tmp_path), iter(range(1000))
    sampled = await sample(turn_of(file.read(day(0))), day(0), disk.prove, lambda: next(seconds))
    assert sampled.read == 8
    file.note(sampled.round)
    await sample(turn_of(file.read(day(1))), day(1), disk.prove)
    assert max(disk.read.values()) == 1


async def test_a_round_that_takes_too_long_and_one_that_cannot_be_noted_are_told(disk, tmp_path):
    file = ArchiveRoundFile(tmp_path)
    sampled = await sample(turn_of(file.read(day(0))), day(0), disk.prove)
    assert judge_round(sampled, day(1), noted=True).code == "archive.read_in_turn"
    assert judge_round(sampled, day(31), noted=True).code == "archive.not_read"
    assert judge_round(sampled, day(1), noted=False).code == "archive.round_not_noted"
    assert ArchiveRoundFile(tmp_path / "nowhere").note(sampled.round) is False

"""Judging the machine: room, clocks, settings, processes, workers, the secret."""

import os
from collections import namedtuple

import pytest

from domain.instants import milliseconds_of
from services.jobs.seen import Jobs, JobSeen, QueueStanding, WorkerSeen
from services.log.backup.last import LastBackup
from services.log.embedded.durability import judge
from services.log.held_clock import Held
from services.watch.doctor.diagnosis import worst
from services.watch.doctor.installation import judge_backup, judge_durability, judge_secret
from services.watch.doctor.machine import (
    MIB,
    ClockFacts,
    DiskFacts,
    MemoryFacts,
    disk_facts,
    judge_disk,
    judge_future,
    judge_held,
    judge_memory,
    judge_skew,
    machine_memory,
)
from services.watch.doctor.queue import QueueFacts, judge_queue
from services.watch.doctor.rounds import look_at_service
from services.watch.doctor.service import (
    ProcessFacts,
    ReadinessFacts,
    State,
    judge_processes,
    judge_readiness,
    process_facts,
)
from services.watch.findings import Severity
from tests.kit.instants import NOON, at

GIB = 1024 * MIB
HOUR = 3_600_000


def codes(findings):
    return [(finding.code, finding.severity) for finding in findings]


def test_everything_that_is_not_fine_says_what_it_means_and_what_to_do():
    found = [
        judge_disk(DiskFacts("data folder", "/d", 0, GIB)),
        *judge_memory(MemoryFacts(99, 100, 1000, 1)),
        judge_skew(ClockFacts(0, HOUR)),
        *judge_queue(None, 0),
        *judge_queue(QueueFacts(QueueStanding((), ()), loops=False), 0),
        judge_secret("a", None),
        judge_secret("a", "b"),
        *judge_processes([ProcessFacts("loops", 7, "frozen"), ProcessFacts("worker 1", 8, "ended")]),
        judge_readiness(ReadinessFacts("http://x", 0, "refused")),
        judge_readiness(ReadinessFacts("http://x", 503, "{}")),
    ]
    for finding in found:
        assert finding.severity > Severity.OK, finding
        assert finding.found, finding
        assert finding.means, finding
        assert finding.do, finding


class TestDisk:
    @pytest.mark.parametrize(
        ("free", "size", "severity"),
        [
            (100 * GIB, 200 * GIB, Severity.OK),
            (5 * GIB, 200 * GIB, Severity.LOOK),
            (GIB // 2, 200 * GIB, Severity.ACT),
            (20 * GIB, 2000 * GIB, Severity.OK),
            (32 * MIB, 100 * MIB, Severity.ACT),
            (0, 0, Severity.ACT),
        ],
    )
    def test_what_is_left_is_judged_by_share_and_by_size(self, free, size, severity):
        assert judge_disk(DiskFacts("data folder", "/d", free, size)).severity is severity

    def test_a_file_system_without_inodes_is_full(self):
        assert judge_disk(DiskFacts("archive", "/d", 9 * GIB, 10 * GIB, inodes=0)).code == "disk.nearly_full"

    def test_facts_are_read_from_the_system_and_a_folder_that_is_not_there_is_left_out(self, tmp_path):
        Told = namedtuple("Told", "f_bavail f_frsize f_blocks f_files f_favail")  # noqa: PYI024

        def statvfs(path):
            if path.name == "none":
                raise FileNotFoundError(path)
            return Told(10, 4096, 1000, 5, 2)

        facts = disk_facts([("data folder", tmp_path), ("archive", tmp_path / "none")], statvfs)
        assert facts == [DiskFacts("data folder", str(tmp_path), 40_960, 4_096_000, 2)]


class TestMemory:
    def test_enough_is_fine(self):
        assert codes(judge_memory(MemoryFacts(10, 100, 1000, 900))) == [("memory.enough", Severity.OK)]

    def test_a_store_near_its_limit_and_a_machine_near_its_end_are_told_apart(self):
        assert codes(judge_memory(MemoryFacts(85, 100))) == [("store.memory_nearly_full", Severity.LOOK)]
        assert codes(judge_memory(MemoryFacts(96, 100))) == [("store.memory_nearly_full", Severity.ACT)]
        assert codes(judge_memory(MemoryFacts(5, 0, 1000, 20))) == [
            ("machine.memory_nearly_full", Severity.ACT)
        ]

    def test_a_system_that_does_not_tell_is_no_finding(self, tmp_path):
        assert machine_memory(tmp_path / "none") == (0, 0)
        assert codes(judge_memory(MemoryFacts(5, 0, *machine_memory(tmp_path / "none")))) == [
            ("memory.enough", Severity.OK)
        ]


class TestClocks:
    @pytest.mark.parametrize(
        ("apart", "severity"), [(900, Severity.OK), (-5_000, Severity.LOOK), (HOUR, Severity.ACT)]
    )
    def test_machine_and_store_are_compared(self, apart, severity):
        assert judge_skew(ClockFacts(HOUR * 500_000 + apart, HOUR * 500_000)).severity is severity

    def test_a_clock_that_leapt_is_to_be_acted_on(self):
        (finding,) = judge_held(Held(HOUR, 0))
        assert (finding.code, finding.severity) == ("clock.leapt", Severity.ACT)
        assert judge_held(None) == []

    def test_an_event_from_the_future_is_named_with_match_and_version(self):
        (finding,) = judge_future(ClockFacts(0, 0, newest=HOUR, match="m1", version=7))
        assert (finding.code, finding.match, finding.version) == ("clock.events_from_the_future", "m1", 7)
        assert judge_future(ClockFacts(HOUR, HOUR, newest=HOUR, match="m1", version=7)) == []


SETTINGS = {
    "appendonly": "yes",
    "appendfsync": "always",
    "maxmemory-policy": "noeviction",
    "no-appendfsync-on-rewrite": "no",
}


class TestDurability:
    @pytest.mark.parametrize(
        ("setting", "value", "code"),
        [
            ("appendfsync", "everysec", "store.fsync_not_always"),
            ("appendonly", "no", "store.aof_off"),
            ("maxmemory-policy", "allkeys-lru", "store.evicts"),
        ],
    )
    def test_each_wrong_setting_has_its_code(self, setting, value, code):
        verdict = judge({**SETTINGS, setting: value}, {})
        assert codes(judge_durability(verdict, accepted=False)) == [(code, Severity.ACT)]
        assert codes(judge_durability(verdict, accepted=True)) == [(code, Severity.LOOK)]

    def test_good_settings_are_fine_and_silence_is_looked_at(self):
        assert worst(judge_durability(judge(SETTINGS, {}), accepted=False)) is Severity.OK
        assert worst(judge_durability(judge({}, {}), accepted=False)) is Severity.LOOK

    def test_a_full_disk_shows_as_a_failed_write(self):
        verdict = judge(SETTINGS, {"aof_last_write_status": "err"})
        assert codes(judge_durability(verdict, accepted=False)) == [("store.aof_write_fails", Severity.ACT)]


class TestProcesses:
    def test_states_are_read_from_the_system(self, tmp_path):
        here = os.getpid()
        states: dict[str, State] = {"S": "runs", "R": "runs", "T": "frozen", "t": "frozen", "Z": "ended"}
        for letter, state in states.items():
            (tmp_path / str(here)).mkdir(exist_ok=True)
            (tmp_path / str(here) / "stat").write_text(f"{here} (a name) 1 (x) {letter} 1 1 1")
            assert process_facts({"API": here}, tmp_path) == [ProcessFacts("API", here, state)]

    def test_where_the_system_does_not_tell_a_living_process_runs(self, tmp_path):
        assert process_facts({"API": os.getpid()}, tmp_path)[0].state == "runs"

    def test_the_finding_names_the_process_and_how_to_go_on(self):
        (finding,) = judge_processes([ProcessFacts("API", 3, "runs"), ProcessFacts("worker 1", 4, "frozen")])
        assert finding.code == "process.frozen"
        assert "worker 1 (process 4)" in finding.found
        assert "kill -CONT 4" in finding.do
        assert codes(judge_processes([ProcessFacts("API", 3, "runs")])) == [("process.all_run", Severity.OK)]


class TestQueue:
    NOW = milliseconds_of(at(100))
    ALIVE = WorkerSeen("w1", "idle", 1, "", at(97), 0, 0)
    SILENT = WorkerSeen("w2", "idle", 2, "", at(50), 0, 0)

    def judged(self, *workers, jobs=(), loops=True):
        return judge_queue(QueueFacts(QueueStanding(tuple(jobs), workers), loops), self.NOW)

    def test_a_worker_that_is_silent_matters_more_if_it_is_the_only_one(self):
        assert codes(self.judged(self.ALIVE)) == [("jobs.taken", Severity.OK)]
        assert codes(self.judged(self.SILENT)) == [("worker.silent", Severity.ACT)]
        assert codes(self.judged(self.ALIVE, self.SILENT)) == [("worker.silent", Severity.LOOK)]

    def test_no_worker_no_loops_no_server_and_jobs_that_wait_are_told_apart(self):
        waits = Jobs("queued", 3, (JobSeen("bot-m1-4-1-0", "m1", "t1", at(60)),))
        assert codes(judge_queue(None, self.NOW)) == [("jobs.unreachable", Severity.ACT)]
        assert codes(self.judged()) == [("worker.missing", Severity.ACT)]
        assert codes(self.judged(self.ALIVE, loops=False)) == [("loops.silent", Severity.ACT)]
        assert codes(self.judged(self.ALIVE, jobs=[waits])) == [("jobs.wait", Severity.LOOK)]

    def test_failed_jobs_name_their_match_and_what_no_card_can_be_in(self):
        secret = JobSeen("bot-m1-4-1-0", "m1", "t1", NOON, "ValueError: the hand is 3, 4, llama")
        away = JobSeen("bot-m2-4-1-0", "m2", "t1", NOON, "services.errors.StoreUnavailable: gone")
        first, second = self.judged(self.ALIVE, jobs=[Jobs("failed", 2, (secret, away))])
        assert (first.code, first.match) == ("job.failed", "m1")
        assert "bot-m1-4-1-0" in first.found
        assert "llama" not in first.found
        assert "StoreUnavailable: gone" in second.found


class TestBackups:
    def test_a_week_without_one_is_too_long(self):
        now = milliseconds_of(at(8 * 86_400))
        assert judge_backup(None, now).severity is Severity.OK
        assert judge_backup(LastBackup(at(7 * 86_400), 1, 1.0), now).severity is Severity.OK
        old = judge_backup(LastBackup(NOON, 1, 1.0), now)
        assert (old.code, old.severity) == ("backup.old", Severity.LOOK)
        assert "8 days" in old.found


class TestSecret:
    def test_all_four_cases(self):
        assert judge_secret("a", "a").severity is Severity.OK
        assert judge_secret(None, "a").severity is Severity.OK
        assert judge_secret("a", "b").code == "secret.differs"
        assert judge_secret("a", None).severity is Severity.ACT
        assert judge_secret(None, None).severity is Severity.LOOK


def test_a_service_in_containers_is_not_said_to_be_stopped():
    assert [one.code for one in look_at_service(None, elsewhere=True)] == ["service.elsewhere"]
    assert [one.code for one in look_at_service(None)] == ["service.stopped"]

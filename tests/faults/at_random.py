"""Random faults for some minutes while people and bots play, and then a look at everything that was promised.

What is killed is started again, as an operator's system would. On one server: ``make faults ARGS="--random 30"``; on a
cluster: ``make faults ARGS="--cluster 10"``.
"""

import os
import random
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from signal import SIGCONT, SIGKILL, SIGSTOP
from typing import Final, NamedTuple

from tests.faults.apart import has_clocks, step_clock
from tests.faults.crowd import Crowd
from tests.faults.ledger import Ledger
from tests.faults.linearizable import History, contradictions, has_vanished
from tests.faults.list_check import lists_that_differ
from tests.faults.log_check import Findings, check_log
from tests.faults.running_service import RunningService
from tests.faults.waiting import until_true
from tests.kit.valkey_cluster import Cluster

PATIENCE: Final = 90.0
SEVERAL: Final = ("--workers", "2", "--api-processes", "2")
_NEVER: Final = ("request_failed", "match_parked", "match_unreadable", "bot_failed")


class Scene(NamedTuple):
    """Where the faults happen.

    Attributes:
        service: The service, with two of everything.
        crowd: Who plays.
        chance: What decides.
        url: The log's address.
        cluster: What the log is on; None on one server.
        story: What was done, for whoever wants to know how it came to this.
    """

    service: RunningService
    crowd: Crowd
    chance: random.Random
    url: str
    cluster: Cluster | None
    story: list[str]

    def tell(self, what: str) -> None:
        self.story.append(f"{time.monotonic():.1f} {what}")


Faults = Mapping[str, Callable[[Scene], None]]


class Result(NamedTuple):
    """What came of it.

    Attributes:
        strikes: How often each fault struck.
        longest: By fault, the most seconds until every table had moved again.
        findings: What is wrong with the log.
        disordered: What clients were told that no one order explains.
        vanished: How many looks showed an event that went down with a primary, and was never acknowledged.
        ledger: What they were told.
    """

    strikes: Counter[str]
    longest: dict[str, float]
    findings: Findings
    disordered: list[str]
    vanished: int
    ledger: Ledger

    @property
    def wrong(self) -> list[str]:
        found = self.findings
        return [*found.lost, *found.doubled, *found.broken, *self.disordered]


def play(scene: Scene, faults: Faults, minutes: float, only: str = "") -> Result:
    """Let random faults strike, then check everything.

    Args:
        scene: Where.
        faults: Which, by name.
        minutes: For how long.
        only: Only those whose name contains this.

    Raises:
        AssertionError: The service did not come back, or said what it must never say; carries what happened before.
    """
    strikes, longest = Counter[str](), dict[str, float]()
    name, end = "none yet", time.monotonic() + 60 * minutes
    try:
        while time.monotonic() < end:
            name = scene.chance.choice([name for name in faults if only in name])
            began = time.monotonic()
            faults[name](scene)
            until_true(scene.service.is_ready, seconds=PATIENCE, what=f"ready again after: {name}")
            scene.crowd.wait_for_moves(time.monotonic(), PATIENCE)
            strikes[name] += 1
            longest[name] = max(longest.get(name, 0), time.monotonic() - began)
            # A process that was ready for less than this is started again after a pause.
            time.sleep(scene.chance.uniform(1, 6))
        findings = _finished(scene)
    except Exception as error:
        error.add_note(f"after {dict(strikes)}, at the fault: {name}, {time.monotonic():.1f}")
        error.add_note("\n".join(scene.story[-20:]))
        if scene.cluster is not None:
            error.add_note(scene.cluster.seen_by_all())
        error.add_note(scene.service.last_words(only_complaints=True))
        raise
    told = scene.crowd.ledger
    vanished = {
        read for read in told.reads if scene.cluster is not None and has_vanished(read, findings.logs)
    }
    looks = [read for read in told.reads if read not in vanished]
    history = History(told.acknowledged, looks, told.unknown, told.denied)
    disordered = contradictions(history, findings.logs, looks_bind=scene.cluster is None)
    return Result(strikes, longest, findings, disordered, len(vanished), told)


def _finished(scene: Scene) -> Findings:
    scene.crowd.stop()
    scene.crowd.require_no_failure()
    scene.crowd.settle()
    for message in _NEVER:
        assert scene.service.lines(message) == []
    try:
        until_true(lambda: not lists_that_differ(scene.url), seconds=PATIENCE, what="the lists are complete")
    except AssertionError as error:
        error.add_note(f"they are not for {lists_that_differ(scene.url)}")
        raise
    return check_log(scene.url, scene.crowd.ledger.acknowledged)


def kill_processes(scene: Scene) -> None:
    """Kill up to three processes at the same time, stores included."""
    pids = scene.service.pids
    names = scene.chance.sample(list(pids), scene.chance.randint(1, 3))
    scene.tell(f"killed {names}")
    for pid in [pids[name] for name in names]:
        with suppress(ProcessLookupError):
            os.kill(pid, SIGKILL)


def freeze_process(scene: Scene) -> None:
    """Freeze a process: for a moment, or for longer than its leases last."""
    name, pid = scene.chance.choice(list(scene.service.pids.items()))
    seconds = scene.chance.uniform(0.2, 12)
    scene.tell(f"froze {name} for {seconds:.1f} s")
    with suppress(ProcessLookupError):
        os.kill(pid, SIGSTOP)
        time.sleep(seconds)
        os.kill(pid, SIGCONT)


def kill_all(scene: Scene) -> None:
    """Kill ``tablee up``, and everything with it."""
    scene.service.kill()
    scene.service.start()


def step_clocks(scene: Scene) -> None:
    """Set the clock of one process, or of a server, wrong by up to an hour, and right again."""
    clocks = dict(scene.service.pids)
    if scene.cluster is not None:
        clocks |= {f"node {node.port}": node.pid for node in scene.cluster.nodes}
    name, pid = scene.chance.choice(list(clocks.items()))
    wrong = scene.chance.choice([-1, 1]) * 3600 ** scene.chance.random()
    scene.tell(f"set the clock of {name} wrong by {wrong:.1f} s")
    with suppress(FileNotFoundError):
        step_clock(pid, wrong)
        time.sleep(scene.chance.uniform(1, 6))
        step_clock(pid, 0)


def clock_faults() -> Faults:
    """Return the faults of clocks, if they can be stepped here."""
    return {"a clock stepped": step_clocks} if has_clocks() else {}


def told(result: Result) -> str:
    """Return the result in lines."""
    found, ledger = result.findings, result.ledger
    stood = sum(
        one.command_id in found.logs[one.match].commands for one in ledger.unknown if one.match in found.logs
    )
    rows = [
        (
            f"{len(ledger.acknowledged):,} commands acknowledged, {found.matches} matches, {found.events:,} events: "
            f"{len(found.lost)} lost, {len(found.doubled)} doubled, {len(found.broken)} logs broken."
        ),
        (
            f"{len(ledger.reads):,} looks, {len(ledger.denied):,} refusals, {len(ledger.unknown):,} commands given up "
            f"({stood} of them took effect): {len(result.disordered)} contradictions to one order."
        ),
        f"{result.vanished} looks showed an event that no replica had, and that went down with its primary.",
        f"A person waited {ledger.longest_wait():.1f} s at most.",
        "| fault | times | every table had moved again within, s |",
        "|---|---|---|",
        *(
            f"| {name} | {times} | {result.longest[name]:.1f} |"
            for name, times in sorted(result.strikes.items())
        ),
    ]
    return "\n".join([*rows, *result.wrong])

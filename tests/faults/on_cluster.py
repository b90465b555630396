"""Random faults on a cluster with two of everything: ``make faults ARGS="--cluster 10"`` for ten minutes.

What is killed is started again, as an operator's system would.
"""

import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from signal import SIGCONT, SIGKILL, SIGSTOP
from typing import Final, NamedTuple

from redis.crc import key_slot

from tests.faults.crowd import Crowd
from tests.faults.list_check import lists_that_differ
from tests.faults.log_check import Findings, check_log, out_of_order
from tests.faults.running_service import RunningService
from tests.faults.waiting import until_true
from tests.kit.valkey_cluster import Cluster, ClusterNode, running_cluster
from tests.kit.valkeys import until

_PROCESSES: Final = ("API", "API 2", "loops", "loops 2", "worker 1", "worker 2")
_PATIENCE: Final = 90.0
_NEVER: Final = ("request_failed", "match_parked", "match_unreadable", "bot_failed")


class Scene(NamedTuple):
    """Where the faults happen."""

    cluster: Cluster
    service: RunningService
    crowd: Crowd
    chance: random.Random


class Result(NamedTuple):
    """What came of it.

    Attributes:
        strikes: How often each fault struck.
        acknowledged: How many commands were acknowledged.
        findings: What is wrong with the log.
        disordered: Commands that were answered before others were sent, and stand behind them in the log.
        longest: By fault, the most seconds until every table had moved again.
        person_wait: The longest that a person waited for an answer.
    """

    strikes: Counter[str]
    acknowledged: int
    findings: Findings
    disordered: list[str]
    longest: dict[str, float]
    person_wait: float

    @property
    def good(self) -> bool:
        found = self.findings
        return not (found.lost or found.doubled or found.broken or self.disordered)


def _kill_primary(scene: Scene) -> None:
    """Kill a primary; start it again at once, or when its replica has taken its place."""
    killed = scene.chance.choice(scene.cluster.primaries())
    slots = killed.slots()
    killed.kill()
    if scene.chance.random() < 0.7:
        until(lambda: scene.cluster.owner(slots[0]) is not killed, "a replica is promoted")
    killed.start()
    until(scene.cluster.is_whole, "the cluster is whole")


def _kill_replica(scene: Scene) -> None:
    killed = scene.chance.choice([node for node in scene.cluster.nodes if not node.is_primary()])
    killed.kill()
    time.sleep(scene.chance.uniform(0, 2))
    killed.start()
    until(killed.is_in_step, "the replica is in step")


def _freeze_primary(scene: Scene) -> None:
    """Freeze a primary, for so long that its replica may take its place, or not."""
    frozen = scene.chance.choice(scene.cluster.primaries())
    frozen.signal(SIGSTOP)
    time.sleep(scene.chance.uniform(0.2, 5))
    frozen.signal(SIGCONT)
    until(scene.cluster.is_whole, "the cluster is whole")


def _move_slots(scene: Scene) -> None:
    """Move a shard, or all that belongs to none, to another primary."""
    for _ in range(2):
        tag = scene.chance.choice(["house", *(f"s{shard:02}" for shard in range(16))])
        slot = key_slot(f"{{{tag}}}".encode())
        source = scene.cluster.owner(slot)
        scene.cluster.move(slot, scene.chance.choice([one for one in _masters(scene) if one is not source]))


def _masters(scene: Scene) -> list[ClusterNode]:
    return [node for node in scene.cluster.primaries() if node.slots()]


def _kill_process(scene: Scene) -> None:
    name = scene.chance.choice(_PROCESSES)
    scene.service.signal(name, SIGKILL)
    until_true(scene.service.is_ready, seconds=_PATIENCE, what=f"ready again without {name}")


FAULTS: Final[dict[str, Callable[[Scene], None]]] = {
    "primary killed": _kill_primary,
    "replica killed": _kill_replica,
    "primary frozen": _freeze_primary,
    "slots moved": _move_slots,
    "process killed": _kill_process,
}


def run(minutes: float, seed: int, tables: int = 6) -> Result:
    """Let random faults strike for some minutes, then check everything."""
    strikes, longest = Counter[str](), dict[str, float]()
    options = ("--workers", "2", "--api-processes", "2")
    with running_cluster() as cluster, tempfile.TemporaryDirectory(prefix="tb-") as folder:
        settings = {
            "TABLEE_LOG_STORE_URL": cluster.url,
            "TABLEE_REPLICAS": "1",
            "TABLEE_LOOP_PROCESSES": "2",
        }
        with (
            RunningService(Path(folder), *options, **settings) as service,
            Crowd(service.port, tables=tables, seed=seed) as crowd,
        ):
            scene, end = Scene(cluster, service, crowd, random.Random(seed)), time.monotonic() + 60 * minutes
            name = "none yet"
            try:
                while time.monotonic() < end:
                    name = scene.chance.choice(list(FAULTS))
                    began = time.monotonic()
                    FAULTS[name](scene)
                    crowd.wait_for_moves(time.monotonic(), _PATIENCE)
                    strikes[name] += 1
                    longest[name] = max(longest.get(name, 0), time.monotonic() - began)
                    # A process that was ready for less than this is started again after a pause.
                    time.sleep(scene.chance.uniform(1, 6))
                findings = _finished(scene)
            except AssertionError as error:
                error.add_note(f"after {dict(strikes)}, at the fault: {name}")
                error.add_note(service.last_words())

                raise
    disordered = out_of_order(crowd.ledger.acknowledged)
    waited = crowd.ledger.longest_wait()
    return Result(strikes, len(crowd.ledger.acknowledged), findings, disordered, longest, waited)


def _finished(scene: Scene) -> Findings:
    _, service, crowd, _ = scene
    crowd.stop()
    crowd.require_no_failure()
    crowd.settle()
    for message in _NEVER:
        assert service.lines(message) == []
    url = scene.cluster.url
    until_true(lambda: not lists_that_differ(url), seconds=_PATIENCE, what="the lists are complete")
    return check_log(url, crowd.ledger.acknowledged)


def told(result: Result) -> str:
    """Return the result in lines."""
    found = result.findings
    rows = [
        (
            f"{result.acknowledged:,} commands acknowledged in {found.matches} matches with {found.events:,} events: "
            f"{len(found.lost)} lost, {len(found.doubled)} doubled, {len(found.broken)} broken, "
            f"{len(result.disordered)} out of order."
        ),
        f"A person waited {result.person_wait:.1f} s at most, and a bot's turn {found.longest_bot_turn:.1f} s.",
        "| fault | times | every table had moved again within, s |",
        "|---|---|---|",
        *(f"| {name} | {times} | {result.longest[name]:.1f} |" for name, times in result.strikes.items()),
    ]
    return "\n".join([*rows, *found.lost, *found.doubled, *found.broken, *result.disordered])

"""Random faults on a cluster of three primaries with a replica each, with two APIs, two loops and two workers."""

import random
import tempfile
import time
from pathlib import Path
from signal import SIGCONT, SIGSTOP
from typing import Final

from redis.crc import key_slot

from tests.faults.apart import HOSTS, cut_off, has_network
from tests.faults.at_random import (
    SEVERAL,
    Faults,
    Result,
    Scene,
    clock_faults,
    freeze_process,
    kill_processes,
    play,
)
from tests.faults.crowd import Crowd
from tests.faults.running_service import RunningService
from tests.kit.valkey_cluster import HERE, Cluster, ClusterNode, running_cluster
from tests.kit.valkeys import until


def _kill_primary(scene: Scene) -> None:
    """Kill a primary; start it again at once, or when its replica has taken its place."""
    cluster = _of(scene)
    killed = scene.chance.choice(cluster.primaries())
    slots, patient = killed.slots(), scene.chance.random() < 0.7
    scene.tell(f"killed primary {killed.port}{', until its replica is promoted' * patient}")
    killed.kill()
    if slots and patient:
        until(lambda: cluster.owner(slots[0]) is not killed, "a replica is promoted")
    killed.start()
    until(cluster.is_whole, "the cluster is whole")


def _kill_replica(scene: Scene) -> None:
    killed = scene.chance.choice([node for node in _of(scene).nodes if not node.is_primary()])
    scene.tell(f"killed replica {killed.port}")
    killed.kill()
    time.sleep(scene.chance.uniform(0, 2))
    killed.start()
    until(killed.is_in_step, "the replica is in step")


def _freeze_primary(scene: Scene) -> None:
    """Freeze a primary, for so long that its replica may take its place, or not."""
    frozen = scene.chance.choice(_of(scene).primaries())
    seconds = scene.chance.uniform(0.2, 5)
    scene.tell(f"froze primary {frozen.port} for {seconds:.1f} s")
    frozen.signal(SIGSTOP)
    time.sleep(seconds)
    frozen.signal(SIGCONT)
    until(_of(scene).is_whole, "the cluster is whole")


def _move_slots(scene: Scene) -> None:
    """Move a shard, or all that belongs to none, to another primary."""
    cluster = _of(scene)
    for _ in range(2):
        tag = scene.chance.choice(["house", *(f"s{shard:02}" for shard in range(16))])
        slot = key_slot(f"{{{tag}}}".encode())
        source = cluster.owner(slot)
        to = scene.chance.choice([one for one in _masters(cluster) if one is not source])
        scene.tell(f"moved slot {slot} ({tag}) from {source.port} to {to.port}")
        cluster.move(slot, to)


def _part_node(scene: Scene) -> None:
    """Cut a node off from the other nodes: only from them, from the service as well, or in one direction."""
    cluster = _of(scene)
    parted = scene.chance.choice(_masters(cluster) if scene.chance.random() < 0.7 else cluster.nodes)
    others = [node.host for node in cluster.nodes if node is not parted]
    away = [(parted.host, other) for other in others]
    ways = {
        "from the nodes": [*away, *((other, parted.host) for other in others)],
        "from all": [*away, *((other, parted.host) for other in others), (parted.host, parted.host)],
        "one way": away,
    }
    way, seconds = scene.chance.choice(list(ways)), scene.chance.uniform(0.5, 8)
    scene.tell(f"cut {parted.port} off, {way}, for {seconds:.1f} s")
    with cut_off(ways[way]):
        time.sleep(seconds)
    until(cluster.is_whole, "the cluster is whole")


def _of(scene: Scene) -> Cluster:
    assert scene.cluster is not None
    return scene.cluster


def _masters(cluster: Cluster) -> list[ClusterNode]:
    return [node for node in cluster.primaries() if node.slots()]


FAULTS: Final[Faults] = {
    "a primary killed": _kill_primary,
    "a replica killed": _kill_replica,
    "a primary frozen": _freeze_primary,
    "slots moved": _move_slots,
    "up to three processes killed": kill_processes,
    "a process frozen": freeze_process,
    **({"a node cut off": _part_node} if has_network() else {}),
    **clock_faults(),
}


def run(minutes: float, seed: int, tables: int = 6, only: str = "") -> Result:
    """Let random faults strike for some minutes, then check everything."""
    with (
        running_cluster(hosts=HOSTS if has_network() else HERE) as cluster,
        tempfile.TemporaryDirectory(prefix="tb-") as folder,
    ):
        settings = {"TABLEE_LOG_STORE_URL": cluster.url, "TABLEE_REPLICAS": "1", "TABLEE_LOOP_PROCESSES": "2"}
        with (
            RunningService(Path(folder), *SEVERAL, **settings) as service,
            Crowd(service.port, tables=tables, seed=seed) as crowd,
        ):
            scene = Scene(service, crowd, random.Random(seed), cluster.url, cluster, [])
            return play(scene, FAULTS, minutes, only)

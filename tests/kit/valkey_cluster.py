"""A cluster of real servers on free ports of this machine, in a temporary folder: for tests, and for people to try.

The nodes start with a file that already says who belongs to whom, so nobody has to be introduced. Run as a program
(``make cluster``) it starts one, and the service on it.
"""

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from redis.exceptions import RedisError

from tests.kit.valkeys import Node, free_port, until

SLOTS = 16_384
PRIMARIES = 3
HERE = ("127.0.0.1",) * (2 * PRIMARIES)


class _Known(NamedTuple):
    """What the nodes know of one of them."""

    id: str
    at: str
    role: str
    rest: str


class ClusterNode(Node):
    """A node of a cluster, which can be started again on its data and then knows the others."""

    def __init__(self, folder: Path, options: tuple[str, ...], host: str = "127.0.0.1") -> None:
        super().__init__(folder, _free_port_pair(), host)
        self.id = secrets.token_hex(20)
        # What it sends to the others comes from its own address, too.
        self._options = ("--bind", host, "--bind-source-addr", host, "--protected-mode", "no", *options)

    def introduce(self, nodes: list[_Known]) -> None:
        """Write what the node knows of the cluster before its first start."""
        lines = [
            f"{one.id} {one.at} {'myself,' if one.id == self.id else ''}{one.role} {one.rest}"
            for one in nodes
        ]
        lines += ["vars currentEpoch 9 lastVoteEpoch 0", ""]
        (self.folder / "nodes.conf").write_text("\n".join(lines))

    def start(self, *options: str) -> "ClusterNode":
        super().start("--cluster-enabled", "yes", *self._options, *options)
        return self

    def is_whole(self) -> bool:
        """Tell whether it sees a primary for every slot."""
        with self.client() as client:
            return b"cluster_state:ok" in client.execute_command("CLUSTER", "INFO")

    def slots(self) -> list[int]:
        """Return the first slot of each of its ranges."""
        with self.client() as client:
            ranges = client.execute_command("CLUSTER", "SLOTS")
        return [int(first) for first, _, (_, port, *_), *_ in ranges if port == self.port]

    def is_in_step(self) -> bool:
        """Tell whether it is a replica that has what its primary has."""
        with self.client() as client:
            return bool(client.info("replication").get("master_link_status") == "up")

    def is_primary(self) -> bool:
        """Tell whether it runs as a primary now."""
        with contextlib.suppress(RedisError), self.client() as client:
            return bool(client.execute_command("ROLE")[0] == b"master")
        return False


class Cluster:
    """Primaries, and a replica for each; if need be on an address each, so that they can be cut off from each other."""

    def __init__(
        self, folder: Path, timeout: int = 1000, options: tuple[str, ...] = (), hosts: Sequence[str] = HERE
    ) -> None:
        given = ("--cluster-node-timeout", str(timeout), "--cluster-replica-validity-factor", "0", *options)
        self.nodes = [ClusterNode(folder / str(number), given, host) for number, host in enumerate(hosts)]

    def primaries(self) -> list[ClusterNode]:
        """Return the nodes that are primaries now."""
        return [node for node in self.nodes if node.is_primary()]

    @property
    def url(self) -> str:
        return self.nodes[0].url

    def start(self) -> "Cluster":
        """Start all nodes, and wait until they serve every slot and the replicas are in step."""
        known = list[_Known]()
        for number, node in enumerate(self.nodes):
            at = f"{node.host}:{node.port}@{node.port + 10_000}"
            if number < PRIMARIES:
                first, last = SLOTS * number // PRIMARIES, SLOTS * (number + 1) // PRIMARIES - 1
                rest = f"- 0 0 {number + 1} connected {first}-{last}"
                known.append(_Known(node.id, at, "master", rest))
            else:
                primary = self.nodes[number - PRIMARIES].id
                rest = f"{primary} 0 0 {number - PRIMARIES + 1} connected"
                known.append(_Known(node.id, at, "slave", rest))
        for node in self.nodes:
            node.introduce(known)
            node.start()
        for node in self.nodes:
            until(node.is_whole, "the cluster is whole")
        for node in self.nodes[PRIMARIES:]:
            until(node.is_in_step, "a replica is in step")
        return self

    def stop(self) -> None:
        """End all nodes."""
        for node in self.nodes:
            node.stop()

    def is_whole(self) -> bool:
        """Tell whether all nodes see a primary for every slot, and every replica is in step."""
        return all(node.is_whole() and (node.is_primary() or node.is_in_step()) for node in self.nodes)

    def seen_by_all(self) -> str:
        """Return what each node knows of all."""
        lines = list[str]()
        for node in self.nodes:
            with contextlib.suppress(RedisError), node.client() as client:
                told = client.execute_command("CLUSTER", "NODES")
                lines += [f"{node.port} sees:", *map(str, told.items() if isinstance(told, dict) else [told])]
                lines.append(str(client.info("replication")))
        return "\n".join(lines)

    def owner(self, slot: int) -> ClusterNode:
        """Return the primary that has a slot, as the nodes that are there see it."""
        for asked in self.primaries():
            with asked.client() as client:
                for first, last, (_, port, *_), *_ in client.execute_command("CLUSTER", "SLOTS"):
                    if first <= slot <= last:
                        return next(node for node in self.nodes if node.port == port)
        raise AssertionError(f"nobody has slot {slot}")

    def move(self, slot: int, to: ClusterNode) -> None:
        """Move a slot to another primary, key by key, as it is done on servers that cannot move it in one step."""
        source = self.owner(slot)
        with source.client() as old, to.client() as new:
            new.execute_command("CLUSTER", "SETSLOT", slot, "IMPORTING", source.id)
            old.execute_command("CLUSTER", "SETSLOT", slot, "MIGRATING", to.id)
            while keys := old.execute_command("CLUSTER", "GETKEYSINSLOT", slot, 10):
                old.execute_command("MIGRATE", to.host, to.port, "", 0, 5000, "KEYS", *keys)
            for client in (new, old):
                client.execute_command("CLUSTER", "SETSLOT", slot, "NODE", to.id)


def _free_port_pair() -> int:
    while True:
        port = free_port()
        with contextlib.suppress(OSError), socket.socket() as bus:
            bus.bind(("127.0.0.1", port + 10_000))
            return port


@contextlib.contextmanager
def running_cluster(
    timeout: int = 1000, options: tuple[str, ...] = (), hosts: Sequence[str] = HERE
) -> Iterator[Cluster]:
    """Start a cluster; end it afterwards."""
    with TemporaryDirectory(prefix="tb-") as folder:
        cluster = Cluster(Path(folder), timeout, options, hosts)
        try:
            yield cluster.start()
        finally:
            cluster.stop()


def main() -> int:
    """Start a cluster, and the service on it with the arguments of ``tablee up``; end both with Ctrl-C."""
    with running_cluster() as cluster, TemporaryDirectory(prefix="tb-") as data:
        nodes = [f"  {node.url}  {'primary' if node.is_primary() else 'replica'}" for node in cluster.nodes]
        sys.stdout.write(
            f"A cluster of {PRIMARIES} primaries, with a replica each, in {cluster.nodes[0].folder.parent}.\n"
            "Any node leads to it (TABLEE_LOG_STORE_URL). All of it ends with Ctrl-C, and what it holds goes with it, "
            "whatever the service says below.\n" + "\n".join(nodes) + "\n"
        )
        sys.stdout.flush()
        settings = {"TABLEE_LOG_STORE_URL": cluster.url, "TABLEE_REPLICAS": "1", "TABLEE_DATA": data}
        # Ctrl-C reaches the service as well, which ends first.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        tablee = Path(sys.executable).with_name("tablee")
        command = [str(tablee), "up", *sys.argv[1:]]
        return subprocess.run(
            command,
            env={**os.environ, **settings},
            check=False,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        ).returncode


if __name__ == "__main__":
    sys.exit(main())

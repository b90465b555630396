"""A cluster of real servers on free ports of this machine, in a temporary folder: for tests, and for people to try.

The nodes start with a file that already says who belongs to whom, so nobody has to be introduced.
"""

import contextlib
import secrets
import socket
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from redis.exceptions import RedisError

from tests.kit.valkeys import Node, free_port, until

SLOTS = 16_384
PRIMARIES = 3


class ClusterNode(Node):
    """A node of a cluster, which can be started again on its data and then knows the others."""

    def __init__(self, folder: Path, options: tuple[str, ...]) -> None:
        super().__init__(folder, _free_port_pair())
        self.id = secrets.token_hex(20)
        self._options = options

    def introduce(self, lines: dict[str, str]) -> None:
        """Write what the node knows of the cluster before its first start."""
        known = [
            line.replace(" ", " myself,", 2).replace(" myself,", " ", 1) if one == self.id else line
            for one, line in lines.items()
        ]
        (self.folder / "nodes.conf").write_text(
            "\n".join([*known, "vars currentEpoch 9 lastVoteEpoch 0", ""])
        )

    def start(self, *options: str) -> "ClusterNode":
        super().start("--cluster-enabled", "yes", *self._options, *options)
        return self

    def view(self) -> dict[str, str]:
        """Return what ``CLUSTER INFO`` says."""
        with self.client() as client:
            said = client.execute_command("CLUSTER", "INFO")
        return dict(line.split(":") for line in said.decode().split()) if isinstance(said, bytes) else said

    def is_primary(self) -> bool:
        """Tell whether it runs as a primary now."""
        with contextlib.suppress(RedisError), self.client() as client:
            return bool(client.execute_command("ROLE")[0] == b"master")
        return False


class Cluster:
    """Primaries, and a replica for each."""

    def __init__(self, folder: Path, timeout: int = 1000, options: tuple[str, ...] = ()) -> None:
        given = ("--cluster-node-timeout", str(timeout), "--cluster-replica-validity-factor", "0", *options)
        self.nodes = [ClusterNode(folder / str(number), given) for number in range(2 * PRIMARIES)]

    def primaries(self) -> list[ClusterNode]:
        """Return the nodes that are primaries now."""
        return [node for node in self.nodes if node.is_primary()]

    @property
    def url(self) -> str:
        return self.nodes[0].url

    def start(self) -> "Cluster":
        lines = dict[str, str]()
        for number, node in enumerate(self.nodes):
            at = f"127.0.0.1:{node.port}@{node.port + 10_000}"
            if number < PRIMARIES:
                first, last = SLOTS * number // PRIMARIES, SLOTS * (number + 1) // PRIMARIES - 1
                lines[node.id] = f"{node.id} {at} master - 0 0 {number + 1} connected {first}-{last}"
            else:
                primary = self.nodes[number - PRIMARIES].id
                lines[node.id] = f"{node.id} {at} slave {primary} 0 0 {number - PRIMARIES + 1} connected"
        for node in self.nodes:
            node.introduce(lines)
            node.start()
        for node in self.nodes:
            until(lambda node=node: node.view()["cluster_state"] == "ok", "the cluster is whole")
        for node in self.nodes[PRIMARIES:]:
            with node.client() as client:
                until(
                    lambda client=client: client.info("replication")["master_link_status"] == "up",
                    "a replica is in step",
                )
        return self

    def stop(self) -> None:
        for node in self.nodes:
            node.stop()


def _free_port_pair() -> int:
    while True:
        port = free_port()
        with contextlib.suppress(OSError), socket.socket() as bus:
            bus.bind(("127.0.0.1", port + 10_000))
            return port


@contextlib.contextmanager
def running_cluster(timeout: int = 1000, options: tuple[str, ...] = ()) -> Iterator[Cluster]:
    """Start a cluster; end it afterwards."""
    with TemporaryDirectory(prefix="tb-") as folder:
        cluster = Cluster(Path(folder), timeout, options)
        try:
            yield cluster.start()
        finally:
            cluster.stop()

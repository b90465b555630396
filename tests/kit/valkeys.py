"""Real servers on ports of this machine, for what needs several of them: replicas, sentinels."""

import contextlib
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from redis import Redis

from services.log.embedded.processes import start_dependent
from services.log.embedded.stores import server_binary

PATIENCE = 60.0


def free_port() -> int:
    """Return a free port; a node of a cluster listens on the one 10,000 above it, too."""
    while True:
        with socket.socket() as attempt:
            attempt.bind(("127.0.0.1", 0))
            port: int = attempt.getsockname()[1]
        if port < 55_000:
            return port


def until(question: Callable[[], object], what: str) -> None:
    """Wait for a condition; errors of a server that is not there yet count as no."""
    end = time.monotonic() + PATIENCE
    while True:
        with contextlib.suppress(Exception):
            if question():
                return
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.02)


class Node:
    """A server that keeps what it acknowledges; it can be frozen, killed and started again on its data."""

    def __init__(self, folder: Path, port: int | None = None, host: str = "127.0.0.1") -> None:
        self.folder = folder
        self.host = host
        self.port = port or free_port()
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(exist_ok=True)

    @property
    def url(self) -> str:
        return f"redis://{self.host}:{self.port}"

    def client(self) -> Redis:
        return Redis(self.host, self.port, socket_timeout=10)

    def start(self, *options: str) -> "Node":
        command = [str(server_binary()), "--port", str(self.port), "--dir", str(self.folder), "--save", ""]
        command += [
            "--appendonly",
            "yes",
            "--appendfsync",
            "always",
            "--repl-diskless-sync-delay",
            "0",
            *options,
        ]
        self._process = start_dependent(command, output=self.folder / "output")
        try:
            with self.client() as client:
                until(client.ping, "the server answers")
        except BaseException:
            self.stop()
            raise
        return self

    def watch(self, primary: "Node", name: str) -> "Node":
        """Start a sentinel here, which alone decides that a primary is away, after a second."""
        configuration = self.folder / "sentinel.conf"
        configuration.write_text(
            f"port {self.port}\ndir {self.folder}\n"
            f"sentinel monitor {name} 127.0.0.1 {primary.port} 1\n"
            f"sentinel down-after-milliseconds {name} 1000\nsentinel failover-timeout {name} 6000\n"
        )
        self._process = start_dependent(
            [str(server_binary()), str(configuration), "--sentinel"], output=self.folder / "output"
        )
        with self.client() as client:
            until(
                lambda: client.execute_command("SENTINEL", "REPLICAS", name), "the sentinel knows the replica"
            )
        return self

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        """End it as a power cut would, as far as a process can tell; it may be started again."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._process = None

    def stop(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)
            self._process.kill()
            self._process.wait()
            self._process = None

    def follow(self, primary: "Node") -> None:
        """Make it a replica, and wait until it has everything."""
        with self.client() as client:
            client.execute_command("REPLICAOF", "127.0.0.1", primary.port)
            until(lambda: client.info("replication")["master_link_status"] == "up", "the replica is in step")


@contextlib.contextmanager
def nodes(count: int) -> Iterator[list[Node]]:
    """Start some servers."""
    with TemporaryDirectory(prefix="tb-") as folder:
        made = [Node(Path(folder) / str(number)) for number in range(count)]
        try:
            for node in made:
                node.start()
            yield made
        finally:
            for node in made:
                node.stop()

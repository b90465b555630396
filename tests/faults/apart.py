"""A machine of its own for a program: a network in which addresses are cut off, and clocks that are stepped.

The program starts itself again: in a network namespace (Linux; also for others than root, where the system lets them),
and with a library before the system's own that gives each process its own time of day (where there is a C compiler).
What there is not, is told, and those faults are left out.
"""

import contextlib
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

_NETWORK: Final = "FAULTS_NETWORK"
_CLOCKS: Final = "FAULTS_CLOCKS"
_SOURCE: Final = Path(__file__).with_name("clock_steps.c")
HOSTS: Final = tuple(f"10.77.0.{number}" for number in range(1, 7))
"""Addresses of the network of its own. Whoever binds no source address comes from the one that they call."""

_WAYS: Final = (("unshare", "--net"), ("unshare", "--net", "--map-root-user"))
_NOWHERE: Final = 77
_SET_UP: Final = (
    "link set lo up",
    *(f"address add {host}/32 dev lo" for host in HOSTS),
    # Packets that go there are lost without a word, as on a broken line.
    "link add nowhere type {kind}",
    "link set nowhere up",
    f"route add default dev nowhere table {_NOWHERE}",
    # Rules must come before the one that reaches every local address.
    "rule add pref 1 from all lookup local",
    "rule del pref 0 from all lookup local",
)


def run_apart(command: Sequence[str]) -> int:
    """Run a command on such a machine; return its exit status."""
    with TemporaryDirectory(prefix="tb-") as folder:
        environment, prefix = dict(os.environ), list[str]()
        library = _compiled(Path(folder))
        if library is not None:
            environment |= {"LD_PRELOAD": str(library), _CLOCKS: folder}
        for way, kind in product(_WAYS, ("dummy", "ifb")):
            if _works([*way, "ip", "link", "add", "nowhere", "type", kind]):
                prefix, environment[_NETWORK] = list(way), kind
                break
        return subprocess.run([*prefix, *command], env=environment, check=False).returncode


def has_network() -> bool:
    """Tell whether this program runs in a network of its own."""
    return _NETWORK in os.environ


def has_clocks() -> bool:
    """Tell whether the clocks of this program's children can be stepped."""
    return _CLOCKS in os.environ


def prepare_network() -> None:
    """Give the network its addresses, and room for what cuts them off."""
    for arguments in _SET_UP:
        _ip(arguments.format(kind=os.environ[_NETWORK]))


@contextlib.contextmanager
def cut_off(ways: Sequence[tuple[str, str]]) -> Iterator[None]:
    """Let nothing through from one address to another while the block runs; connections stay open, and hang."""
    rules = [f"pref 0 from {one} to {other} lookup {_NOWHERE}" for one, other in ways]
    try:
        for rule in rules:
            _ip(f"rule add {rule}")
        yield
    finally:
        for rule in rules:
            _ip(f"rule del {rule}")


def step_clock(pid: int, seconds: float) -> None:
    """Set a process's time of day so far from the system's; 0 sets it right."""
    with (Path(os.environ[_CLOCKS]) / str(pid)).open("r+b") as file:
        file.write(struct.pack("q", int(seconds * 1e9)))


def _compiled(folder: Path) -> Path | None:
    compiler, library = shutil.which("cc"), folder / "clock_steps.so"
    if compiler is None or sys.platform != "linux":
        return None
    command = [compiler, "-O2", "-shared", "-fPIC", "-o", str(library), str(_SOURCE), "-ldl"]
    return library if _works(command) else None


def _works(command: Sequence[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def _ip(arguments: str) -> None:
    subprocess.run(["ip", *arguments.split()], check=True)

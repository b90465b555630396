"""Is there memory left, for the log's server and on the machine?"""

from pathlib import Path
from typing import Final

import msgspec

from services.watch.doctor.diagnosis import Diagnosis, fine
from services.watch.findings import Severity

MIB: Final = 1024 * 1024

_LOOK_ABOVE: Final = 0.80
_ACT_ABOVE: Final = 0.95
_LITTLE: Final = 0.10
_VERY_LITTLE: Final = 0.03


class MemoryFacts(msgspec.Struct, frozen=True):
    """How much memory is used, in bytes.

    Attributes:
        used: By the log's server.
        most: What it may use; 0 for as much as there is.
        machine: What the machine on which this was asked has; 0 when that is not known, or it is another one.
        available: What is left there.
    """

    used: int
    most: int = 0
    machine: int = 0
    available: int = 0


def machine_memory(meminfo: Path = Path("/proc/meminfo")) -> tuple[int, int]:
    """Return this machine's memory and what is available of it, in bytes; zeros where the system does not tell."""
    try:
        rows = dict(line.split(":", 1) for line in meminfo.read_text().splitlines())
        total, available = (int(rows[name].split()[0]) * 1024 for name in ("MemTotal", "MemAvailable"))
    except (OSError, KeyError, ValueError):
        return 0, 0
    return total, available


def judge_memory(facts: MemoryFacts) -> list[Diagnosis]:
    """Judge how much memory is left."""
    found = [finding for finding in (_of_store(facts), _of_machine(facts)) if finding is not None]
    if found:
        return found
    told = f"The log's server uses {_mib(facts.used)}"
    told += f" of {_mib(facts.most)} that it may use" if facts.most else ""
    told += (
        f"; the machine has {_mib(facts.available)} of {_mib(facts.machine)} left" if facts.machine else ""
    )
    return [fine("memory.enough", f"{told}.")]


def _of_store(facts: MemoryFacts) -> Diagnosis | None:
    if not facts.most or facts.used < _LOOK_ABOVE * facts.most:
        return None
    return Diagnosis(
        "store.memory_nearly_full",
        Severity.ACT if facts.used > _ACT_ABOVE * facts.most else Severity.LOOK,
        f"The log's server uses {_mib(facts.used)} of the {_mib(facts.most)} that it may use (maxmemory).",
        "When it is full it refuses every move; nothing that was acknowledged is lost.",
        "Raise maxmemory, or move finished matches out of memory: `tablee archive --now`.",
    )


def _of_machine(facts: MemoryFacts) -> Diagnosis | None:
    if not facts.machine or facts.available > _LITTLE * facts.machine:
        return None
    return Diagnosis(
        "machine.memory_nearly_full",
        Severity.ACT if facts.available < _VERY_LITTLE * facts.machine else Severity.LOOK,
        f"The machine has {_mib(facts.available)} of {_mib(facts.machine)} of memory left.",
        "When nothing is left, the system ends a process; the service starts it again, but people wait.",
        "End what else runs here, or move finished matches out of memory: `tablee archive --now`.",
    )


def _mib(size: int) -> str:
    return f"{size / MIB:,.0f} MiB"

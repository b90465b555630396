"""Is there room on the disks and in memory, and do the clocks of the machines agree?"""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import msgspec

from domain.instants import instant_from_milliseconds
from services.log.held_clock import Held
from services.watch.doctor.diagnosis import Diagnosis, fine
from services.watch.findings import Severity

MIB: Final = 1024 * 1024

_LITTLE, _VERY_LITTLE = 0.10, 0.03
"""Shares of a disk, or of a machine's memory."""
_FEW_BYTES, _VERY_FEW_BYTES = 1024 * MIB, 64 * MIB


class DiskFacts(msgspec.Struct, frozen=True):
    """How much room there is.

    Attributes:
        purpose: What is kept there: ``data folder``.
        path: Where.
        free: Bytes that this user may still write.
        size: Bytes of the whole file system.
        inodes: Files that may still be made; None where there is no such limit.
    """

    purpose: str
    path: str
    free: int
    size: int
    inodes: int | None = None


def disk_facts(
    folders: Iterable[tuple[str, Path]], statvfs: Callable[[Path], os.statvfs_result] = os.statvfs
) -> list[DiskFacts]:
    """Return how much room there is for each folder, by its purpose; one that is not there yet is left out."""
    facts = []
    for purpose, path in folders:
        try:
            told = statvfs(path)
        except OSError:
            continue
        inodes = told.f_favail if told.f_files else None
        facts.append(
            DiskFacts(
                purpose, str(path), told.f_bavail * told.f_frsize, told.f_blocks * told.f_frsize, inodes
            )
        )
    return facts


def judge_disk(facts: DiskFacts) -> Diagnosis:
    """Judge the room for one folder."""
    if facts.inodes == 0:
        return _full(facts, Severity.ACT, "the file system can hold no further file")
    share = facts.free / facts.size if facts.size else 0.0
    said = f"{facts.free / MIB:,.0f} MiB of {facts.size / MIB:,.0f} MiB are free"
    if facts.free < _VERY_FEW_BYTES or (share < _VERY_LITTLE and facts.free < _FEW_BYTES):
        return _full(facts, Severity.ACT, said)
    if share < _LITTLE and facts.free < 10 * _FEW_BYTES:
        return _full(facts, Severity.LOOK, said)
    return fine("disk.enough", f"{said} for the {facts.purpose} {facts.path}.")


def _full(facts: DiskFacts, severity: Severity, said: str) -> Diagnosis:
    return Diagnosis(
        "disk.nearly_full",
        severity,
        f"{said[0].upper()}{said[1:]} for the {facts.purpose} {facts.path}.",
        "When the disk is full nobody can play, and people read that the house is full. Nothing that was acknowledged "
        "is lost: the log's server ends rather than acknowledge what it cannot keep.",
        "Make room: delete what does not belong to Tablée, or move the folder to a larger disk while the service is "
        "stopped. Never delete anything in `log` or `archive`. Then the service goes on by itself.",
    )


_LOOK_ABOVE: Final = 0.80
_ACT_ABOVE: Final = 0.95


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


_LOOK_ABOVE_MS: Final = 2_000
_ACT_ABOVE_MS: Final = 30_000


class ClockFacts(msgspec.Struct, frozen=True):
    """What clocks say, in milliseconds since the epoch.

    Attributes:
        here: This machine, half way between asking the store and its answer.
        store: The log's server.
        newest: The newest instant in any log that was read; 0 for none.
        match: The match in which it stands.
        version: Its event.
    """

    here: int
    store: int
    newest: int = 0
    match: str = ""
    version: int = 0


def judge_skew(facts: ClockFacts) -> Diagnosis:
    """Judge how far this machine's clock and the store's are apart."""
    apart = facts.here - facts.store
    if abs(apart) < _LOOK_ABOVE_MS:
        return fine("clock.agrees", f"This machine's clock and the store's are {abs(apart)} ms apart.")
    return Diagnosis(
        "clock.skewed",
        Severity.ACT if abs(apart) > _ACT_ABOVE_MS else Severity.LOOK,
        f"This machine's clock is {abs(apart) / 1000:,.1f} s {'ahead of' if apart > 0 else 'behind'} the store's: "
        f"here it is {instant_from_milliseconds(facts.here)}, there {instant_from_milliseconds(facts.store)}.",
        "Deadlines end too early or too late by as much.",
        "Let all machines of the service set their clocks by the network (NTP): `timedatectl` tells whether they do.",
    )


def judge_held(held: Held | None) -> list[Diagnosis]:
    """Judge whether the clock's loop holds people's time back because its clock leapt."""
    if held is None:
        return []
    return [
        Diagnosis(
            "clock.leapt",
            Severity.ACT,
            f"The clock of the machine that runs the loops went ahead by {held.ahead / 1000:,.0f} s at once.",
            "People's time runs on as if it had not: nobody's turn is played because a clock is wrong. Turns that were "
            "asked for since then end too late. Bots move.",
            "If the clock is wrong, set it right (`timedatectl`): the loop goes on by itself. If it is right, stop the "
            "service and start it again: it then believes its clock, unless that of the log's server says otherwise.",
        )
    ]


def judge_future(facts: ClockFacts) -> list[Diagnosis]:
    """Judge whether a log has events from the future: a clock was wrong once, or is now."""
    ahead = facts.newest - facts.here
    if ahead < _LOOK_ABOVE_MS:
        return []
    return [
        Diagnosis(
            "clock.events_from_the_future",
            Severity.ACT if ahead > _ACT_ABOVE_MS else Severity.LOOK,
            f"Event {facts.version} of {facts.match} bears the instant {instant_from_milliseconds(facts.newest)}, "
            f"which is {ahead / 1000:,.0f} s from now.",
            "A log's instants never run back: until then, further events of this match bear that instant. Its turns "
            "last as long as they should: a running service measures them by the time that passes.",
            "Look at this machine's clock first. If it is right, the one of the machine that wrote the event was "
            "wrong; waiting mends it. A turn that cannot wait: `tablee hand-over MATCH SEAT --reason R`.",
            facts.match,
            facts.version,
        )
    ]

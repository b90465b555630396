"""Is there room on the disks on which the log and the archive are?"""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import msgspec

from services.watch.doctor.diagnosis import Diagnosis, fine
from services.watch.findings import Severity

MIB: Final = 1024 * 1024

_LITTLE, _VERY_LITTLE = 0.10, 0.03
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
        "When the disk is full the log's server ends rather than acknowledge a move that it cannot keep; it is started "
        "again, and the next move ends it again. Nothing that was acknowledged is lost.",
        "Make room: delete what does not belong to Tablée, or move the folder to a larger disk while the service is "
        "stopped. Never delete anything in `log` or `archive`. Then the service goes on by itself.",
    )

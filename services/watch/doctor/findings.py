"""What the doctor says: one finding for each thing that he looked at."""

from collections.abc import Iterable
from enum import IntEnum
from typing import Literal

import msgspec

Repair = Literal["", "due", "due_entry", "status", "rows"]
"""What can be set right from the log alone: a match's due instant; an entry of the due index that belongs to nothing;
the status in a match's record; the rows of the projections. Nothing else is ever written; see
``docs/adr/0034-what-the-doctor-repairs.md``."""


class Severity(IntEnum):
    """How urgent a finding is; also what the command ends with."""

    OK = 0
    LOOK = 1
    """Nothing is lost and nobody waits, but somebody should look."""
    ACT = 2
    """People wait, or something is or may be lost."""


class Finding(msgspec.Struct, frozen=True):
    """What a check came to.

    Attributes:
        code: Stable name of what was found.
        severity: How urgent it is.
        found: What was seen: with figures, instants, match and version.
        means: What follows from it for those who play.
        do: What the operator should do.
        match: The match that it is about, if it is about one.
        version: The version there; 0 for none.
        repair: What ``tablee doctor --repair`` can do about it; empty for nothing.
    """

    code: str
    severity: Severity
    found: str
    means: str = ""
    do: str = ""
    match: str = ""
    version: int = 0
    repair: Repair = ""


def fine(code: str, found: str) -> Finding:
    """Return the finding that all is well."""
    return Finding(code, Severity.OK, found)


def worst(findings: Iterable[Finding]) -> Severity:
    """Return the most urgent severity; OK for none."""
    return max((finding.severity for finding in findings), default=Severity.OK)

"""What the doctor says: one diagnosis for each thing that was looked at."""

from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from services.watch.findings import Severity

Repair = Literal["", "due", "due_entry", "status", "rows"]
"""What can be set right from the log alone: a match's due instant; an entry of the due index that belongs to nothing;
the status in a match's record; the rows of the projections. Nothing else is ever written; see
``docs/adr/0034-what-the-doctor-repairs.md``."""


class Diagnosis(msgspec.Struct, frozen=True):
    """What a check came to, as ``tablee doctor --json`` prints it.

    Attributes:
        code: Stable name of what was found.
        found: What was seen: with figures, instants, match and version.
        means: What follows from it for those who play.
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


def fine(code: str, found: str) -> Diagnosis:
    """Return the diagnosis that all is well."""
    return Diagnosis(code, Severity.OK, found)


def look(code: str, found: str, means: str, do: str, match: str = "", version: int = 0) -> Diagnosis:
    """Return a diagnosis that somebody should look at."""
    return Diagnosis(code, Severity.LOOK, found, means, do, match, version)


def act(code: str, found: str, means: str, do: str, match: str = "", version: int = 0) -> Diagnosis:
    """Return a diagnosis that somebody must act on now."""
    return Diagnosis(code, Severity.ACT, found, means, do, match, version)


_OF_HEALTH: Final = frozenset(
    {"due.parked", "event.parked", "rows.behind", "store.behind_archive", "store.in_the_past"}
)
_OF_PROOF: Final = frozenset({"match.lost", "match.cut"})


def contradicts(diagnosis: Diagnosis) -> bool:
    """Tell whether a diagnosis says that something contradicts the log, and not how the service fares.

    Summaries of what is named match by match are left out.
    """
    health = diagnosis.code in _OF_HEALTH or diagnosis.code.startswith("match.")
    return bool(diagnosis.severity) and (not health or diagnosis.code in _OF_PROOF)


def worst(diagnoses: Iterable[Diagnosis]) -> Severity:
    """Return the most urgent severity; OK for none."""
    return max((one.severity for one in diagnoses), default=Severity.OK)

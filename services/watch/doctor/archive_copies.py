"""Does the archive have what the store has let go, and nothing that the store knows nothing of?"""

from collections.abc import Mapping
from typing import Final

from services.log.event_store.contract import Status
from services.watch.doctor.diagnosis import Diagnosis, act, fine

_NAMED: Final = 20


def judge_copies(statuses: Mapping[str, Status], copies: frozenset[str]) -> list[Diagnosis]:
    """Compare the store's tombstones with the archive's files.

    Args:
        statuses: The status of every match of the store.
        copies: The matches that the archive has a file of.
    """
    gone = sorted(
        match for match, status in statuses.items() if status is Status.ARCHIVED and match not in copies
    )
    unknown = sorted(copies - statuses.keys())
    again = sorted(match for match in copies if statuses.get(match) is Status.OPEN)
    found = [_missing(match) for match in gone[:_NAMED]]
    if len(gone) > _NAMED:
        found.append(_further(len(gone) - _NAMED))
    if unknown or again:
        found.append(_behind(unknown, again))
    archived = sum(status is Status.ARCHIVED for status in statuses.values())
    return found or [
        fine("archive.complete", f"The archive has a file for each of {archived} archived match(es).")
    ]


def _missing(match: str) -> Diagnosis:
    return act(
        "archive.missing",
        f"{match} is archived, and the archive has no file of it.",
        "Nobody can look at this match any more.",
        "Is TABLEE_ARCHIVE what it was? Else copy the file back from a backup of the archive, or write it anew from an "
        "export: `tablee import FILE`.",
        match,
    )


def _further(count: int) -> Diagnosis:
    return act(
        "archive.missing",
        f"{count} further archived matches have no file in the archive.",
        "Nobody can look at these matches any more.",
        "So many at once: TABLEE_ARCHIVE is probably not what it was, or the archive's disk is not mounted.",
    )


def _behind(unknown: list[str], again: list[str]) -> Diagnosis:
    named = [*unknown, *again]
    said = f"{len(unknown)} that the store knows nothing of" if unknown else ""
    said += " and " if unknown and again else ""
    said += f"{len(again)} that are not over, by the store" if again else ""
    return act(
        "store.behind_archive",
        f"The archive has matches that were over and archived: {said}. The first: {named[0]}.",
        "The store is older than its archive: it has been put back to an earlier state, or it is another "
        "installation's archive.",
        "Stop the service and look for a newer copy of `log`. If there is none, the archived matches can be taken in "
        "again: `tablee import FILE` for each file in `archive/matches`.",
        match=named[0],
    )

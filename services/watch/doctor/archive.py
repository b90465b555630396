"""Is the archive complete?"""

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from services.log.event_store.contract import Status
from services.watch.doctor.diagnosis import Diagnosis, act, fine

NAMED: Final = 20
"""So many are named one by one."""

_LISTED: Final = 100


class CopyFacts(msgspec.Struct, frozen=True):
    """What comparing tombstones with the archive's files came to.

    Attributes:
        archived: How many matches are archived.
        gone: Archived matches without a file.
        unknown: Files of matches that the store knows nothing of.
        again: Files of matches that are not over.
    """

    archived: int = 0
    gone: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    again: tuple[str, ...] = ()

    def and_also(self, other: "CopyFacts") -> "CopyFacts":
        """Return both together."""
        return CopyFacts(
            self.archived + other.archived,
            self.gone + other.gone,
            self.unknown + other.unknown,
            self.again + other.again,
        )


def copy_facts(statuses: Mapping[str, Status], copies: frozenset[str]) -> CopyFacts:
    """Compare the store's tombstones with the archive's files, by the statuses of all matches."""
    archived = {match for match, status in statuses.items() if status is Status.ARCHIVED}
    return CopyFacts(
        len(archived),
        tuple(sorted(archived - copies)),
        tuple(sorted(copies - statuses.keys())),
        tuple(sorted(match for match in copies if statuses.get(match) is Status.OPEN)),
    )


def judge_copies(facts: CopyFacts, left: int = 0) -> list[Diagnosis]:
    """Judge whether each archived match has a file, and each file a match that is over.

    Args:
        facts: What comparing them came to.
        left: How many more are archived, that were not compared this time.
    """
    found = [_missing(match) for match in facts.gone[:NAMED]]
    if len(facts.gone) > NAMED:
        found.append(_further(len(facts.gone) - NAMED))
    if facts.unknown or facts.again:
        found.append(_behind([*facts.unknown], [*facts.again]))
    more = f" {left} more are looked for at the next visits." if left else ""
    said = f"The archive has a file for each of {facts.archived} archived match(es).{more}"
    return found or [fine("archive.complete", said)]


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
        f"The archive has matches that were over and archived: {said}: {listed(named)}.",
        "The store is older than its archive: it has been put back to an earlier state, or it is another "
        "installation's archive.",
        "Stop the service and look for a newer copy of `log`. If there is none, the archived matches can be taken in "
        "again: `tablee import FILE` for each file in `archive/matches`.",
        match=named[0],
    )


def listed(matches: Iterable[str]) -> str:
    """Return matches in one line; of very many the first."""
    named = sorted(matches)
    more = f" and {len(named) - _LISTED} more" if len(named) > _LISTED else ""
    return ", ".join(named[:_LISTED]) + more

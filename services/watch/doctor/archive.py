"""Is the archive complete, and does every match have the heads that digests have published?"""

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from domain.errors import BrokenLog, Malformed
from services.audit.digests import HIDDEN, Digests, names_of
from services.audit.published import Finding, followed
from services.log.event_store.contract import EventStore, Meta, Status
from services.watch.doctor.diagnosis import Diagnosis, act, fine

_NAMED: Final = 20
_LISTED: Final = 100
_REWRITTEN_NAMED: Final = 10


def judge_copies(statuses: Mapping[str, Status], copies: frozenset[str]) -> list[Diagnosis]:
    """Compare the store's tombstones with the archive's files, by the statuses of all matches."""
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
        f"The archive has matches that were over and archived: {said}: {_listed(named)}.",
        "The store is older than its archive: it has been put back to an earlier state, or it is another "
        "installation's archive.",
        "Stop the service and look for a newer copy of `log`. If there is none, the archived matches can be taken in "
        "again: `tablee import FILE` for each file in `archive/matches`.",
        match=named[0],
    )


_LATEST: Final = 30
"""So many digests are looked at; ``tablee verify --against`` looks at all."""


class HeadFacts(msgspec.Struct, frozen=True):
    """A published head, and what the store has.

    Attributes:
        match: Its id; empty if no match of the store has this name.
        published: The version that was published.
        digest: The number of the digest.
        at: When that was made.
        version: The version that the store has; None for no such match.
        same: Whether the head at the published version is the published one; None where the store has no such version.
    """

    name: str
    match: str
    published: int
    digest: int
    at: str
    version: int | None
    same: bool | None


class RowFacts(msgspec.Struct, frozen=True):
    """What was read of the row of digests.

    Attributes:
        latest: The number of the latest one; 0 for none.
        looked_at: How many were read.
        problems: What is wrong with the row itself.
        heads: The newest published head of each match.
    """

    latest: int
    looked_at: int
    problems: tuple[Finding, ...]
    heads: tuple[HeadFacts, ...]


async def head_facts(
    log: EventStore,
    digests: Digests,
    metas: Mapping[str, Meta | None],
    noted: tuple[int, str] | None = None,
    *,
    every: bool = False,
) -> RowFacts:
    """Compare the newest published heads with the store.

    Args:
        log: The log.
        digests: The row of digests.
        metas: The record of every match that the store has.
        noted: Number and SHA-256 of the latest digest, as the store has noted them.
        every: Whether to read all digests, and not the latest only.
    """
    latest = max(await digests.latest(), noted[0] if noted is not None else 0)
    start = 1 if every else max(1, latest - _LATEST + 1)
    problems: list[Finding] = []
    newest: dict[str, tuple[int, str, int, str]] = {}
    async for number, digest, wrong in followed(digests, start, noted=noted):
        problems += wrong
        for head in () if digest is None else digest.heads:
            newest[head.match] = head.version, head.head, number, digest.line.at if digest else ""
    ids = _ids(newest, metas)
    heads = []
    for name, (version, published, number, at) in sorted(newest.items()):
        match = ids.get(name, "" if name.startswith(HIDDEN) else name)
        present, same = await _present(log, match, metas, version, published)
        heads.append(
            HeadFacts(name, match if present is not None else "", version, number, at, present, same)
        )
    return RowFacts(latest, latest - start + 1 if latest else 0, tuple(problems), tuple(heads))


async def _present(
    log: EventStore, match: str, metas: Mapping[str, Meta | None], version: int, published: str
) -> tuple[int | None, bool | None]:
    """Return a match's version, and whether its head at the published one is the published one."""
    meta = metas.get(match)
    if match in metas and meta is None:
        # A record that cannot be read says nothing about the past; it is found elsewhere.
        return version, None
    try:
        if match and (meta is None or meta.version < version):
            # It may have moved, and the digest been made, since the record was read.
            meta = await log.meta(match)
        if meta is None or meta.version < version:
            return (None if meta is None else meta.version), None
        return meta.version, await _same(log, match, meta, version, published)
    except (Malformed, BrokenLog):
        return None, None


def _ids(names: Mapping[str, object], metas: Mapping[str, object]) -> dict[str, str]:
    hidden = any(name.startswith(HIDDEN) for name in names)
    found: dict[str, str] = {}
    for match in metas:
        for name in names_of(match) if hidden else (match,):
            if name in names:
                found[name] = match
    return found


async def _same(log: EventStore, match: str, meta: Meta, version: int, head: str) -> bool | None:
    if meta.version == version:
        return meta.head.hex() == head
    try:
        found = await log.read(match, after=version - 1, last=version)
    except BrokenLog:
        return None
    return bool(found) and found[0].h.hex() == head


def judge_heads(facts: RowFacts) -> list[Diagnosis]:
    """Judge whether the store is what was published."""
    if not facts.latest:
        return [
            fine(
                "digest.none",
                "No digest was made yet; the service makes one every day on which something moved.",
            )
        ]
    found = [_wrong_row(problem) for problem in facts.problems]
    behind = [one for one in facts.heads if one.version is None or one.version < one.published]
    if behind:
        found.append(_in_the_past(behind, facts))
        found += map(_behind_digest, behind[:_NAMED])
    found += [_rewritten(one) for one in facts.heads if one.same is False][:_REWRITTEN_NAMED]
    said = f"{len(facts.heads)} match(es) have the heads that the {facts.looked_at} latest digest(s) name."
    return found or [fine("digest.holds", said)]


def _listed(matches: Iterable[str]) -> str:
    named = sorted(matches)
    more = f" and {len(named) - _LISTED} more" if len(named) > _LISTED else ""
    return ", ".join(named[:_LISTED]) + more


def _in_the_past(behind: list[HeadFacts], facts: RowFacts) -> Diagnosis:
    first = behind[0]
    present = "does not have it at all" if first.version is None else f"has it at version {first.version}"
    return act(
        "store.in_the_past",
        f"{len(behind)} of {len(facts.heads)} published match(es) are shorter here than digests say. The first: "
        f"digest {first.digest} ({first.at}) names {first.name} at version {first.published}; the store {present}. "
        f"All of them: {_listed(one.match or one.name for one in behind)}.",
        "Events that people were told are kept are gone: the store is an older copy of itself, or its end was cut off. "
        "Every further move makes the two histories differ more.",
        "Stop the service now. Look for a newer copy: the data folder's `log`, a backup. If there is none, tell the "
        "players from which version on their match begins again; `tablee verify --against FILE` lists all of them.",
        first.match,
        first.version or 0,
    )


def _rewritten(one: HeadFacts) -> Diagnosis:
    return act(
        "head.rewritten",
        f"Digest {one.digest} ({one.at}) names another hash for {one.name} at version {one.published} than the log.",
        "The log was written anew after that day, as a whole, so that it fits in itself.",
        "Keep a copy of the data folder. `tablee verify --against FILE` names the first event that may differ; restore "
        "a backup from before.",
        one.match,
        one.published,
    )


def _behind_digest(one: HeadFacts) -> Diagnosis:
    """Name one match that is shorter than published, or gone."""
    code = "head.lost" if one.version is None else "head.cut"
    present = "there is no such match" if one.version is None else f"its log has {one.version} events"
    return act(
        code,
        f"Digest {one.digest} ({one.at}) names {one.name} at version {one.published}; {present}.",
        "Events that people were told are kept are gone.",
        "See `store.in_the_past`. A backup or an export may have it.",
        one.match or one.name,
        one.version or 0,
    )


def _wrong_row(problem: Finding) -> Diagnosis:
    found = f"{problem.subject.capitalize()} is not what it was: {problem.detail}."
    return act(
        problem.code,
        found,
        "The row of digests was changed. Who keeps a copy of one can tell which is right.",
        "Copy the file back from a backup of the archive, or from a member who keeps it: "
        "`tablee verify --against FILE`.",
    )

"""Does every match have the heads that digests have published?"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, Self

import msgspec

from domain.errors import BrokenLog, Malformed
from services.audit.digest_format import HIDDEN, names_of
from services.audit.digests import Digests
from services.audit.published import Finding, followed
from services.log.event_store.contract import EventStore, Meta
from services.watch.doctor.archive import NAMED, listed
from services.watch.doctor.diagnosis import Diagnosis, act, fine

_REWRITTEN_NAMED: Final = 10
_LATEST: Final = 30
"""So many digests are looked at; ``tablee verify --against`` looks at all."""

_ENOUGH: Final = 50_000
"""No earlier digest is looked at once the later ones have so many heads."""

_AT_ONCE: Final = 50


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
        heads: The newest published head of each match, of those that were looked at one by one.
        good: How many more there are, which the store has as they were published.
    """

    latest: int
    looked_at: int
    problems: tuple[Finding, ...]
    heads: tuple[HeadFacts, ...]
    good: int = 0


class _Published(NamedTuple):
    """A head as it was published last."""

    version: int
    head: str
    digest: int
    at: str


class PublishedHeads:
    """The newest published heads, held against the matches of one shard after the other. Made by :meth:`read`."""

    def __init__(
        self, latest: int, looked_at: int, problems: list[Finding], newest: dict[str, _Published]
    ) -> None:
        self._latest: Final = latest
        self._looked_at: Final = looked_at
        self._problems: Final = problems
        self._newest: Final = newest
        self._hidden: Final = any(name.startswith(HIDDEN) for name in newest)
        self._heads: Final[list[HeadFacts]] = []
        self._good = 0

    @classmethod
    async def read(
        cls, digests: Digests, noted: tuple[int, str] | None = None, *, every: bool = False
    ) -> Self:
        """Read the newest digests.

        Args:
            digests: The row of digests.
            noted: Number and SHA-256 of the latest digest, as the store has noted them.
            every: Whether to read all digests, and not the latest only.

        Raises:
            ArchiveUnavailable: The archive did not answer.
        """
        latest = max(await digests.latest(), noted[0] if noted is not None else 0)
        first = 1 if every else await _first_of(digests, latest)
        problems: list[Finding] = []
        newest: dict[str, _Published] = {}
        async for number, digest, wrong in followed(digests, first, noted=noted):
            problems += wrong
            if digest is None:
                continue
            for head in digest.heads:
                newest[head.match] = _Published(head.version, head.head, number, digest.line.at)
        return cls(latest, latest - first + 1 if latest else 0, problems, newest)

    async def compare(self, log: EventStore, metas: Mapping[str, Meta | None]) -> None:
        """Compare the heads of some matches, of which these are the records."""
        asked: list[tuple[str, str, Meta | None, _Published]] = []
        for match, meta in metas.items():
            for name in names_of(match) if self._hidden else (match,):
                published = self._newest.pop(name, None)
                if published is None:
                    continue
                if (
                    meta is not None
                    and meta.version == published.version
                    and meta.head.hex() == published.head
                ):
                    self._good += 1
                else:
                    asked.append((name, match, meta, published))
        for start in range(0, len(asked), _AT_ONCE):
            # One after the other they would wait for the store most of the time.
            self._take(
                await asyncio.gather(*(_compared(log, *one) for one in asked[start : start + _AT_ONCE]))
            )

    async def rest(self, log: EventStore) -> RowFacts:
        """Look for the matches that no shard had, and return what all comparisons came to."""
        for name, published in self._newest.items():
            match = "" if name.startswith(HIDDEN) else name
            meta = await _record(log, match) if match else None
            self._take([await _compared(log, name, match, meta, published, is_known=meta is not None)])
        return RowFacts(
            self._latest,
            self._looked_at,
            tuple(self._problems),
            tuple(sorted(self._heads, key=lambda one: one.name)),
            self._good,
        )

    def _take(self, found: Sequence[HeadFacts]) -> None:
        for one in found:
            if one.same and one.version is not None and one.version >= one.published:
                self._good += 1
            else:
                self._heads.append(one)


async def _first_of(digests: Digests, latest: int) -> int:
    """Return with which digest to begin: of a busy installation a few days have many heads."""
    first, heads = latest, 0
    while first > max(1, latest - _LATEST + 1):
        heads += await digests.heads_in(first)
        if heads >= _ENOUGH:
            break
        first -= 1
    return max(1, first)


async def _compared(
    log: EventStore,
    name: str,
    match: str,
    meta: Meta | None,
    published: _Published,
    *,
    is_known: bool = True,
) -> HeadFacts:
    version, head, number, at = published
    present, same = await _present(log, match, meta, version, head, is_known=is_known)
    return HeadFacts(name, match if present is not None else "", version, number, at, present, same)


async def _record(log: EventStore, match: str) -> Meta | None:
    try:
        return await log.meta(match)
    except (Malformed, BrokenLog):
        return None


async def _present(
    log: EventStore, match: str, meta: Meta | None, version: int, published: str, *, is_known: bool
) -> tuple[int | None, bool | None]:
    """Return a match's version, and whether its head at the published one is the published one."""
    if is_known and meta is None:
        # A record that cannot be read says nothing about the past; it is found elsewhere.
        return version, None
    if match and (meta is None or meta.version < version):
        # It may have moved, and the digest been made, since the record was read.
        meta = await _record(log, match)
    if meta is None or meta.version < version:
        return (None if meta is None else meta.version), None
    return meta.version, await _same(log, match, meta, version, published)


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
        found += map(_behind_digest, behind[:NAMED])
    found += [_rewritten(one) for one in facts.heads if one.same is False][:_REWRITTEN_NAMED]
    count = len(facts.heads) + facts.good
    said = f"{count} match(es) have the heads that the {facts.looked_at} latest digest(s) name."
    return found or [fine("digest.holds", said)]


def _in_the_past(behind: list[HeadFacts], facts: RowFacts) -> Diagnosis:
    first = behind[0]
    present = "does not have it at all" if first.version is None else f"has it at version {first.version}"
    return act(
        "store.in_the_past",
        f"{len(behind)} of {len(facts.heads) + facts.good} published match(es) are shorter here than digests say. "
        f"The first: digest {first.digest} ({first.at}) names {first.name} at version {first.published}; the store "
        f"{present}. "
        f"All of them: {listed(one.match or one.name for one in behind)}.",
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

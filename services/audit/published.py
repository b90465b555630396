"""Holding an installation against heads that it has published: what was rewritten, cut or lost is found and named."""

from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from types import MappingProxyType

import msgspec

from services.audit.digest_format import HIDDEN, Digest, names_of
from services.audit.digests import NO_DIGEST, Digests
from services.audit.errors import DigestUnreadable
from services.errors import NoSuchMatch
from services.log.event_store.contract import EventStore
from services.log.proof import proven_log


class Finding(msgspec.Struct, frozen=True):
    """What is wrong with an installation, as far as digests tell.

    Attributes:
        code: ``digest.rewritten``, ``digest.lost``, ``digest.row_broken``; ``head.rewritten``, ``head.cut``,
            ``head.lost``, or what verifying the match came to.
        subject: The digest, or the match as the digest names it.
        version: The first event that is not, or need not be, what it was; 0 for digests.
        detail: What was expected and what was found.
    """

    code: str
    subject: str
    version: int
    detail: str


class Compared(msgspec.Struct, frozen=True):
    """A match that was held against the row of digests.

    Attributes:
        match: Its name in the digests.
        heads: How many published heads its log still has.
        findings: What is wrong.
    """

    match: str
    heads: int
    findings: tuple[Finding, ...] = ()


async def row_of(
    digests: Digests, given: Sequence[Digest], noted: tuple[int, str] | None = None
) -> tuple[list[Digest], list[Finding]]:
    """Read an installation's row of digests and compare it with those that members kept.

    Returns:
        All digests that can be read, the given ones among them, and what is wrong with the row.
    """
    kept = {digest.line.digest: digest for digest in given}
    row: list[Digest] = []
    findings: list[Finding] = []
    async for number, found, problems in followed(digests, kept=kept, noted=noted):
        findings += problems
        row += [one for one in {found, kept.get(number)} if one is not None]
    return row, findings


async def followed(
    digests: Digests,
    first: int = 1,
    kept: Mapping[int, Digest] = MappingProxyType({}),
    noted: tuple[int, str] | None = None,
) -> AsyncIterator[tuple[int, Digest | None, list[Finding]]]:
    """Follow the row of digests, each of which says the hash of the one before it.

    Args:
        digests: The row.
        first: The number to begin with.
        kept: Digests that members kept, by number.
        noted: Number and SHA-256 of the latest digest, as the store has noted them: no later one says what it was.

    Yields:
        Each number with its digest, if that can be read, and what is wrong with it.
    """
    latest = max((await digests.latest(), *kept, noted[0] if noted is not None else 0))
    previous: str | None = NO_DIGEST if first == 1 else None
    for number in range(first, latest + 1):
        found, problem = await _digest(digests, number, kept.get(number))
        problems = [] if problem is None else [problem]
        subject = f"digest {number}"
        if found is not None and found.line.digest != number:
            detail = f"it calls itself digest {found.line.digest}"
            problems.append(Finding("digest.row_broken", subject, 0, detail))
        if found is not None and previous is not None and found.line.previous != previous:
            detail = f"it says {found.line.previous} of the one before it, which has {previous}"
            problems.append(Finding("digest.row_broken", subject, 0, detail))
        if found is not None and noted is not None and number == noted[0] and found.sha256 != noted[1]:
            detail = f"it has SHA-256 {found.sha256}; when it was made, the store noted {noted[1]}"
            problems.append(Finding("digest.rewritten", subject, 0, detail))
        previous = found.sha256 if found is not None else None
        yield number, found, problems


async def _digest(digests: Digests, number: int, kept: Digest | None) -> tuple[Digest | None, Finding | None]:
    subject = f"digest {number}"
    try:
        found = await digests.read(number)
    except DigestUnreadable as error:
        return None, Finding("digest.rewritten", subject, 0, error.detail)
    if found is None:
        return None, Finding("digest.lost", subject, 0, "the installation no longer has it")
    if kept is not None and kept.sha256 != found.sha256:
        detail = f"the given one has SHA-256 {kept.sha256}, the installation's {found.sha256}"
        return found, Finding("digest.rewritten", subject, 0, detail)
    return found, None


async def compare(log: EventStore, row: Iterable[Digest]) -> AsyncIterator[Compared]:
    """Hold every match that the digests name against its published heads.

    Yields:
        Each match, once.
    """
    published: defaultdict[str, set[tuple[int, str, int]]] = defaultdict(set)
    for digest in row:
        for head in digest.heads:
            published[head.match].add((head.version, head.head, digest.line.digest))
    ids = await _ids(log, published)
    for name in sorted(published):
        yield await _held(log, ids.get(name, name), name, sorted(published[name]))


async def _ids(log: EventStore, names: Iterable[str]) -> dict[str, str]:
    """Return the id behind each hidden name."""
    hidden = {name for name in names if name.startswith(HIDDEN)}
    if not hidden:
        return {}
    return {name: match async for match in log.matches() for name in names_of(match) if name in hidden}


async def _held(log: EventStore, match: str, name: str, heads: Sequence[tuple[int, str, int]]) -> Compared:
    version, _, number = heads[-1]
    if match.startswith(HIDDEN):
        return _lost(name, version, number)
    try:
        verdict, entries = await proven_log(log, match)
    except NoSuchMatch:
        return _lost(name, version, number)
    good, findings = 0, []
    if not verdict.good:
        findings.append(Finding(verdict.code, name, verdict.bad_version, verdict.detail))
    verified = 0
    for version, head, number in heads:
        if version > len(entries):
            detail = f"digest {number} names version {version}, the log has {len(entries)} events"
            findings.append(Finding("head.cut", name, len(entries) + 1, detail))
            break
        found = entries[version - 1].h.hex()
        if found != head:
            detail = f"digest {number} names head {head} at version {version}, the log has {found}"
            findings.append(Finding("head.rewritten", name, verified + 1, detail))
            break
        good, verified = good + 1, version
    return Compared(name, good, tuple(findings))


def _lost(name: str, version: int, number: int) -> Compared:
    detail = f"digest {number} names it with {version} events; there is no such match"
    return Compared(name, 0, (Finding("head.lost", name, 1, detail),))

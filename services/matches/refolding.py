"""Folding stored matches again, to prove that a release reads them as the previous one did.

The old release writes a baseline: for each match the state hash at every version, cut to 48 bits. The new release folds
the same logs, compares, and names the first event that differs. Baselines stay on the server, because a live match has
so few possible states that its hash could be guessed.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from domain.entries import StoredEntry
from domain.match.fold import beginning, fold, positions, unfoldable
from domain.match.hashing import state_hash
from domain.match.upcasting import NewerRelease
from services.log.proof import Readable, judged

_KEPT_DIGITS = 12


class Baseline(msgspec.Struct, frozen=True):
    """What one match folds to.

    Attributes:
        hashes: The first twelve digits of the state hash at every version.
    """

    match: str
    hashes: tuple[str, ...]


class Refolded(msgspec.Struct, frozen=True):
    """The result of folding a match again.

    Attributes:
        events: How many events were folded.
        code: Why it failed: ``fold.raised``, ``fold.differs``, ``fold.shorter`` or what verifying found; empty if it
            did not.
        bad_version: The first event that cannot be folded, or after which the state differs; 0 for none.
    """

    match: str
    events: int
    code: str = ""
    bad_version: int = 0
    detail: str = ""


def baseline_of(match: str, entries: Iterable[StoredEntry]) -> Baseline:
    """Return what a match folds to now."""
    hashes = (state_hash(position.state)[:_KEPT_DIGITS] for position in positions(beginning(match), entries))
    return Baseline(match, tuple(hashes))


def refold(match: str, entries: list[StoredEntry], baseline: Baseline | None) -> Refolded:
    """Fold a match again, and compare it with its baseline, if any, as far as that goes: the match may have grown."""
    compared = () if baseline is None else baseline.hashes
    if len(entries) < len(compared):
        detail = f"{len(compared)} events when the baseline was made, {len(entries)} now"
        return Refolded(match, len(entries), "fold.shorter", len(entries) + 1, detail)
    now = beginning(match)
    try:
        # A state may differ in the middle and agree again at the end.
        for was, position in zip(compared, positions(now, entries), strict=False):
            now, is_now = position, state_hash(position.state)[:_KEPT_DIGITS]
            if is_now != was:
                detail = f"state hash {is_now}, in the baseline {was}"
                return Refolded(match, len(entries), "fold.differs", now.version, detail)
        fold(now, entries[now.version :])
    except Exception as error:  # noqa: BLE001 - whatever it raises is the result
        return _raised(match, entries, error)
    return Refolded(match, len(entries))


def rejudge(match: str, read: Readable, baseline: Baseline | None, *, fold_only: bool = False) -> Refolded:
    """Fold a match again and verify it: the fold alone does not show that a rule has changed."""
    problem, entries = read.log_problem, read.entries
    if problem is not None:
        return Refolded(match, 0, problem.code, problem.version, str(problem))
    if fold_only or baseline is not None:
        refolded = refold(match, entries, baseline)
        if fold_only or refolded.code:
            return refolded
    verdict = judged(match, read)
    return Refolded(match, len(entries), verdict.code, verdict.bad_version, verdict.detail)


def _raised(match: str, entries: list[StoredEntry], error: Exception) -> Refolded:
    good = 0
    try:
        for position in positions(beginning(match), entries):
            good = position.version
    except Exception as again:  # noqa: BLE001 - the same one, met at a known version
        error = again
    if isinstance(error, NewerRelease):
        broken = unfoldable(good + 1, error)
        return Refolded(match, len(entries), broken.code, broken.version, broken.detail)
    return Refolded(match, len(entries), "fold.raised", good + 1, f"{type(error).__name__}: {error}")


def read_baselines(file: Path) -> Mapping[str, Baseline]:
    """Return a file's baselines by match.

    Raises:
        OSError: It cannot be read.
        msgspec.DecodeError: A line is not a baseline.
    """
    decoder = msgspec.json.Decoder(Baseline)
    with file.open("rb") as lines:
        found = (decoder.decode(line) for line in lines if line.strip())
        return {baseline.match: baseline for baseline in found}

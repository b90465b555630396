"""Folding stored matches again, to prove that a release reads them as the one before it did.

The release that wrote the store makes a baseline: for each match the state hash at every version, cut to 48 bits.
The next release folds the same logs and compares. Where they differ, the first differing event is named. Baselines
stay on the server: the hash of a live match's small state could be guessed.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from domain.entries import StoredEntry
from domain.match.fold import beginning, fold, positions
from domain.match.hashing import state_hash

_KEPT_DIGITS = 12


class Baseline(msgspec.Struct, frozen=True):
    """What one match folded to.

    Attributes:
        match: Its id.
        hashes: The first twelve digits of the state hash at every version.
    """

    match: str
    hashes: tuple[str, ...]


class Refolded(msgspec.Struct, frozen=True):
    """What folding a match again came to.

    Attributes:
        match: Its id.
        events: How many events were folded.
        code: Why it failed: ``fold.raised``, ``fold.differs`` or ``fold.shorter``; empty when it did not.
        bad_version: The first event that cannot be folded, or after which the state differs; 0 for none.
        detail: What was wrong there.
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
    """Fold a match again, and compare with its baseline if there is one.

    A match may have grown since its baseline was made; what was there then must still fold to the same.
    """
    try:
        if baseline is None:
            fold(beginning(match), entries)
            return Refolded(match, len(entries))
        known = len(baseline.hashes)
        if len(entries) < known:
            detail = f"{known} events when the baseline was made, {len(entries)} now"
            return Refolded(match, len(entries), "fold.shorter", len(entries) + 1, detail)
        # The last hash tells whether any differed: only then is every version looked at.
        then = fold(beginning(match), entries[:known])
        fold(then, entries[known:])
    except Exception as error:  # noqa: BLE001 - whatever folding raises is the finding
        return _raised(match, entries, error)
    if not known or state_hash(then.state)[:_KEPT_DIGITS] == baseline.hashes[-1]:
        return Refolded(match, len(entries))
    return _first_difference(match, entries[:known], baseline)


def _first_difference(match: str, entries: list[StoredEntry], baseline: Baseline) -> Refolded:
    now = baseline_of(match, entries).hashes
    version = next(
        number
        for number, (was, is_now) in enumerate(zip(baseline.hashes, now, strict=True), 1)
        if was != is_now
    )
    detail = f"state hash {now[version - 1]}, in the baseline {baseline.hashes[version - 1]}"
    return Refolded(match, len(entries), "fold.differs", version, detail)


def _raised(match: str, entries: list[StoredEntry], error: Exception) -> Refolded:
    good = 0
    try:
        for position in positions(beginning(match), entries):
            good = position.version
    except Exception as again:  # noqa: BLE001 - the same one, met at a known version
        error = again
    return Refolded(match, len(entries), "fold.raised", good + 1, f"{type(error).__name__}: {error}")


def read_baselines(file: Path) -> Mapping[str, Baseline]:
    """Return the baselines of a file, by match.

    Raises:
        OSError: It cannot be read.
        msgspec.DecodeError: A line is no baseline.
    """
    decoder = msgspec.json.Decoder(Baseline)
    with file.open("rb") as lines:
        found = (decoder.decode(line) for line in lines if line.strip())
        return {baseline.match: baseline for baseline in found}

"""Proving what a backup keeps: what restoring would call bad is named when the backup is made."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from domain.errors import BrokenLog
from domain.match.verification import verify_chain
from services.log.archive.shelf import DIGESTS, MATCHES, match_of, read_file
from services.log.backup.file import ARCHIVE, STORE, Manifest, files_in, reading
from services.log.backup.records import MatchRecord, first_bad_event, records_in, unpacked

_SHELF: Final = f"{ARCHIVE}{MATCHES}/"
_DIGESTS: Final = f"{ARCHIVE}{DIGESTS}/"

Progress = Callable[[int], None]
"""Called with how many matches have been proven."""

ProveDigest = Callable[[bytes], str]
"""Returns what is wrong with a digest's file; empty for nothing."""


class Unproven(msgspec.Struct, frozen=True):
    """Something that a backup keeps as it is, and that is not whole.

    Attributes:
        what: A match's id, or the name of a file.
        version: The first bad event of a match; 0 for a file.
    """

    what: str
    version: int
    detail: str


def unproven_in(
    path: Path, manifest: Manifest, prove_digest: ProveDigest, progress: Progress = lambda _: None
) -> Iterator[Unproven]:
    """Yield what is broken in a backup whose bytes are as they were written.

    Raises:
        BackupUnreadable: It cannot be read as a backup.
        OSError: It cannot be read.
    """
    tombstones: dict[str, tuple[int, bytes]] = {}
    count = 0
    with reading():
        # The store comes first: the archive's files are compared with its tombstones.
        for name, content in files_in(path):
            if name.startswith(STORE):
                for record in records_in(unpacked(name, content.read())):
                    if isinstance(record, MatchRecord):
                        count += 1
                        yield from _of_record(record, tombstones)
            elif name.startswith(_SHELF):
                count += 1
                yield from _of_file(name.removeprefix(ARCHIVE), content.read(), tombstones)
            elif name.startswith(_DIGESTS) and (problem := prove_digest(content.read())):
                yield Unproven(name, 0, problem)
            progress(count)
    if manifest.archive:
        for match in sorted(tombstones):
            yield Unproven(match, 1, "it is archived, and the archive has no file of it")


def _of_record(record: MatchRecord, tombstones: dict[str, tuple[int, bytes]]) -> Iterator[Unproven]:
    try:
        version, head = int(record.meta[b"version"]), record.meta[b"head"]
    except (KeyError, ValueError):
        yield Unproven(record.match, 1, "the store's record of it cannot be read")
        return
    if record.meta.get(b"status") == b"archived":
        tombstones[record.match] = version, head
    elif bad := first_bad_event(record):
        yield Unproven(record.match, bad, "its chain breaks, or does not end as the store records")


def _of_file(name: str, content: bytes, tombstones: dict[str, tuple[int, bytes]]) -> Iterator[Unproven]:
    match = match_of(name)
    recorded = tombstones.pop(match, None)
    try:
        found = read_file(match, content)
    except BrokenLog as error:
        yield Unproven(match, error.version, f"its file {name} is damaged: {error.detail}")
        return
    verdict = verify_chain(match, found.entries)
    if not verdict.good:
        yield Unproven(match, verdict.bad_version, f"its file {name} is broken: {verdict.code}")
    elif found.altered:
        yield Unproven(match, 1, f"its file {name} was altered")
    elif recorded is not None and recorded != (len(found.entries), found.entries[-1].h):
        yield Unproven(
            match, min(recorded[0], len(found.entries)), f"its file {name} is not what the store records"
        )

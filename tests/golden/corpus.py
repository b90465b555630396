"""The files of recorded matches: writing and reading them."""

import gzip
import hashlib
from collections.abc import Iterable
from pathlib import Path

import msgspec

from domain.entries import StoredEntry

FOLDER = Path(__file__).parent
MANIFEST = FOLDER / "MANIFEST"
"""One line per file: its SHA-256, two spaces, its path, as ``sha256sum --check MANIFEST`` reads it."""

MOST_BYTES = 1_500_000
"""The most bytes for all files together."""


class Header(msgspec.Struct, frozen=True):
    """The first line of a file.

    Attributes:
        game: The game's key.
        rules: Its rules number.
        seats: How many seats the table has.
        name: The scenario's name.
        match: The match's id.
        events: How many events it has.
        head: The chain hash of the last one, hexadecimal.
        release: The release that recorded it.
    """

    game: str
    rules: int
    seats: int
    name: str
    match: str
    events: int
    head: str
    release: str


class Line(msgspec.Struct, frozen=True):
    """The line of one event.

    Attributes:
        e: The envelope's bytes, as text.
        s: The openings' bytes, as text.
        h: The chain hash, hexadecimal.
        state: The state hash after it, hexadecimal.
    """

    e: str
    s: str
    h: str
    state: str


class Recorded(msgspec.Struct, frozen=True):
    """A recorded match: its entries, and the state hash after each."""

    header: Header
    entries: tuple[StoredEntry, ...]
    hashes: tuple[str, ...]


def files() -> list[Path]:
    """Return all recorded matches."""
    return sorted(FOLDER.glob("*/*.ndjson.gz"))


def read(path: Path) -> Recorded:
    """Return the match that a file holds."""
    first, *rest = gzip.decompress(path.read_bytes()).splitlines()
    lines = [msgspec.json.decode(line, type=Line) for line in rest]
    return Recorded(
        msgspec.json.decode(first, type=Header),
        tuple(
            StoredEntry(version, line.e.encode(), line.s.encode(), bytes.fromhex(line.h))
            for version, line in enumerate(lines, 1)
        ),
        tuple(line.state for line in lines),
    )


def write(path: Path, header: Header, entries: Iterable[StoredEntry], hashes: Iterable[str]) -> None:
    """Write a match into a new file.

    Raises:
        FileExistsError: The file already exists: a match is never recorded again.
    """
    lines = [msgspec.json.encode(header)]
    for entry, state in zip(entries, hashes, strict=True):
        lines.append(msgspec.json.encode(Line(entry.e.decode(), entry.s.decode(), entry.h.hex(), state)))
    path.parent.mkdir(exist_ok=True)
    with path.open("xb") as file:
        # Without the time of writing, so that the same match gives the same bytes.
        file.write(gzip.compress(b"\n".join(lines) + b"\n", 9, mtime=0))


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file, hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def listed() -> dict[str, str]:
    """Return the manifest's digests, by path."""
    lines = (line.split("  ", 1) for line in MANIFEST.read_text().splitlines())
    return {path: digest for digest, path in lines}


def list_anew() -> None:
    """Add unlisted files to the manifest; listed ones keep their line.

    Raises:
        ValueError: A listed file has other bytes than when it was recorded.
    """
    known = listed() if MANIFEST.exists() else {}
    for path in files():
        name = path.relative_to(FOLDER).as_posix()
        if known.setdefault(name, digest_of(path)) != digest_of(path):
            raise ValueError(f"{name} is not what was recorded")
    MANIFEST.write_text("".join(f"{known[name]}  {name}\n" for name in sorted(known)))

r"""What a digest is made of: lines of JSON, in one piece or, on a day on which very much has moved, in many.

Format 1 is one file::

    {"kind":"digest","format":1,"digest":2,"at":"...","previous":"<SHA-256 of digest 1>","heads":2}
    {"match":"...","version":123,"head":"..."}
    {"match":"sha256:<h(0)>","version":5,"head":"..."}

Format 2 is the root of a tree, whose leaves are pieces: files of heads, by the first digits of each match's h(0)::

    {"kind":"digest","format":2,"digest":3,"at":"...","previous":"<SHA-256 of digest 2>","heads":4321,"pieces":16}
    {"piece":"0","heads":270,"sha256":"<SHA-256 of the lines of the piece>"}

Either way the SHA-256 of the digest's own file is its hash, and vouches for every head. An *excerpt* is the file with
the lines of some of its pieces behind it: whoever knows the hash can check one match with it, and needs no other piece.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

import msgspec

from domain.chain import genesis
from domain.instants import Instant
from services.audit.errors import DigestUnreadable

IN_ONE: Final = 1000
"""Up to so many heads stand in the digest's own file, which then has format 1."""

_IN_A_PIECE: Final = 1000
"""About so many heads stand in a piece at most."""

_DIGITS: Final = 16
_IN_ONE_FILE: Final = 1
_IN_PIECES: Final = 2
HIDDEN: Final = "sha256:"


class PublishedHead(msgspec.Struct, frozen=True):
    """A head as a digest names it.

    Attributes:
        match: The match's id; for a private one ``sha256:`` and its h(0).
        version: Its version.
        head: The chain hash there, 64 hexadecimal digits.
    """

    match: str
    version: int
    head: str


class PieceLine(msgspec.Struct, frozen=True):
    """What a digest says of a piece.

    Attributes:
        piece: The first digits of the h(0) of all matches in it, hexadecimal.
        heads: How many heads it names.
        sha256: The hash of its lines, 64 hexadecimal digits.
    """

    piece: str
    heads: int
    sha256: str


class DigestLine(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="digest"):
    """The line with which a digest begins.

    Attributes:
        previous: SHA-256 of the file of the digest before it, 64 hexadecimal digits; empty for the first.
        heads: How many heads it names.
        pieces: In how many pieces; 0 for format 1.
    """

    format: int
    digest: int
    at: Instant
    previous: str
    heads: int
    pieces: int = 0


class Digest(msgspec.Struct, frozen=True):
    """A digest that was read.

    Attributes:
        heads: Those that were there: of format 2 perhaps only some, or none.
        sha256: The hash of its file.
        pieces: What it says of its pieces.
    """

    line: DigestLine
    heads: tuple[PublishedHead, ...]
    sha256: str
    pieces: tuple[PieceLine, ...] = ()


class Written(msgspec.Struct, frozen=True):
    """A digest to be written.

    Attributes:
        content: Its own file.
        pieces: Its pieces' files, by what it says of them.
    """

    content: bytes
    pieces: Mapping[PieceLine, bytes]


_ENCODER: Final = msgspec.json.Encoder()
_LINES: Final = msgspec.json.Decoder(DigestLine)
_PIECES: Final = msgspec.json.Decoder(PieceLine)
_HEADS: Final = msgspec.json.Decoder(PublishedHead)


def names_of(match: str) -> tuple[str, str]:
    """Return the names under which a match may stand in a digest: its id, and the hidden one."""
    return match, HIDDEN + genesis(match).hex()


def written_digest(number: int, at: Instant, previous: str, heads: Iterable[PublishedHead]) -> Written:
    """Return the files of a digest."""
    named = sorted(heads, key=lambda head: head.match)
    if len(named) <= IN_ONE:
        line = DigestLine(_IN_ONE_FILE, number, at, previous, len(named))
        return Written(_ENCODER.encode_lines((line, *named)), {})
    digits = 1
    while len(named) > _IN_A_PIECE * _DIGITS**digits:
        digits += 1
    placed = sorted(((_place(head.match)[:digits], head) for head in named), key=lambda one: one[0])
    pieces: dict[PieceLine, bytes] = {}
    for place, some in groupby(placed, key=lambda one: one[0]):
        found = [head for _, head in some]
        content = _ENCODER.encode_lines(found)
        pieces[PieceLine(place, len(found), hashlib.sha256(content).hexdigest())] = content
    line = DigestLine(_IN_PIECES, number, at, previous, len(named), len(pieces))
    return Written(_ENCODER.encode_lines((line, *pieces)), pieces)


def read_digest(content: bytes) -> Digest:
    """Read a digest's file, or an excerpt.

    Raises:
        DigestUnreadable: It is none, or a piece is not what the digest says of it.
    """
    first, *rest = content.splitlines(keepends=True) or [b""]
    line = _line(first)
    try:
        pieces = tuple(map(_PIECES.decode, rest[: line.pieces]))
        heads = tuple(map(_HEADS.decode, rest[line.pieces :]))
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise DigestUnreadable("this is not a digest") from None
    if not line.pieces:
        if line.heads != len(heads):
            detail = f"digest {line.digest} is to name {line.heads} heads, there are {len(heads)}"
            raise DigestUnreadable(detail)
        return Digest(line, heads, hashlib.sha256(content).hexdigest())
    if len(pieces) != line.pieces or sum(piece.heads for piece in pieces) != line.heads:
        detail = f"digest {line.digest} is to name {line.heads} heads in {line.pieces} pieces"
        raise DigestUnreadable(detail)
    _require_vouched_for(line, pieces, heads, rest[line.pieces :])
    own = b"".join((first, *rest[: line.pieces]))
    return Digest(line, heads, hashlib.sha256(own).hexdigest(), pieces)


def heads_in(content: bytes) -> int:
    """Return how many heads a digest says that it names.

    Raises:
        DigestUnreadable: It does not say so.
    """
    return _line(content.partition(b"\n")[0]).heads


def piece_of(digest: Digest, place: str) -> PieceLine | None:
    """Return the piece that has a match, by its h(0); None if there is none."""
    return next((piece for piece in digest.pieces if place.startswith(piece.piece)), None)


def _line(first: bytes) -> DigestLine:
    try:
        line = _LINES.decode(first)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise DigestUnreadable("this is not a digest") from None
    if line.format != (_IN_PIECES if line.pieces else _IN_ONE_FILE):
        raise DigestUnreadable(f"this digest has format {line.format}; known are 1 and 2")
    return line


def _require_vouched_for(
    line: DigestLine, pieces: Sequence[PieceLine], heads: Sequence[PublishedHead], lines: Sequence[bytes]
) -> None:
    """Make sure that the heads are those of whole pieces.

    Raises:
        DigestUnreadable: They are not.
    """
    by_place = {piece.piece: piece for piece in pieces}
    digits = len(pieces[0].piece)
    for place, some in groupby(range(len(heads)), key=lambda at: _place(heads[at].match)[:digits]):
        found = b"".join(lines[at] for at in some)
        piece = by_place.get(place)
        if piece is None or hashlib.sha256(found).hexdigest() != piece.sha256:
            raise DigestUnreadable(f"piece {place} of digest {line.digest} is not what the digest says of it")


def _place(name: str) -> str:
    """Return the h(0) of a match by its name, hexadecimal."""
    return name.removeprefix(HIDDEN) if name.startswith(HIDDEN) else genesis(name).hex()

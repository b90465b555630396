r"""The export format, number 1: a match as lines of JSON. ``docs/reference/format.md`` is for writers of readers.

::

    {"kind":"match","export":1,"match":"...","game":"...","rules":2,"events":123,"head":"...","complete":true,"chance":{...}}
    {"version":1,"e":"...","openings":[...],"h":"..."}
    ...
    {"kind":"end","match":"...","events":123,"sha256":"..."}
    {"kind":"file","matches":1}

The first line to ``end`` is a match's *document*; its bytes follow from the log alone, so that a log that was
exported, imported and exported again is the same to the byte. ``sha256`` covers all bytes in front of its line from
the document's first on: unlike the chain, the openings too. ``file`` counts the documents since the last ``file``, so
that a file cut off between two matches is noticed and files can be put behind one another.
"""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from domain.chain import genesis
from domain.entries import StoredEntry
from domain.games.recorded_chance import ChanceDescription
from domain.games.registry import GAMES
from services.log.archive.errors import UnreadableExport

EXPORT_FORMAT: Final = 1

LONGEST_LINE: Final = 8 * 1024 * 1024
MOST_EVENTS: Final = 20_000


class MatchLine(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="match"):
    """The line with which a match begins.

    Attributes:
        match: The match's id; the chain begins with it.
        events: How many events follow.
        head: The chain hash after the last of them, 64 hexadecimal digits.
        complete: Whether every opening is there.
        seat: For whom openings were left out: the seat that keeps its own; not there for a spectator.
        chance: What a foreign verifier must know to recompute deals and draws; the digest of it is in the match's first
            event. Exports of releases up to 0.2.0 lack it.
    """

    export: int
    match: str
    game: str
    rules: int
    events: int
    head: str
    complete: bool
    seat: int | None = None
    chance: ChanceDescription | None = None


class EventLine(msgspec.Struct, frozen=True):
    """One event, as the API's ``/events`` gives it too."""

    version: int
    e: str
    openings: msgspec.Raw
    h: str


class EndLine(msgspec.Struct, frozen=True, tag_field="kind", tag="end"):
    """The line with which a match ends."""

    match: str
    events: int
    sha256: str


class FileLine(msgspec.Struct, frozen=True, tag_field="kind", tag="file"):
    """The last line of a file: how many matches are in it."""

    matches: int


class Document(msgspec.Struct, frozen=True):
    """A match out of an export.

    Attributes:
        altered: Whether its bytes are not those that its end vouches for.
    """

    line: MatchLine
    entries: tuple[StoredEntry, ...]
    altered: bool = False


_ENCODER: Final = msgspec.json.Encoder()
_MARKS: Final = msgspec.json.Decoder(MatchLine | EndLine | FileLine)
_EVENTS: Final = msgspec.json.Decoder(EventLine)
_NO_OPENINGS: Final = b"[]"
_MARK: Final = b'{"kind":'


def document_of(
    match: str,
    game: str,
    rules: int,
    entries: Iterable[StoredEntry],
    *,
    complete: bool = True,
    seat: int | None = None,
) -> bytes:
    """Return a match's document.

    Args:
        match: The match's id.
        game: The game's key.
        rules: The rules number.
        entries: Its log, with the openings that are to go along.
        complete: Whether these are all openings.
        seat: If not, the seat whose openings they are; None for a spectator's.
    """
    log = tuple(entries)
    head = log[-1].h if log else genesis(match)
    known = GAMES.get((game, rules))
    chance = None if known is None else known.chance()
    line = MatchLine(EXPORT_FORMAT, match, game, rules, len(log), head.hex(), complete, seat, chance)
    rows = (
        EventLine(entry.version, entry.e.decode(), msgspec.Raw(entry.s or _NO_OPENINGS), entry.h.hex())
        for entry in log
    )
    body = _ENCODER.encode_lines((line, *rows))
    end = EndLine(match, len(log), hashlib.sha256(body).hexdigest())
    return b"%b%b\n" % (body, _ENCODER.encode(end))


def vouched_for(document: bytes, version: int, head: bytes) -> bool:
    """Tell whether a document's bytes are those that its end vouches for, and its log the one of a record."""
    first, last = document.find(b"\n") + 1, document.rfind(b"\n", 0, -1) + 1
    try:
        begin, end = _MARKS.decode(document[:first]), _MARKS.decode(document[last:])
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return False
    return (
        isinstance(begin, MatchLine)
        and isinstance(end, EndLine)
        and (begin.head, begin.events) == (head.hex(), version)
        and end.sha256 == hashlib.sha256(document[:last]).hexdigest()
    )


def file_end(matches: int) -> bytes:
    """Return the last line of a file."""
    return _ENCODER.encode(FileLine(matches)) + b"\n"


def documents(lines: Iterable[bytes]) -> Iterator[Document]:
    """Read the lines of an export.

    Yields:
        Each match when all of its lines are there, also one whose bytes were altered but can be read.

    Raises:
        UnreadableExport: A line is none of this format, or the file is cut off. All that was yielded is whole.
    """
    reader = _Reader()
    for number, line in enumerate(lines, 1):
        if not line.endswith(b"\n"):
            raise UnreadableExport("export.truncated", number, "the file is cut off in this line")
        found = reader.take(number, line)
        if found is not None:
            yield found
    reader.finish()


class _Reader:
    def __init__(self) -> None:
        self._line: MatchLine | None = None
        self._entries: list[StoredEntry] = []
        self._bytes = hashlib.sha256()
        self._number = self._since_file = self._files = 0

    def take(self, number: int, line: bytes) -> Document | None:
        self._number = number
        if self._line is not None and not line.startswith(_MARK):
            self._event(self._line, line)
            return None
        try:
            mark = _MARKS.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            raise self._bad("export.malformed", "this is not a line of an export") from None
        match mark:
            case MatchLine() if self._line is None:
                self._begin(mark, line)
            case EndLine() if self._line is not None:
                return self._end(self._line, mark)
            case FileLine() if self._line is None:
                self._file(mark)
            case _:
                raise self._bad("export.malformed", "this line has no place here")
        return None

    def finish(self) -> None:
        if self._line is not None or self._since_file or not self._files:
            raise UnreadableExport("export.truncated", self._number + 1, "the file is cut off here")

    def _begin(self, mark: MatchLine, line: bytes) -> None:
        if mark.export != EXPORT_FORMAT:
            raise self._bad("export.format_unknown", f"export format {mark.export}; known is {EXPORT_FORMAT}")
        if not 0 < mark.events <= MOST_EVENTS:
            raise self._bad("export.malformed", f"a match has 1 to {MOST_EVENTS} events")
        self._line, self._entries, self._bytes = mark, [], hashlib.sha256(line)

    def _event(self, mark: MatchLine, line: bytes) -> None:
        if len(self._entries) == mark.events:
            raise self._bad(
                "export.malformed", f"more than the {mark.events} events that {mark.match} is to have"
            )
        self._bytes.update(line)
        try:
            row = _EVENTS.decode(line)
            openings = bytes(row.openings)
            entry = StoredEntry(
                row.version,
                row.e.encode(),
                b"" if openings == _NO_OPENINGS else openings,
                bytes.fromhex(row.h),
            )
        except (msgspec.MsgspecError, ValueError, RecursionError):
            raise self._bad("export.malformed", "this is not an event of an export") from None
        self._entries.append(entry)

    def _end(self, mark: MatchLine, end: EndLine) -> Document:
        count = len(self._entries)
        if (end.match, end.events) != (mark.match, mark.events) or count != mark.events:
            detail = f"{mark.match} is to have {mark.events} events, there are {count}"
            raise self._bad("export.truncated", detail)
        head = self._entries[-1].h.hex()
        altered = end.sha256 != self._bytes.hexdigest() or mark.head != head
        found = Document(mark, tuple(self._entries), altered)
        self._line = None
        self._since_file += 1
        return found

    def _file(self, mark: FileLine) -> None:
        if mark.matches != self._since_file:
            detail = f"the file is to have {mark.matches} matches, there are {self._since_file}"
            raise self._bad("export.truncated", detail)
        self._since_file = 0
        self._files += 1

    def _bad(self, code: str, detail: str) -> UnreadableExport:
        return UnreadableExport(code, self._number, detail)

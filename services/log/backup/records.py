"""What a backup holds of the log's server: records, byte for byte as they are stored.

MessagePack, not JSON: hashes are raw bytes, and a broken log must come back exactly as broken as it was. Each record
follows its length (four bytes, big-endian), so that pieces are read with bounded memory.
"""

import gzip
import zlib
from collections.abc import Iterator
from typing import Final

import msgspec

from domain.chain import genesis, link
from services.log.backup.errors import BackupUnreadable

Entry = tuple[bytes, tuple[bytes, ...]]
"""One entry of a stream: its id, then fields and values in turn."""

_LENGTH: Final = 4


class MatchRecord(msgspec.Struct, frozen=True, array_like=True, tag="match"):
    """Everything stored about one match, read in one step.

    Attributes:
        meta: Its meta record, including remembered commands: a client that sends a command again gets its first answer
            from a restored service, too.
        entries: Its events; none if it is archived.
        refused: Its refused commands, as far as they are kept.
    """

    match: str
    meta: dict[bytes, bytes]
    entries: tuple[Entry, ...]
    refused: tuple[bytes, ...]


class KeyRecord(msgspec.Struct, frozen=True, array_like=True, tag="key"):
    """Any other key: tokens, sessions, names, the installation's own record.

    Attributes:
        kind: ``string``, ``hash``, ``list``, ``set``, ``zset`` or ``stream``.
        values: In the order of the command that writes them: ``zset`` scores before their members; for each entry of a
            ``stream`` its id, the number of its fields and values, and these.
        expires: When it expires, in milliseconds since the epoch; None for never.
    """

    key: bytes
    kind: str
    values: tuple[bytes, ...]
    expires: int | None = None


Record = MatchRecord | KeyRecord

_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(Record)


def first_bad_event(record: MatchRecord) -> int:
    """Return the first event at which a match's chain breaks; 0 if it leads to the recorded version and head."""
    head = genesis(record.match)
    for version, (name, values) in enumerate(record.entries, 1):
        fields = dict(zip(values[::2], values[1::2], strict=False))
        head = link(head, fields.get(b"e", b""))
        if fields.get(b"h") != head or name != b"%d-0" % version:
            return version
    count = len(record.entries)
    if record.meta.get(b"version") != b"%d" % count:
        return count + 1
    return 0 if record.meta.get(b"head") == head else count


def framed(record: Record) -> bytes:
    """Return a record as bytes, prefixed with its length."""
    content = _ENCODER.encode(record)
    return len(content).to_bytes(_LENGTH, "big") + content


def unpacked(name: str, piece: bytes) -> bytes:
    """Return a piece as it was before it was compressed.

    Raises:
        BackupUnreadable: It is not such a piece.
    """
    try:
        return gzip.decompress(piece)
    except (OSError, EOFError, zlib.error) as error:
        raise BackupUnreadable(f"{name} cannot be unpacked: {error}") from error


def records_in(piece: bytes) -> Iterator[Record]:
    """Yield the records of a piece.

    Raises:
        BackupUnreadable: It holds something that is not a record.
    """
    view, at = memoryview(piece), 0
    while at < len(view):
        end = at + _LENGTH + int.from_bytes(view[at : at + _LENGTH], "big")
        if end > len(view):
            raise BackupUnreadable("a piece of the store ends within a record")
        try:
            yield _DECODER.decode(view[at + _LENGTH : end])
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise BackupUnreadable("a piece of the store holds something that is not a record") from None
        at = end

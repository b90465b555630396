"""Reading export files, line by line: plain, compressed, or as the record in a page that somebody took along."""

import base64
import binascii
import gzip
import io
import zlib
from collections.abc import Iterable, Iterator
from typing import IO, Final

from services.log.archive.documents import LONGEST_LINE
from services.log.archive.errors import UnreadableExport

_MAGIC: Final = b"\x1f\x8b"
_PAGE: Final = b"<!doctype html>"
_RECORD: Final = b'<script type="application/octet-stream" id="record">'
LONGEST_RECORD: Final = 64 * 1024 * 1024
"""The bytes that the record in a page may take there."""


def lines_of(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a file that can be rewound.

    Raises:
        UnreadableExport: It is compressed, and cut off or damaged; or a page without a record.
    """
    start = file.read(len(_PAGE))
    file.seek(0)
    if start.lower() == _PAGE:
        yield from lines_of(_record_in(file))
        return
    if not start.startswith(_MAGIC):
        yield from iter(lambda: file.readline(LONGEST_LINE), b"")
        return
    number = 0
    try:
        with gzip.GzipFile(fileobj=file) as unpacked:
            for line in iter(lambda: unpacked.readline(LONGEST_LINE), b""):
                number += 1
                yield line
    except (EOFError, OSError, zlib.error) as error:
        detail = f"the compressed file is cut off or damaged: {error}"
        raise UnreadableExport("export.truncated", number + 1, detail) from None


def within(lines: Iterable[bytes], most: int) -> Iterator[bytes]:
    """Yield lines as long as they have no more bytes together than ``most``: what is compressed may be huge.

    Raises:
        UnreadableExport: They have more.
    """
    size = 0
    for number, line in enumerate(lines, 1):
        size += len(line)
        if size > most:
            raise UnreadableExport("export.too_large", number, f"the file has more than {most} bytes in it")
        yield line


def _record_in(page: IO[bytes]) -> IO[bytes]:
    """Return the record in a page; it stands in one line.

    Raises:
        UnreadableExport: There is none, or it is cut off or damaged.
    """
    for number, line in enumerate(iter(lambda: page.readline(LONGEST_RECORD), b""), start=1):
        if line.startswith(_RECORD):
            try:
                record = base64.b64decode(line.removeprefix(_RECORD).partition(b"<")[0], validate=True)
            except binascii.Error as error:
                raise UnreadableExport(
                    "export.truncated", number, f"the record is damaged: {error}"
                ) from None
            if record.startswith(_MAGIC):
                return io.BytesIO(record)
    raise UnreadableExport("export.malformed", 1, "the page has no record of a match in it")

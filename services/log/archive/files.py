"""Reading export files: plain or compressed, line by line, with bounded memory."""

import gzip
import zlib
from collections.abc import Iterator
from typing import IO, Final

from services.log.archive.documents import LONGEST_LINE
from services.log.archive.errors import UnreadableExport

_MAGIC: Final = b"\x1f\x8b"


def lines_of(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a file that can be rewound.

    Raises:
        UnreadableExport: It is compressed, and cut off or damaged.
    """
    start = file.read(len(_MAGIC))
    file.seek(0)
    if start != _MAGIC:
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

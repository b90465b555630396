"""The log store's append-only file after an accident: where it stops being whole, and how to go on from there.

The server reads the files that ``appendonly.aof.manifest`` lists: a base, then commands in the order in which they were
written. It drops a torn last command by itself, which nobody was told is done, and starts with nothing else damaged.
"""

import mmap
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from services.log.synced_folders import sync_folder

FOLDER: Final = "appendonlydir"
KEPT: Final = "cut"
"""The folder, beside the server's own, for what was cut off its files."""

_MANIFEST: Final = "appendonly.aof.manifest"
_LISTED: Final = re.compile(r"file (\S+) seq \d+ type ([bhi])").match
_COUNT: Final = re.compile(rb"\*(\d{1,7})\r\n").match
_LENGTH: Final = re.compile(rb"\$(\d{1,9})\r\n").match
_NAME: Final = re.compile(rb"[A-Za-z]{3,20}").fullmatch
_INSTANT: Final = re.compile(rb'"at":"(\d{4}-\d\d-\d\dT[0-9:.]+Z)"').findall
_BLOCK: Final = 1 << 20
_LOOKED_BACK: Final = 1 << 20


class Damage(msgspec.Struct, frozen=True):
    """Where a file of commands stops being whole.

    Attributes:
        position: Where its last whole command ends.
        last: Whether no further file follows it, so that it can be cut.
        until: The instant of the last event before that position; empty if none is near.
    """

    file: Path
    position: int
    size: int
    last: bool
    until: str

    @property
    def told(self) -> str:
        """The damage and what is lost, in two sentences."""
        since = f" since {self.until}" if self.until else ""
        return (
            f"{self.file} is damaged at byte {self.position} of {self.size}: no whole command follows there. "
            f"Lost is what was written{since}: {self.size - self.position} bytes."
        )


class Cut(NamedTuple):
    """What was cut off a file.

    Attributes:
        position: Where it ends now.
        size: How many bytes were cut off.
        kept: The file that keeps them.
    """

    file: Path
    position: int
    size: int
    kept: Path

    @property
    def told(self) -> str:
        """What was cut, in a sentence."""
        return (
            f"{self.size} bytes from byte {self.position} on were cut off {self.file}; {self.kept} keeps them"
        )


def cut_zeros(log_folder: Path) -> Cut | None:
    """Cut off the zero bytes that a power cut leaves behind the last command; return what was cut, if anything.

    The server must not run. A whole command ends in a line end, so that no acknowledged command is touched.

    Raises:
        OSError: The file cannot be read or written.
    """
    files = _command_files(log_folder)
    if not files:
        return None
    file, size = files[-1], files[-1].stat().st_size
    end = _end_without_zeros(file, size)
    return None if end == size else _cut(log_folder, file, end)


def find_damage(log_folder: Path) -> Damage | None:
    """Return where the commands stop being whole; None if all are, or there are none to be read.

    Reads the files from their beginning: only for a server that does not start.

    Raises:
        OSError: A file cannot be read.
    """
    files = _command_files(log_folder)
    for file in files:
        size = file.stat().st_size
        if not size:
            continue
        with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as content:
            position = _whole_until(content)
            if position < size:
                instants = _INSTANT(content[max(0, position - _LOOKED_BACK) : position])
                until = instants[-1].decode() if instants else ""
                return Damage(file, position, size, file == files[-1], until)
    return None


def cut_damage(log_folder: Path, damage: Damage) -> Cut:
    """Cut a file behind its last whole command, and keep what is cut off.

    Raises:
        ValueError: Another file follows it, which without its end means something else.
        OSError: The file cannot be written.
    """
    if not damage.last:
        raise ValueError(f"further commands follow in other files than {damage.file.name}")
    return _cut(log_folder, damage.file, damage.position)


def _command_files(log_folder: Path) -> list[Path]:
    folder = log_folder / FOLDER
    try:
        lines = (folder / _MANIFEST).read_text(errors="replace").splitlines()
    except FileNotFoundError:
        return []
    listed = [found for line in lines if (found := _LISTED(line))]
    return [
        path
        for name, kind in (one.groups() for one in listed)
        if kind == "i" and (path := folder / name).is_file()
    ]


def _end_without_zeros(file: Path, size: int) -> int:
    with file.open("rb") as opened:
        while size:
            start = max(0, size - _BLOCK)
            opened.seek(start)
            kept = opened.read(size - start).rstrip(b"\0")
            if kept:
                return start + len(kept)
            size = start
    return 0


def _whole_until(content: mmap.mmap) -> int:
    """Return where the last whole command ends, or before it a transaction that is not."""
    whole, begun = 0, False
    for name, end in _commands(content):
        begun = name == b"MULTI" or (begun and name != b"EXEC")
        if not begun:
            whole = end
    return whole


def _commands(content: mmap.mmap) -> Iterator[tuple[bytes, int]]:
    """Yield the name of each whole command, and where it ends, up to the first that is none."""
    at, size = 0, len(content)
    while at < size:
        if content[at : at + 1] == b"#":
            # A line in which the server notes the time.
            at = content.find(b"\n", at) + 1 or size
            continue
        count = _COUNT(content, at)
        if count is None:
            return
        at, name = count.end(), b""
        for number in range(int(count[1])):
            length = _LENGTH(content, at)
            if length is None:
                return
            start, at = length.end(), length.end() + int(length[1]) + 2
            if content[at - 2 : at] != b"\r\n":
                return
            if number == 0:
                name = content[start : at - 2].upper()
        if not _NAME(name):
            return
        yield name, at


def _cut(log_folder: Path, file: Path, position: int) -> Cut:
    folder = log_folder / KEPT
    folder.mkdir(mode=0o700, exist_ok=True)
    size = file.stat().st_size - position
    kept = folder / f"{file.name}.{position}"
    descriptor = os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as out, file.open("r+b") as damaged:
        damaged.seek(position)
        while block := damaged.read(_BLOCK):
            out.write(block)
        out.flush()
        os.fsync(out.fileno())
        # First the copy with its name, then the cut.
        sync_folder(folder)
        damaged.truncate(position)
        os.fsync(damaged.fileno())
    return Cut(file, position, size, kept)

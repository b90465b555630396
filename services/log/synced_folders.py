"""Folders whose entries are on the disk: a file that is synced can still lose its name."""

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Write a folder's entries to the disk.

    Raises:
        OSError: It cannot be opened or written.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

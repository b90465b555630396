"""Where the archive is kept: a folder, or a bucket of an S3-compatible store."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

S3: Final = "s3://"


class Storage(Protocol):
    """Named pieces of bytes that are written once, and changed only to heal them.

    Names are parts joined by ``/``, of letters, digits and ``. _ -``. Every method may raise ``ArchiveUnavailable``.
    """

    async def put_new(self, name: str, content: bytes) -> bool:
        """Write a piece, durably when this returns; tell whether it was written: False if the name is taken."""

    async def replace(self, name: str, content: bytes) -> None:
        """Write a piece in the place of another, durably when this returns; readers see the one or the other."""

    async def get(self, name: str) -> bytes | None:
        """Return a piece as it stands there, not as it was just written; None if there is none."""

    async def names(self, folder: str) -> Sequence[str]:
        """Return the names of all pieces below a folder, in order."""


def storage_at(address: str) -> Storage:
    """Return the place at an address: ``s3://bucket/prefix``, or a folder's path.

    Raises:
        ValueError: The address names no bucket.
    """
    if address.startswith(S3):
        # Only an archive in a bucket pays for the client: 25 ms and 15 MB.
        from services.log.archive.bucket import BucketStorage

        return BucketStorage(address)
    from services.log.archive.folder import FolderStorage

    return FolderStorage(Path(address).expanduser().absolute())

"""A bucket of an S3-compatible store as the archive's place.

Region, keys and endpoint come from the usual variables: ``AWS_REGION``, ``AWS_ACCESS_KEY_ID``,
``AWS_SECRET_ACCESS_KEY``, ``AWS_ENDPOINT_URL``. The store must know conditional writes (``If-None-Match: *``).
"""

import os
from collections.abc import Awaitable, Sequence
from datetime import timedelta
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError
from obstore.store import S3Store

from services.log.archive.errors import ArchiveUnavailable

T = TypeVar("T")

_PATIENCE: Final = timedelta(seconds=15)
_ENDPOINTS: Final = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")


class BucketStorage:
    """Pieces as objects below a prefix."""

    def __init__(self, address: str) -> None:
        """Take ``s3://bucket/prefix``; nothing is asked yet.

        Raises:
            ValueError: It names no bucket.
        """
        parts = urlsplit(address)
        if not parts.netloc:
            raise ValueError(f"{address} names no bucket")
        endpoint = next((os.environ[name] for name in _ENDPOINTS if os.environ.get(name)), "")
        options: dict[str, Any] = {"endpoint": endpoint} if endpoint else {}
        self._address: Final = address
        self._store: Final = S3Store(
            parts.netloc,
            prefix=parts.path.strip("/") or None,
            client_options={"allow_http": endpoint.startswith("http://"), "timeout": _PATIENCE},
            retry_config={"max_retries": 2, "retry_timeout": _PATIENCE},
            **options,
        )

    def __repr__(self) -> str:
        return self._address

    async def put_new(self, name: str, content: bytes) -> bool:
        """Write an object; tell whether it was written: False if the name is taken."""
        try:
            await self._asked(obstore.put_async(self._store, name, content, mode="create"))
        except AlreadyExistsError:
            return False
        return True

    async def replace(self, name: str, content: bytes) -> None:
        """Write an object in the place of another."""
        await self._asked(obstore.put_async(self._store, name, content, mode="overwrite"))

    async def get(self, name: str) -> bytes | None:
        """Return an object's content; None if there is none."""
        try:
            found = await self._asked(obstore.get_async(self._store, name))
        except FileNotFoundError:
            return None
        return bytes(await self._asked(found.bytes_async()))

    async def names(self, folder: str) -> Sequence[str]:
        """Return the names of all objects below a folder, in order."""
        found = await self._asked(obstore.list(self._store, f"{folder}/").collect_async())
        return sorted(str(one["path"]) for one in found)

    async def _asked(self, answer: Awaitable[T]) -> T:
        try:
            return await answer
        except (AlreadyExistsError, FileNotFoundError):
            raise
        except (BaseError, OSError) as error:
            # What the client says of an error goes on over many lines, for its own developers.
            told = str(error).partition("\n")[0]
            raise ArchiveUnavailable(f"The archive {self._address} cannot be used: {told}") from error

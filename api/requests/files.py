"""Files that people send: they are large, so a process receives only a few at once, and reads one at a time."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from api.parts import Http, address_of, parts_of
from api.requests.bodies import read_bytes
from services.bootstrap import present_instant
from services.errors import MatchesBusy
from services.log.archive.importing import Taken
from services.matches.imports import LARGEST_FILE, Brought, brought

LARGEST_BODY_WITH_FILE: Final = LARGEST_FILE + 64 * 1024
"""Bytes: the file, and a form around it."""

_PATIENCE: Final = 120.0
"""Seconds within which a file must arrive."""

_AT_ONCE: Final = 2
"""How many files one process holds at once."""

_KEPT_IN_MEMORY: Final = 3
"""How many bytes a proven match takes in memory for each byte of its file, about."""

_held: set[object] = set()


@asynccontextmanager
async def room_for_file() -> AsyncIterator[None]:
    """Make sure that there is room for a file, for as long as somebody works on it.

    Raises:
        MatchesBusy: There is none at this moment.
    """
    if len(_held) >= _AT_ONCE:
        raise MatchesBusy
    mine = object()
    _held.add(mine)
    try:
        yield
    finally:
        _held.discard(mine)


async def read_large(request: Http) -> bytes:
    """Return the bytes of a body that holds a file.

    Raises:
        HTTPException: 413 if there are too many.
        Malformed: The connection broke in the middle, or took too long.
    """
    return await read_bytes(request, LARGEST_BODY_WITH_FILE, _PATIENCE)


async def proven_file(request: Http, content: bytes) -> Brought:
    """Return the match in a file that was sent. Sent again, to play on from it, it is not proven again.

    Raises:
        ImportRefused: It is none that can be taken in, with the reason.
        MatchesBusy: Too many others wait.
    """

    async def make() -> Brought:
        return await asyncio.to_thread(brought, content)

    # Who asks belongs to the key: nobody learns from the time it takes that somebody else has the same file.
    asker = address_of(request)
    key = "file", hashlib.sha256(content).digest(), asker
    return await parts_of(request).whole_matches.made(
        key, asker, make, lambda _: _KEPT_IN_MEMORY * len(content)
    )


async def take_file(request: Http, person: str, one: Brought) -> Taken:
    """Take a match in that a person brought. See :meth:`services.matches.imports.Imports.take`."""
    parts = parts_of(request)
    return await parts.application.imports.take(person, one, present_instant(), parts.settings.person_imports)

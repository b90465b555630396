"""What belongs to a log: its installation's secret and archive. Each is marked, so that another one is noticed.

``tb:installation`` names the installation by a random ``id``, and holds ``secret_mark``, an HMAC under the secret that
tells nothing about it, and ``archive``, the mark of the archive: the installation's id and a random number. The archive
has the same in a piece of its own, the file ``installation.id``.
"""

import secrets
from typing import Final

import redis.asyncio
import structlog

from services.errors import BelongsElsewhere, StoreUnavailable
from services.log.archive.storage import Storage
from services.log.event_store.keys import INSTALLATION
from services.log.redis_errors import available
from services.log.secret_mark import kept_mark, leave_mark, mark_of, replace_mark

ARCHIVE_MARK: Final = "installation.id"
"""The archive's piece that names its installation."""

_ID: Final = "id"
_MARKED: Final = "archive"

_log = structlog.get_logger(__name__)


async def installation_id(client: "redis.asyncio.Redis") -> str:
    """Return the id of a log's installation, 32 hexadecimal digits; the first call makes it.

    Raises:
        StoreUnavailable: The log's server did not answer, or takes no write.
    """
    with available():
        kept = await client.hget(INSTALLATION, _ID)
        if kept is None:
            await client.hsetnx(INSTALLATION, _ID, secrets.token_hex(16))
            kept = await client.hget(INSTALLATION, _ID)
    return kept.decode() if isinstance(kept, bytes) else str(kept)


async def kept_installation_id(client: "redis.asyncio.Redis") -> str:
    """Return the id of a log's installation; empty if it has none yet, for whoever must leave no trace.

    Raises:
        StoreUnavailable: The log's server did not answer.
    """
    with available():
        kept = await client.hget(INSTALLATION, _ID)
    return kept.decode() if isinstance(kept, bytes) else str(kept or "")


async def require_own(
    client: "redis.asyncio.Redis", secret: bytes, archive: Storage, *, accepted: frozenset[str] = frozenset()
) -> None:
    """Make sure that a secret and an archive are those of this log; mark those of a new one.

    Args:
        client: A client of the log's server.
        secret: The installation's secret.
        archive: Where its closed matches are.
        accepted: ``secret`` and ``archive``, where another one is to count from now on.

    Raises:
        BelongsElsewhere: They are not, and nobody has accepted that.
    """
    try:
        await _require_secret(client, secret, accepted="secret" in accepted)
        await _require_archive(client, archive, accepted="archive" in accepted)
    except StoreUnavailable as error:
        # Full, or away again: readiness tells, and the next start compares.
        _log.warning("belonging_not_compared", reason=str(error))


async def _require_secret(client: "redis.asyncio.Redis", secret: bytes, *, accepted: bool) -> None:
    # Read first: a log that takes no writes, and has a mark, can be compared all the same.
    if await kept_mark(client) == mark_of(secret) or await leave_mark(client, secret):
        return
    if accepted:
        await replace_mark(client, secret)
        _log.warning("another_secret_accepted")
        return
    raise BelongsElsewhere(
        "secret.differs",
        "The installation's secret is another one than that with which this log was first served: match ids, tokens "
        "and forms of the two do not fit together. Put the old one back (TABLEE_SECRET, TABLEE_SECRET_FILE, or "
        "installation.secret in the data folder), or name the log's server that belongs to this secret. If the old "
        "one is lost for good, start once with TABLEE_ACCEPT_OTHER=secret.",
    )


async def _require_archive(client: "redis.asyncio.Redis", archive: Storage, *, accepted: bool) -> None:
    installation = await installation_id(client)
    with available():
        kept = await client.hget(INSTALLATION, _MARKED)
    marked = f"{installation} {secrets.token_hex(16)}"
    # The archive's mark comes first: of processes that start at once on a new log, all read what one of them wrote.
    if kept is None:
        await archive.put_new(ARCHIVE_MARK, f"{marked}\n".encode())
    found = (await archive.get(ARCHIVE_MARK) or b"").decode(errors="replace").strip()
    if found.partition(" ")[0] == installation:
        # Of two that come first with different archives, one marks the log.
        with available():
            await client.hsetnx(INSTALLATION, _MARKED, found)
            kept = await client.hget(INSTALLATION, _MARKED)
        if kept == found.encode():
            return
    if accepted:
        await archive.replace(ARCHIVE_MARK, f"{marked}\n".encode())
        with available():
            await client.hset(INSTALLATION, _MARKED, marked)
        _log.warning("another_archive_accepted", archive=str(archive))
        return
    there = "no mark of it" if not found else f"another mark, {found[:80]}"
    raise BelongsElsewhere(
        "archive.differs",
        f"The archive {archive} is not this log's: the log belongs to the installation {installation}, and there is "
        f"{there} ({ARCHIVE_MARK}). All processes of an installation need the same archive: name it with "
        "TABLEE_ARCHIVE, or with TABLEE_DATA if it is in the data folder. If it is lost for good, start once with "
        "TABLEE_ACCEPT_OTHER=archive.",
    )

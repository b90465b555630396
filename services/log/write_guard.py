"""Whether the log would take a write now: asked before one is sent, and for those who ask whether the house is ready.

Three things are in the way of a write: the server's own limits, a full disk below an embedded server, which ends rather
than acknowledge what it cannot keep, and a store that is older than it was.
"""

import os
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import redis.asyncio
from redis.exceptions import NoPermissionError, ResponseError

from domain.instants import Instant
from services.errors import StoreFull, StoreReadOnly, StoreUnavailable, StoreWentBack
from services.log.acknowledged import Acknowledged
from services.log.event_store.cluster_client import ClusterClient
from services.log.event_store.keys import PREFIX
from services.log.high_water_mark import HighWaterMarkFile, WentBack, compared
from services.log.primaries import key_on_each
from services.log.redis_errors import available

LEAST_BYTES: Final = 16 * 1024 * 1024
"""So much must be free below an embedded server: more than the longest command, and room for what is beside the log."""

_LOOKED_AT_EVERY: Final = 1.0
_NEVER_WRITTEN: Final = f"{PREFIX}never-written"


class WriteGuard:
    """Refuses writes that would end an embedded server, or make two histories of one."""

    def __init__(
        self,
        disk: Path | None = None,
        mark: HighWaterMarkFile | None = None,
        acknowledged: Acknowledged | None = None,
    ) -> None:
        """Prepare.

        Args:
            disk: Where an embedded server keeps its files; None for a server of the operator's own.
            mark: How far the log had come; None where an older log is accepted.
            acknowledged: How far it had come with what was acknowledged here.
        """
        self.acknowledged: Final = acknowledged
        self._was_back = False
        self._disk: Final = disk
        self._mark: Final = mark
        self._looked_at = -_LOOKED_AT_EVERY
        self._found: StoreUnavailable | None = None

    async def compare(self, ask: Callable[[], Awaitable[Mapping[int, int]]], now: Instant) -> None:
        """Note that the store is older than it was, if it is: when a process starts, nobody else has looked yet.

        Args:
            ask: Returns the positions of the feeds. They are asked for after what is compared was read: other processes
                go on meanwhile, and a busy feed must not look as if it went back.
            now: The present instant.
        """
        acknowledged = {} if self.acknowledged is None else self.acknowledged.positions()
        known = self._mark.read() if self._mark is not None else None
        positions = await ask()
        if self._mark is None:
            return
        with suppress(OSError):
            for shard, was in acknowledged.items():
                if (is_now := positions.get(shard, was)) < was:
                    self._mark.note_went_back(WentBack(shard, was, now, is_now, now))
                    self._looked_at = -_LOOKED_AT_EVERY
                    return
            if known is not None and compared(known, positions, now) is not None:
                self._mark.note(positions, now, known)

    def identify(self, installation: str, folder: Path) -> None:
        """Take the id of the log's installation: by it the log is known again, wherever its server is."""
        if self._mark is not None:
            self._mark.installation = installation
        if self.acknowledged is not None:
            self.acknowledged.keep_in(folder, installation)

    def require(self) -> None:
        """Make sure that nothing outside the server is in the way of a write; looks once a second at most.

        Raises:
            StoreFull: The disk is full.
            StoreWentBack: The store is older than it was.
        """
        if time.monotonic() - self._looked_at >= _LOOKED_AT_EVERY:
            self._found, self._looked_at = self._in_the_way(), time.monotonic()
        if self._found is not None:
            raise type(self._found)(str(self._found))

    def _in_the_way(self) -> StoreUnavailable | None:
        noted = self._mark.read() if self._mark is not None else None
        if noted is not None and noted.went_back is not None:
            back, self._was_back = noted.went_back, True
            return StoreWentBack(
                f"shard {back.shard} of the feed ends at {back.now}, and stood at {back.was}"
            )
        if self._was_back and self.acknowledged is not None:
            # An operator has settled it, and removed the file.
            self.acknowledged.forget()
            self._was_back = False
        if self._disk is not None:
            with suppress(OSError):
                room = os.statvfs(self._disk)
                if (free := room.f_bavail * room.f_frsize) < LEAST_BYTES:
                    return StoreFull(f"{free} bytes are free on the disk of {self._disk}")
        return None


def replica_told(role: object) -> str:
    """Return what is said of a server that is a replica, by its reply to ROLE; empty for a primary."""
    match role:
        case [b"slave" | "slave", host, port, *_]:
            at = f"{host.decode() if isinstance(host, bytes) else host}:{port}"
            return f"it is a replica of {at} and takes no writes; name the primary (TABLEE_LOG_STORE_URL)"
        case _:
            return ""


async def role_told(client: "redis.asyncio.Redis") -> str:
    """Return what is said of a server that is a replica; empty for a primary, and for a cluster, which has its own.

    Raises:
        StoreUnavailable: It does not answer.
    """
    if isinstance(client, ClusterClient):
        return ""
    # A server may keep its role to itself.
    with available(), suppress(ResponseError):
        return replica_told(await client.execute_command("ROLE"))  # type: ignore[no-untyped-call]
    return ""


async def require_primary(client: "redis.asyncio.Redis") -> None:
    """Make sure that a server is no replica: else the first write would tell.

    Raises:
        StoreReadOnly: It is.
        StoreUnavailable: It does not answer.
    """
    if told := await role_told(client):
        raise StoreReadOnly(f"The log's server cannot be used: {told}.")


async def require_writes(client: "redis.asyncio.Redis", *, some: bool = False) -> None:
    """Make sure that a server, or each primary of a cluster, takes writes.

    Writes nothing: no text at the end of no text is a write that does nothing.

    Args:
        client: A client of the server.
        some: Whether it is enough if one primary does.

    Raises:
        StoreFull: Its memory is full, or it cannot write its files.
        StoreReadOnly: It is a replica.
        StoreUnavailable: It does not answer.
    """
    failures, taken = list[StoreUnavailable](), 0
    with available():
        keys = await key_on_each(client, _NEVER_WRITTEN)
    for key in keys:
        try:
            # A user without this command may still have all that the service needs.
            with available(), suppress(NoPermissionError):
                await client.execute_command("SETRANGE", key, 0, "")  # type: ignore[no-untyped-call]
            taken += 1
        except StoreUnavailable as failure:
            failures.append(failure)
    if failures and not (some and taken):
        raise failures[0]

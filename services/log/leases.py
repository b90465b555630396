"""Sharing the work: which shards this process looks after, duty by duty.

Every process that runs loops is a member. Who should have a shard's duty follows from the members alone (the one with
the highest hash), so nobody has to be asked, and few shards move when a member comes or goes. A lease makes it certain:
it is kept in the store, ends by itself, and has a fencing number. What a process does without the lease does no harm
either: checkpoints are compared, commands have ids. Leases save the others the work, and the number stops who wakes up
too late.
"""

import asyncio
import hashlib
import os
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import structlog

from services.errors import StoreUnavailable
from services.log.embedded.processes import is_alive
from services.log.event_store.contract import EventStore
from services.log.event_store.leasing import Fence

LEASE_SECONDS: Final = 8.0
"""How long a lease lasts that nobody renews, and so how long a dead machine's shards wait. Members last as long."""

RENEW_SECONDS: Final = 2.0
"""How often leases are renewed."""

_MARGIN_SECONDS: Final = 1.0
"""By how much earlier a holder stops than others may begin: for the way of the answer, and clocks that run apart."""

_log = structlog.get_logger(__name__)


class Holding:
    """What a process holds of one duty."""

    def __init__(self, leases: "ShardLeases", duty: str) -> None:
        self.duty: Final = duty
        self._leases: Final = leases

    def shards(self) -> frozenset[int]:
        """Return the shards that this process looks after now."""
        return self._leases.shards(self.duty)

    def fence(self, shard: int) -> Fence:
        """Return by what the store tells whether the lease is still this process's."""
        return Fence(self.duty, self._leases.number(self.duty, shard))


class ShardLeases:
    """One process's leases."""

    def __init__(
        self,
        store: EventStore,
        duties: Sequence[str],
        single: Sequence[str] = (),
        member: str | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare.

        Args:
            store: The log.
            duties: What there is to do for every shard.
            single: What there is to do once for all shards; who does it has shard 0 of it.
            member: The process's name, for tests; by default made of machine and process.
            clock: Seconds that pass.
        """
        self._store: Final = store
        self._duties: Final = (*duties, *single)
        self._wide: Final = frozenset(duties)
        self._member: Final = member or member_name()
        self._clock: Final = clock
        self._numbers: dict[int, dict[str, int]] = {}
        self._until = 0.0
        self._told = ""

    def of(self, duty: str) -> Holding:
        """Return what is held of a duty, always as of now."""
        return Holding(self, duty)

    def shards(self, duty: str) -> frozenset[int]:
        """Return the shards of which this process holds a duty now."""
        if self._clock() >= self._until:
            return frozenset()
        return frozenset(shard for shard, numbers in self._numbers.items() if duty in numbers)

    def number(self, duty: str, shard: int) -> int:
        """Return the fencing number of a lease; 0 if it is not held."""
        return self._numbers.get(shard, {}).get(duty, 0)

    async def run(self) -> None:
        """Renew leases for ever; while the store is away, keep trying."""
        while True:
            try:
                await self.step()
                self._tell("")
            except StoreUnavailable as error:
                self._tell(str(error))
            await asyncio.sleep(RENEW_SECONDS)

    async def step(self) -> None:
        """Find out who shares the work, and renew, take or give back leases accordingly."""
        gone: list[str] = []
        members = await self._store.join(self._member, LEASE_SECONDS)
        while dead := [one for one in members if _is_dead(one)]:
            # A process of this machine that was killed: its shards need not wait until its leases end.
            gone += dead
            members = await self._store.join(self._member, LEASE_SECONDS, dead)
        wanted = {
            shard: [duty for duty in self._duties if self._is_mine(duty, shard, members)]
            for shard in range(self._store.shards)
        }
        began = self._clock()
        numbers = await self._store.lease(self._member, LEASE_SECONDS, wanted, gone)
        before = {(duty, shard) for shard, held in self._numbers.items() for duty in held}
        self._numbers, self._until = numbers, began + LEASE_SECONDS - _MARGIN_SECONDS
        now = {(duty, shard) for shard, held in numbers.items() for duty in held}
        if before != now:
            _log.info("leases", members=len(members), held=len(now), new=len(now - before))

    async def give_back(self) -> None:
        """Give everything back, so that the others need not wait."""
        self._until = 0.0
        with suppress(StoreUnavailable):
            await self._store.leave(self._member)
            await self._store.lease(self._member, LEASE_SECONDS, {})

    def _is_mine(self, duty: str, shard: int, members: Sequence[str]) -> bool:
        if shard and duty not in self._wide:
            return False
        return max(members, key=lambda member: _weight(member, duty, shard)) == self._member

    def _tell(self, reason: str) -> None:
        if reason and not self._told:
            _log.warning("leases_wait", reason=reason)
        elif self._told and not reason:
            _log.info("leases_go_on")
        self._told = reason


def _weight(member: str, duty: str, shard: int) -> bytes:
    return hashlib.sha256(f"{member} {duty} {shard}".encode()).digest()


def member_name() -> str:
    """Return a name that no other process has: machine, process and when it began."""
    return f"{_machine()}|{os.getpid()}|{_began(os.getpid())}"


def _machine() -> str:
    # Containers may share a host's name, and have processes of their own.
    namespace = ""
    with suppress(OSError):
        namespace = str(Path("/proc/self/ns/pid").readlink())
    return f"{socket.gethostname()}/{namespace}"


def _began(pid: int) -> str:
    """Return when a process began, in ticks since the machine did; empty where the system does not tell."""
    with suppress(OSError, IndexError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[19]
    return ""


def _is_dead(member: str) -> bool:
    """Tell whether a member is a process of this machine that has ended; False for all that cannot be known."""
    machine, _, rest = member.partition("|")
    pid, _, began = rest.partition("|")
    if machine != _machine() or not pid.isdecimal():
        return False
    return not is_alive(int(pid)) or _began(int(pid)) != began

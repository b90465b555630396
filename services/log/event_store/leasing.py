"""What the store offers to processes that share the work."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec


class Fence(msgspec.Struct, frozen=True):
    """By what the store tells whether a process still holds a lease.

    Attributes:
        duty: What the lease is on.
        number: Its fencing number; 0 for a lease that is not held.
    """

    duty: str
    number: int


class Leasing(Protocol):
    """Who shares the work, and leases by shard and duty. Every method may raise ``StoreUnavailable``."""

    async def join(self, member: str, seconds: float, gone: Sequence[str] = ()) -> list[str]:
        """Note that a process shares the work for so many seconds; forget those that are gone.

        Returns:
            All that share it.
        """

    async def leave(self, member: str) -> None:
        """Note that a process shares the work no more."""

    async def lease(
        self, member: str, seconds: float, wanted: Mapping[int, Sequence[str]], gone: Sequence[str] = ()
    ) -> dict[int, dict[str, int]]:
        """Renew leases on duties by shard, or take those that nobody holds; give back all others that the member has.

        Args:
            member: The process.
            seconds: How long they last from now on.
            wanted: The wanted duties by shard.
            gone: Members whose leases count no more.

        Returns:
            By shard and duty the fencing numbers of the leases that it has now; a number rises with each new holder.
        """

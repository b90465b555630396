"""Deciding whether a request may pass, mostly without asking the store.

All processes share the token buckets, but light use is not worth a round trip. Each process counts the requests of a
person or an address by itself and forgets a few of them every second. Once they add up to a *chunk*, it takes the whole
chunk from the shared bucket. An ordinary player therefore costs one addition, and a flood one round trip per chunk.

The limit is not exact: each process may let through a chunk, and a twentieth of the rate, more.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final

import structlog

from services.people.limits.buckets import Buckets, Limit, Withdrawal

_log = structlog.get_logger(__name__)

PARTS: Final = 20
"""A chunk is the burst divided by this; a process forgets the rate divided by this each second."""

KEPT: Final = 16_384
"""People and addresses that one process counts; those silent for longest are dropped first."""

PAUSE: Final = 1.0
"""After the store of the buckets has failed, everybody passes for so many seconds; then it is asked again."""

SAY_EVERY: Final = 10.0
"""Seconds between two lines about refused requests in the service log."""


class _Account:
    """What one process knows about a person or an address."""

    __slots__ = ("at", "closed_until", "kind", "limit", "owed")

    def __init__(self, kind: str, limit: Limit, now: float) -> None:
        self.kind = kind
        self.limit = limit
        self.owed = 0.0
        self.at = now
        self.closed_until = 0.0

    def owe(self, cost: float, now: float) -> bool:
        """Add a request's cost; tell whether it is time to pay."""
        limit = self.limit
        self.owed = max(0.0, self.owed - (now - self.at) * limit.rate / PARTS) + cost
        self.at = now
        return self.owed >= max(1.0, limit.burst / PARTS)


class Limiter:
    """Counts requests, and tells who must wait."""

    def __init__(self, buckets: Buckets, clock: Callable[[], float] = time.monotonic) -> None:
        self._buckets = buckets
        self._clock = clock
        self._accounts: OrderedDict[tuple[str, str], _Account] = OrderedDict()
        self._away_until = 0.0
        self._turned_away: dict[str, int] = {}
        self._said_at = -SAY_EVERY

    async def wait(self, cost: float, askers: Sequence[tuple[str, str, Limit]]) -> float:
        """Count a request and return how many seconds its askers must wait; 0 lets it pass.

        A request that must wait is not counted.

        Args:
            cost: How many ordinary requests it counts as.
            askers: Whose request it is: kind (``person``, ``address``), name and limit of each.
        """
        now = self._clock()
        accounts = [(name, self._account(kind, name, limit, now)) for kind, name, limit in askers]
        for _, account in accounts:
            if account.closed_until > now:
                self._note(account, now)
                return account.closed_until - now
        due = [(name, account) for name, account in accounts if account.owe(cost, now)]
        return await self._pay(cost, due, now) if due else 0.0

    async def close(self) -> None:
        """Close the connections to the buckets."""
        await self._buckets.close()

    async def _pay(self, cost: float, due: list[tuple[str, _Account]], now: float) -> float:
        withdrawals = [
            Withdrawal(f"{account.kind}:{name}", account.limit, min(account.owed, account.limit.burst))
            for name, account in due
        ]
        # Before any await: the next request must not pay this debt again.
        for _, account in due:
            account.owed = 0.0
        waits = await self._buckets.take(withdrawals) if now >= self._away_until else None
        if waits is None:
            self._away_until = max(self._away_until, now + PAUSE)
            return 0.0
        longest = 0.0
        for (_, account), withdrawal, wait in zip(due, withdrawals, waits, strict=True):
            if wait:
                account.owed += withdrawal.tokens - cost
                account.closed_until = now + wait
                self._note(account, now)
            longest = max(longest, wait)
        return longest

    def _account(self, kind: str, name: str, limit: Limit, now: float) -> _Account:
        account = self._accounts.get((kind, name))
        if account is None:
            account = self._accounts[kind, name] = _Account(kind, limit, now)
            if len(self._accounts) > KEPT:
                self._accounts.popitem(last=False)
        else:
            self._accounts.move_to_end((kind, name))
        return account

    def _note(self, account: _Account, now: float) -> None:
        """Count a refused request; now and then tell operators how many there were, never whose."""
        self._turned_away[account.kind] = self._turned_away.get(account.kind, 0) + 1
        if now - self._said_at >= SAY_EVERY:
            _log.warning("requests_limited", **self._turned_away)
            self._turned_away, self._said_at = {}, now

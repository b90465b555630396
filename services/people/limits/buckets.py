"""The token buckets that all processes share, on the jobs' server: they may be lost."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import structlog

from services.log.event_store.connections import Connections, NoReply, NothingSent, StoreRefused
from services.log.event_store.patience import Patience
from services.log.event_store.scripts import read_script

_log = structlog.get_logger(__name__)

PREFIX: Final = "tb:limit:"
"""Prefix of all buckets' keys."""

TAKE: Final = read_script("services.people.limits", "take")

PATIENCE: Final = Patience(connect=0.1, reply=0.1)
"""A limit may delay a request by this much at most."""


class Limit(NamedTuple):
    """How many requests one person or one address may make.

    Attributes:
        rate: Requests a second, on and on.
        burst: Requests at once, after a pause.
    """

    rate: float
    burst: float


class Withdrawal(NamedTuple):
    """Tokens to take from a bucket.

    Attributes:
        tokens: How many.
    """

    name: str
    limit: Limit
    tokens: float


class Buckets:
    """Buckets on a Redis or Valkey server; connects with the first request."""

    def __init__(self, url: str, patience: Patience = PATIENCE) -> None:
        self._connections = Connections.to_url(url, patience)
        self._is_away = False

    async def take(self, withdrawals: Sequence[Withdrawal]) -> list[float] | None:
        """Take tokens from each bucket that has enough, in one round trip.

        Returns:
            For each bucket 0 if they were taken, else the seconds until it has enough. None if the server does not
            answer.
        """
        keys = [PREFIX + withdrawal.name for withdrawal in withdrawals]
        arguments = [repr(number) for _, limit, tokens in withdrawals for number in (*limit, tokens)]
        try:
            waits = await self._connections.run(TAKE, keys, arguments)
        except (NothingSent, NoReply, StoreRefused) as failure:
            self._say(is_away=True, reason=str(failure))
            return None
        self._say(is_away=False)
        return [wait / 1000 for wait in waits]

    async def close(self) -> None:
        """Close all connections."""
        await self._connections.close()

    def _say(self, *, is_away: bool, reason: str = "") -> None:
        if is_away and not self._is_away:
            _log.warning("limits_off", reason=reason)
        elif self._is_away and not is_away:
            _log.info("limits_on")
        self._is_away = is_away

"""Challenges: what a device signs, so that its answer is good once, for one browser, for a short while.

A challenge proves by itself that it is ours, whose it is and how long it is good for: whoever only asks leaves nothing
behind. The log's server keeps ``tb:people:challenge:<hash>`` of one that was answered until its time is over.
"""

import hmac
import secrets
from typing import Final, Literal

import redis.asyncio

from domain.errors import Refused
from domain.instants import Instant, milliseconds_of
from services.log.redis_errors import available

SECONDS: Final = 300
"""How long a challenge is good for."""

Purpose = Literal["keep", "return"]
"""What an answer does: a new passkey is kept, or its owner comes back."""

_RANDOM: Final = 16
_TIME: Final = 8
_MARK: Final = 32
_LENGTH: Final = _RANDOM + _TIME + _MARK


class Challenges:
    """Makes challenges, and uses each up once. Methods that ask the store may raise ``StoreUnavailable``."""

    def __init__(self, secret: bytes, client: "redis.asyncio.Redis") -> None:
        self._secret = secret
        self._client = client

    def make(self, purpose: Purpose, browser: str, now: Instant) -> bytes:
        """Return a new challenge.

        Args:
            purpose: What an answer does.
            browser: The secret of the session that may answer, whether it is anybody's yet or not.
            now: From when it is good, for :data:`SECONDS`.
        """
        until = milliseconds_of(now) + SECONDS * 1000
        start = secrets.token_bytes(_RANDOM) + until.to_bytes(_TIME, "big")
        return start + self._mark(start, purpose, browser)

    async def use(self, challenge: bytes, purpose: Purpose, browser: str, now: Instant) -> None:
        """Use a challenge up.

        Raises:
            Refused: It was answered, or its time is over, or it is another browser's or none of ours
                (``passkey.challenge_over``).
        """
        start, mark = challenge[: _RANDOM + _TIME], challenge[_RANDOM + _TIME :]
        left = int.from_bytes(start[_RANDOM:], "big") - milliseconds_of(now)
        is_ours = len(challenge) == _LENGTH and hmac.compare_digest(mark, self._mark(start, purpose, browser))
        if not is_ours or left <= 0:
            raise _over()
        with available():
            # Of several answers at once, one counts.
            is_first = await self._client.set(f"tb:people:challenge:{mark.hex()}", 1, nx=True, px=left)
        if not is_first:
            raise _over()

    def _mark(self, start: bytes, purpose: Purpose, browser: str) -> bytes:
        text = f"tablee challenge\n{purpose} {browser} {start.hex()}"
        return hmac.digest(self._secret, text.encode(), "sha256")


def _over() -> Refused:
    return Refused("passkey.challenge_over", "passkeys")

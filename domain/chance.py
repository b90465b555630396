r"""Sealed chance: every shuffle and draw of a match follows from its sealed seed and the players' nonces.

Generator 1, in full, so that anybody can recompute a deal with a short script:

* key = HMAC-SHA256(seed, ``"tablee/chance/1\n"`` + the nonces by seat, each followed by ``"\n"`` + purpose),
  where the seed is its 32 bytes and a nonce is its text as sent (empty for a seat without one);
* stream = SHA-256(key || block number as 8 bytes, big-endian) for block 0, 1, 2 ..., cut into 4-byte
  big-endian words;
* a number below n: w mod n for the next word w < 2**32 - (2**32 mod n); larger words are skipped;
* a shuffle: the cards in card-list order; for i from the last index down to 1, swap i with a number below i+1.

The purpose of a shuffle is ``"shuffle/<round>/<number in the round>"``. It never names the version, so the same
cards come after an undo. Salts (see :mod:`domain.sealing`) are keyed by the version and cannot collide with it.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import TypeVar

import msgspec

Card = TypeVar("Card", bound=str | int)

GENERATOR = 1
"""The number of the generator that new matches use."""

_WORDS_PER_BLOCK = 8
_WORD_RANGE = 1 << 32


class Chance(msgspec.Struct, frozen=True):
    """The source of chance of one match.

    Attributes:
        seed: At least 128 bits from the operating system, as hexadecimal text.
        nonces: The players' own entropy by seat; empty text where a seat gave none.
    """

    seed: str
    nonces: tuple[str, ...] = ()

    def shuffle(self, cards: Sequence[Card], round_number: int, number: int) -> tuple[Card, ...]:
        """Return the cards, given in card-list order, shuffled; shuffle 0 of a round (from 1) is its deal."""
        numbers = self._numbers(f"shuffle/{round_number}/{number}")
        order = list(cards)
        for last in range(len(order) - 1, 0, -1):
            chosen = _below(numbers, last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return tuple(order)

    def pick(self, below: int, purpose: str) -> int:
        """Draw a number from 0 to ``below - 1``, for a purpose such as ``first``.

        Raises:
            ValueError: ``below`` is less than 1 or more than 2**32.
        """
        return _below(self._numbers(f"pick/{purpose}"), below)

    def branch(self, name: str) -> "Chance":
        """Return another source that follows from this one: each of a bot's playouts gets its own."""
        return Chance(hmac.digest(bytes.fromhex(self.seed), f"branch/{name}".encode(), "sha256").hex())

    def _numbers(self, purpose: str) -> Iterator[int]:
        message = "tablee/chance/1\n" + "".join(f"{nonce}\n" for nonce in self.nonces) + purpose
        key = hmac.digest(bytes.fromhex(self.seed), message.encode(), "sha256")
        block = 0
        while True:
            words = hashlib.sha256(key + block.to_bytes(8, "big")).digest()
            for index in range(_WORDS_PER_BLOCK):
                yield int.from_bytes(words[index * 4 : index * 4 + 4], "big")
            block += 1


def _below(numbers: Iterator[int], bound: int) -> int:
    if not 1 <= bound <= _WORD_RANGE:
        raise ValueError(f"no number below {bound} can be drawn")
    # Skip words in the incomplete last run of the range: they would favour small numbers.
    limit = _WORD_RANGE - _WORD_RANGE % bound
    return next(number for number in numbers if number < limit) % bound

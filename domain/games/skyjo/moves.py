"""The moves of Skyjo on the wire.

A slot number is checked by the rules, not by the type: somebody who names a slot that is not there is told so
in a sentence. The bounds stand in the schema for those who write a client.
"""

from typing import Annotated

from msgspec import Meta

from domain.games.contract import Move
from domain.games.skyjo.cards import FIRST_FLIPS, SLOTS

Slot = Annotated[int, Meta(extra_json_schema={"minimum": 0, "maximum": SLOTS - 1})]


class Reveal(Move, frozen=True):
    """Turn one or two of one's own hidden cards face up before the first turn (K4).

    Attributes:
        slots: Different hidden slots; their order means nothing.
    """

    slots: Annotated[
        tuple[Slot, ...],
        Meta(extra_json_schema={"minItems": 1, "maxItems": FIRST_FLIPS, "uniqueItems": True}),
    ]


class Take(Move, frozen=True):
    """Take the top of the discard pile and put it in the place of one's own card (K5)."""

    slot: Slot


class Draw(Move, frozen=True):
    """Draw the top of the draw pile and look at it; ``swap`` or ``flip`` must follow."""


class Swap(Move, frozen=True):
    """Put the drawn card in the place of one's own card."""

    slot: Slot


class Flip(Move, frozen=True):
    """Discard the drawn card and turn one's own hidden card face up (K7)."""

    slot: Slot


SkyjoMove = Reveal | Take | Draw | Swap | Flip

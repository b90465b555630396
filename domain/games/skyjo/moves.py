"""The moves of Skyjo on the wire.

The rules check a slot number, not the type, so that naming a slot that does not exist is answered in a sentence. The
bounds are in the schema for people who write a client.
"""

from typing import Annotated

from msgspec import Meta

from domain.games.contract import Move
from domain.games.skyjo.cards import FIRST_FLIPS, SLOTS

Slot = Annotated[int, Meta(extra_json_schema={"minimum": 0, "maximum": SLOTS - 1})]


class Reveal(Move, frozen=True):
    """Turn up one or two of the seat's own hidden cards before the first turn (K4).

    Attributes:
        slots: Different hidden slots, in any order.
    """

    slots: Annotated[
        tuple[Slot, ...],
        Meta(extra_json_schema={"minItems": 1, "maxItems": FIRST_FLIPS, "uniqueItems": True}),
    ]


class Take(Move, frozen=True):
    """Take the top of the discard pile and replace one of the seat's own cards with it (K5)."""

    slot: Slot


class Draw(Move, frozen=True):
    """Draw the top of the draw pile and look at it; ``swap`` or ``flip`` must follow."""


class Swap(Move, frozen=True):
    """Replace one of the seat's own cards with the drawn card."""

    slot: Slot


class Flip(Move, frozen=True):
    """Discard the drawn card and turn up one of the seat's own hidden cards (K7)."""

    slot: Slot


SkyjoMove = Reveal | Take | Draw | Swap | Flip

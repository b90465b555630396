"""Why a move of Skyjo is refused: one code per rule, with what a sentence for people needs.

Nothing in the arguments is hidden from anybody: they name slots, open or hidden, never what lies under them.
"""

from domain.errors import Refused

CODES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("skyjo.drawn_card_first", ()),
    ("skyjo.flip_needs_hidden", ("slot", "hidden")),
    ("skyjo.no_such_slot", ("slot", "remaining")),
    ("skyjo.nothing_drawn", ()),
    ("skyjo.reveal_count", ("count", "left")),
    ("skyjo.reveal_first", ("left",)),
    ("skyjo.reveal_needs_hidden", ("slot", "hidden")),
    ("skyjo.reveal_over", ()),
    ("skyjo.reveal_same_slot", ("slot",)),
    ("skyjo.seats_out_of_range", ("seats", "fewest", "most")),
    ("skyjo.slot_gone", ("slot", "remaining")),
)
"""Every code that the game itself gives, with the names of its arguments."""


def seats_out_of_range(seats: int, fewest: int, most: int) -> Refused:
    """Two to eight play; there is one deck (K34)."""
    return Refused("skyjo.seats_out_of_range", "K34", seats=seats, fewest=fewest, most=most)


def reveal_first(left: int) -> Refused:
    """``left`` of the seat's first cards are to be turned before anything else (K4)."""
    return Refused("skyjo.reveal_first", "K4", left=left)


def reveal_over() -> Refused:
    """The first cards are turned; take or draw (K4)."""
    return Refused("skyjo.reveal_over", "K4")


def reveal_count(count: int, left: int) -> Refused:
    """``count`` slots are named where one to ``left`` are wanted (K4)."""
    return Refused("skyjo.reveal_count", "K4", count=count, left=left)


def reveal_same_slot(slot: int) -> Refused:
    """The slot is named twice; different ones are wanted (K4)."""
    return Refused("skyjo.reveal_same_slot", "K4", slot=slot)


def reveal_needs_hidden(slot: int, hidden: tuple[int, ...]) -> Refused:
    """The card in the slot lies open; those in ``hidden`` can be turned (K4)."""
    return Refused("skyjo.reveal_needs_hidden", "K4", slot=slot, hidden=hidden)


def no_such_slot(slot: int, remaining: tuple[int, ...]) -> Refused:
    """No board has such a slot; the seat has cards in those of ``remaining`` (K30)."""
    return Refused("skyjo.no_such_slot", "K30", slot=slot, remaining=remaining)


def slot_gone(slot: int, remaining: tuple[int, ...]) -> Refused:
    """The slot's column has left the board; the seat has cards in those of ``remaining`` (K30)."""
    return Refused("skyjo.slot_gone", "K30", slot=slot, remaining=remaining)


def drawn_card_first() -> Refused:
    """The drawn card must be swapped in, or discarded by flipping, before anything else (K7)."""
    return Refused("skyjo.drawn_card_first", "K7")


def nothing_drawn() -> Refused:
    """Swapping and flipping need a drawn card: draw, or take from the discard pile (K5, K7)."""
    return Refused("skyjo.nothing_drawn", "K7")


def flip_needs_hidden(slot: int, hidden: tuple[int, ...]) -> Refused:
    """The card in the slot lies open; those in ``hidden`` can be turned (K7)."""
    return Refused("skyjo.flip_needs_hidden", "K7", slot=slot, hidden=hidden)

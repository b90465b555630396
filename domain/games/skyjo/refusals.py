"""Why a move of Skyjo is refused: one code per rule, with the arguments for a sentence that people read.

The arguments hold nothing hidden: they name slots, open or hidden, never the cards in them.
"""

from domain.errors import Refused


def seats_out_of_range(seats: int, fewest: int, most: int) -> Refused:
    """The game is for two to eight players, with one deck (K34)."""
    return Refused("skyjo.seats_out_of_range", "K34", seats=seats, fewest=fewest, most=most)


def reveal_first(left: int) -> Refused:
    """The seat must turn up ``left`` more first cards before anything else (K4)."""
    return Refused("skyjo.reveal_first", "K4", left=left)


def reveal_over() -> Refused:
    """The seat has turned up its first cards; now it takes or draws (K4)."""
    return Refused("skyjo.reveal_over", "K4")


def reveal_count(count: int, left: int) -> Refused:
    """The move names ``count`` slots; one to ``left`` would be right (K4)."""
    return Refused("skyjo.reveal_count", "K4", count=count, left=left)


def reveal_same_slot(slot: int) -> Refused:
    """The move names the slot twice; slots must differ (K4)."""
    return Refused("skyjo.reveal_same_slot", "K4", slot=slot)


def reveal_needs_hidden(slot: int, hidden: tuple[int, ...]) -> Refused:
    """The card in the slot lies open; those in ``hidden`` can be turned up (K4)."""
    return Refused("skyjo.reveal_needs_hidden", "K4", slot=slot, hidden=hidden)


def no_such_slot(slot: int, remaining: tuple[int, ...]) -> Refused:
    """No board has such a slot; the seat has cards in the slots of ``remaining`` (K30)."""
    return Refused("skyjo.no_such_slot", "K30", slot=slot, remaining=remaining)


def slot_gone(slot: int, remaining: tuple[int, ...]) -> Refused:
    """The slot's column has left the board; the seat has cards in the slots of ``remaining`` (K30)."""
    return Refused("skyjo.slot_gone", "K30", slot=slot, remaining=remaining)


def drawn_card_first() -> Refused:
    """The seat must first swap in the drawn card, or discard it by flipping (K7)."""
    return Refused("skyjo.drawn_card_first", "K7")


def nothing_drawn() -> Refused:
    """Swapping and flipping need a drawn card: draw, or take from the discard pile (K5, K7)."""
    return Refused("skyjo.nothing_drawn", "K7")


def flip_needs_hidden(slot: int, hidden: tuple[int, ...]) -> Refused:
    """The card in the slot lies open; those in ``hidden`` can be turned up (K7)."""
    return Refused("skyjo.flip_needs_hidden", "K7", slot=slot, hidden=hidden)

"""Why a move of L.A.M.A. is refused: one code per rule, with the arguments for a sentence that people read.

The arguments hold only what the refused seat can see: its own cards, the open top, its own chips.
"""

from domain.errors import Refused
from domain.games.lama.cards import LamaCard, playable_on
from domain.games.lama.moves import Chip


def card_not_in_hand(card: str) -> Refused:
    """The seat holds no such card."""
    return Refused("card_not_in_hand", "M1", card=card)


def card_not_playable(card: LamaCard, top: LamaCard) -> Refused:
    """The card may not go on the top of the discard pile; ``playable`` lists the values that may."""
    rule = {"6": "M2", "L": "M3"}.get(top, "M1")
    return Refused("lama.card_not_playable", rule, card=card, top=top, playable=playable_on(top))


def cannot_draw_alone() -> Refused:
    """All others have quit: play or quit."""
    return Refused("lama.cannot_draw_alone", "M10")


def pile_empty() -> Refused:
    """The draw pile is used up and is not rebuilt: play or quit."""
    return Refused("lama.pile_empty", "M8")


def chip_before_last_card(chip: Chip, cards_left: int) -> Refused:
    """Only a play that empties the hand may name a chip; ``cards_left`` would remain."""
    return Refused("lama.chip_before_last_card", "M24", chip=chip, cards_left=cards_left)


def chip_not_held(chip: Chip, total: int, chips: tuple[Chip, ...]) -> Refused:
    """The seat cannot return this chip; ``chips`` lists those it can."""
    return Refused("lama.chip_not_held", "M24", chip=chip, total=total, chips=chips)


def return_asked(chips: tuple[Chip, ...]) -> Refused:
    """The winner must first say which of ``chips`` to return."""
    return Refused("lama.return_asked", "M29", chips=chips)


def no_return_asked() -> Refused:
    """Only the winner of a round returns a chip, and only when asked."""
    return Refused("lama.no_return_asked", "M24")


def seats_out_of_range(seats: int, fewest: int, most: int) -> Refused:
    """The game is for another number of players."""
    return Refused("lama.seats_out_of_range", "players", seats=seats, fewest=fewest, most=most)


def first_not_a_seat(first: int, seats: int) -> Refused:
    """The option ``first`` names a seat that this table does not have."""
    return Refused("lama.first_not_a_seat", "M34", first=first, seats=seats)

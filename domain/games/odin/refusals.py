"""Why a move of Odin is refused: one function per code, so that each code is spelled once.

The arguments hold only what the refused seat can see: its own cards, the centre, and counts.
"""

from domain.errors import Refused
from domain.games.odin.cards import value_of


def card_not_in_hand(card: str) -> Refused:
    """``card``: the first played card that the seat does not hold."""
    return Refused("card_not_in_hand", "1.A", card=card)


def no_cards() -> Refused:
    """A play needs at least one card."""
    return Refused("odin.no_cards", "1.A")


def repeated_card(card: str) -> Refused:
    """``card``: the card named twice."""
    return Refused("odin.repeated_card", "1.A", card=card)


def lead_one_card(played: int, hand: int) -> Refused:
    """``played``: cards played; ``hand``: cards held. Right: one card, or all of a uniform hand."""
    return Refused("odin.lead_one_card", "O7", played=played, hand=hand)


def wrong_count(played: int, fewest: int, most: int) -> Refused:
    """``played``: cards played; ``fewest`` to ``most`` would be right."""
    return Refused("odin.wrong_count", "O1", played=played, fewest=fewest, most=most)


def mixed_set(cards: tuple[str, ...]) -> Refused:
    """``cards``: the played cards, which share neither colour nor value."""
    return Refused("odin.mixed_set", "O6", cards=cards)


def value_not_higher(cards: tuple[str, ...], centre: tuple[str, ...]) -> Refused:
    """``cards`` are worth ``value``, which is not more than ``to_beat``, the value of ``centre``."""
    return Refused(
        "odin.value_not_higher",
        "O3",
        cards=cards,
        value=value_of(cards),
        centre=centre,
        to_beat=value_of(centre),
    )


def take_required(choices: tuple[str, ...]) -> Refused:
    """``choices``: the cards of the centre; one of them must be taken."""
    return Refused("odin.take_required", "O13", choices=choices)


def take_not_in_centre(card: str, choices: tuple[str, ...]) -> Refused:
    """``card``: the card that cannot be taken; ``choices``: those that can."""
    return Refused("odin.take_not_in_centre", "O13", card=card, choices=choices)


def take_when_leading(card: str) -> Refused:
    """``card``: the card named, although a leader takes none."""
    return Refused("odin.take_when_leading", "O15", card=card)


def take_when_going_out(card: str) -> Refused:
    """``card``: the card named, although the play empties the hand."""
    return Refused("odin.take_when_going_out", "O12", card=card)


def cannot_pass_when_leading() -> Refused:
    """The leader of a trick must play a card."""
    return Refused("odin.cannot_pass_when_leading", "O16")


def first_is_no_seat(first: int, seats: int) -> Refused:
    """``first``: the option's value. Right: a number below ``seats``, or ``random``."""
    return Refused("odin.first_is_no_seat", "O29", first=first, seats=seats)


def wrong_number_of_seats(seats: int, fewest: int, most: int) -> Refused:
    """``seats``: how many were asked for; ``fewest`` to ``most`` would be right."""
    return Refused("odin.wrong_number_of_seats", "O33", seats=seats, fewest=fewest, most=most)

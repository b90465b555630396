"""Deals and reshuffles: the only places where chance enters Skyjo."""

from domain.chance import Chance
from domain.games.skyjo.cards import CARDS, SLOTS
from domain.games.skyjo.events import PileReshuffled, RoundStarted
from domain.games.skyjo.rulings import Rulings
from domain.games.skyjo.state import SkyjoState


def deal(seats: int, round_number: int, starter: int | None, chance: Chance) -> RoundStarted:
    """Shuffle all cards, deal twelve to each seat and one to the discard pile; the rest is the draw pile."""
    order = chance.shuffle(CARDS, round_number, 0)
    on_boards = seats * SLOTS
    return RoundStarted(
        round=round_number,
        shuffle=0,
        starter=starter,
        boards=tuple(order[first : first + SLOTS] for first in range(0, on_boards, SLOTS)),
        discard=order[on_boards],
        pile=order[on_boards + 1 :],
    )


def reshuffle(state: SkyjoState, rulings: Rulings, chance: Chance) -> PileReshuffled:
    """Make a new draw pile of all discarded cards but the top one.

    K28: only when somebody must draw from an empty pile. There are always enough cards: the boards hold at most 96 of
    the 150.
    """
    discard = tuple(state.dealt[card] for card in state.discard)
    shuffled = len(discard) - rulings.kept_at_reshuffle
    number = len(state.deal_starts)
    return PileReshuffled(
        round=state.round,
        shuffle=number,
        discard=discard[shuffled:],
        pile=chance.shuffle(sorted(discard[:shuffled]), state.round, number),
    )

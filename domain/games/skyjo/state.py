"""The whole state of a match of Skyjo, hidden cards included, and what follows from it.

Cards in the state are physical. ``dealt`` holds the faces of the round's deals, one after the other, and a card is
its index in ``dealt``. A reshuffled card gets a new number; all others keep theirs. ``deal_starts`` says where each
deal begins.
"""

from bisect import bisect_right

from domain.games.contract import GameState, PhysicalCard
from domain.games.skyjo.cards import FIRST_FLIPS, SLOTS
from domain.games.skyjo.options import Limit


class SkyjoState(GameState, frozen=True):
    """Where all cards are, and how the round stands.

    Attributes:
        seats: How many seats there are.
        totals: Points by seat over all scored rounds.
        limit: The total at which the match ends, or ``single``.
        round: The present round, from 1; 0 before the first deal.
        over: Whether the match is over.
        turn: Whose turn it is; None outside turns (including during the first flips).
        starter: Who has or had the first turn of the round, once known.
        closer: The first seat without a hidden card.
        drawn: The card that the seat whose turn it is has drawn and not yet placed.
        idle_turns: Turns in a row in which no hidden card was turned up or replaced.
        next_card: The top of the draw pile, which is this card and all later ones of ``dealt``.
        deals: How many deals the match has had, reshuffles included.
        deal_starts: The first card of each deal of this round.
        dealt: The faces of this round's deals.
        boards: By seat and slot, the card; None where a column has left the board.
        hidden: By seat, the slots that lie face down, in ascending order.
        discard: The discard pile, bottom to top.
        sheet: By scored round, the points by seat.
    """

    seats: int
    totals: tuple[int, ...]
    limit: Limit = 100
    round: int = 0
    over: bool = False
    turn: int | None = None
    starter: int | None = None
    closer: int | None = None
    drawn: int | None = None
    idle_turns: int = 0
    next_card: int = 0
    deals: int = 0
    deal_starts: tuple[int, ...] = ()
    dealt: tuple[int, ...] = ()
    boards: tuple[tuple[int | None, ...], ...] = ()
    hidden: tuple[tuple[int, ...], ...] = ()
    discard: tuple[int, ...] = ()
    sheet: tuple[tuple[int, ...], ...] = ()

    @property
    def pile_size(self) -> int:
        """The number of cards in the draw pile."""
        return len(self.dealt) - self.next_card

    @property
    def pile(self) -> range:
        """The cards of the draw pile, top first."""
        return range(self.next_card, len(self.dealt))


def flips_left(state: SkyjoState, seat: int) -> int:
    """Return how many first cards a seat still has to turn up (K4)."""
    # No seat has more than ten hidden cards later in a round, so their number shows how far the first flips are.
    return max(0, len(state.hidden[seat]) - (SLOTS - FIRST_FLIPS)) if state.hidden else 0


def to_act(state: SkyjoState) -> tuple[int, ...]:
    """Return the seats that owe a move: all that have first cards to turn up, or the one whose turn it is."""
    if state.turn is not None:
        return (state.turn,)
    return tuple(seat for seat in range(state.seats) if flips_left(state, seat))


def is_mid_turn(state: SkyjoState, seat: int) -> bool:
    """Tell whether a seat has drawn and must place, or has turned up the first of its two cards."""
    if state.turn is not None:
        return state.turn == seat and state.drawn is not None
    return 0 < flips_left(state, seat) < FIRST_FLIPS


def remaining_slots(state: SkyjoState, seat: int) -> tuple[int, ...]:
    """Return the slots of a seat that still hold a card."""
    return tuple(slot for slot, card in enumerate(state.boards[seat]) if card is not None)


def face_at(state: SkyjoState, seat: int, slot: int) -> int:
    """Return the face of the card in a slot, hidden or not.

    Raises:
        ValueError: The slot is empty; the rules ask only for slots that hold a card.
    """
    card = state.boards[seat][slot]
    if card is None:
        raise ValueError(f"slot {slot} of seat {seat} is empty")
    return state.dealt[card]


def identity(state: SkyjoState, card: int) -> PhysicalCard:
    """Return the number of a card's deal, and its place in the dealt order."""
    deal = bisect_right(state.deal_starts, card) - 1
    first_deal = state.deals - len(state.deal_starts) + 1
    return first_deal + deal, card - state.deal_starts[deal]


def name_of(state: SkyjoState, card: PhysicalCard) -> int:
    """Return the face of a card, given the number of its deal and its place in the dealt order."""
    deal, place = card
    first_deal = state.deals - len(state.deal_starts) + 1
    return state.dealt[state.deal_starts[deal - first_deal] + place]

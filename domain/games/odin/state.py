"""The whole state of a match of Odin, hidden cards included."""

from domain.games.contract import GameState
from domain.games.odin.options import OdinOptions


class OdinState(GameState, frozen=True):
    """Where all cards are. A card is a place (index) in the present round's dealt order.

    A hand is ``dealt[seat]`` followed by ``taken[seat]``. In Odin each name is one card, so a card named by a move is
    always one place.

    Attributes:
        options: The table's choices.
        seats: How many seats play.
        round: The round, from 1; 0 before the first deal. Also the number of the deal: one per round.
        order: Names of the 54 cards in the round's dealt order.
        starter: The seat that led the round's first trick.
        trick: The trick within the round, from 1.
        dealt: By seat, the cards of its hand that never left it and that it alone knows.
        taken: By seat, the cards of its hand that it picked up from the centre, oldest first; everybody knows them.
        centre: The combination to beat, as its value is read; empty while somebody must lead.
        owner: The seat that played the centre.
        passes: Passes in a row since the last play.
        turn: The seat whose turn it is; None before the start and after the end.
        discard: The discarded cards of the round, oldest first.
        totals: Points by seat.
        sheet: Points by seat of each scored round.
        over: Whether the match has ended.
    """

    options: OdinOptions
    seats: int
    round: int = 0
    order: tuple[str, ...] = ()
    starter: int = 0
    trick: int = 0
    dealt: tuple[tuple[int, ...], ...] = ()
    taken: tuple[tuple[int, ...], ...] = ()
    centre: tuple[int, ...] = ()
    owner: int | None = None
    passes: int = 0
    turn: int | None = None
    discard: tuple[int, ...] = ()
    totals: tuple[int, ...] = ()
    sheet: tuple[tuple[int, ...], ...] = ()
    over: bool = False


def hand_of(state: OdinState, seat: int) -> tuple[str, ...]:
    """Return the names of a seat's cards: those dealt, then those picked up."""
    order = state.order
    return tuple([order[place] for place in state.dealt[seat] + state.taken[seat]])


def hand_size(state: OdinState, seat: int) -> int:
    """Return how many cards a seat holds."""
    return len(state.dealt[seat]) + len(state.taken[seat])


def centre_of(state: OdinState) -> tuple[str, ...]:
    """Return the names of the cards in the centre, as their value is read."""
    order = state.order
    return tuple([order[place] for place in state.centre])

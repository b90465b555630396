"""How a match begins and how each round is dealt."""

from domain.chance import Chance
from domain.games.odin import refusals
from domain.games.odin.cards import CARDS
from domain.games.odin.events import FIRST_PLAYER, FirstPlayerDrawn, OdinEvent, RoundStarted
from domain.games.odin.options import OdinOptions
from domain.games.odin.rulings import Rulings
from domain.games.odin.state import OdinState


def initial(rulings: Rulings, options: OdinOptions, seats: int) -> OdinState:
    """Return the state before the first deal.

    Raises:
        Refused: The game is not for so many players (O33), or ``first`` names no seat (O29).
    """
    # O33
    if not rulings.fewest_seats <= seats <= rulings.most_seats:
        raise refusals.wrong_number_of_seats(seats, rulings.fewest_seats, rulings.most_seats)
    if options.first != "random" and not 0 <= options.first < seats:
        raise refusals.first_is_no_seat(options.first, seats)
    return OdinState(options, seats, dealt=((),) * seats, taken=((),) * seats, totals=(0,) * seats)


def start(rulings: Rulings, state: OdinState, chance: Chance) -> tuple[OdinEvent, ...]:
    """Return the draw of who starts, unless the table chose, and the first deal."""
    # O29: drawn from the match's sealed seed, or chosen by the table.
    if state.options.first == "random":
        seat = chance.pick(state.seats, FIRST_PLAYER)
        drawn = FirstPlayerDrawn(seat, state.seats)
        return (drawn, deal(rulings, state.seats, 1, seat, chance))
    return (deal(rulings, state.seats, 1, state.options.first, chance),)


def deal(rulings: Rulings, seats: int, round_number: int, starter: int, chance: Chance) -> RoundStarted:
    """Return the start of a round: all cards shuffled again and dealt; the starter leads the first trick."""
    order = chance.shuffle(CARDS, round_number, 0)
    size = rulings.hand_size
    # O30: six hands of nine use up all cards; there is never anything to draw.
    return RoundStarted(
        round=round_number,
        shuffle=0,
        starter=starter,
        hands=tuple(order[seat * size : (seat + 1) * size] for seat in range(seats)),
        undealt=order[seats * size :],
    )

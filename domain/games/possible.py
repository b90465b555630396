"""Whether a state that nobody vouches for could be a game's: a log can begin with any position that can be written.

What follows from a possible state by the rules is possible, so one look at the first one is enough.
"""

from collections import Counter
from typing import Final

from domain.chance import Chance
from domain.errors import Refused
from domain.games.contract import AnyGame, GameState
from domain.viewers import EVERYTHING, SPECTATOR, seat_viewer

_RAISED: Final = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    Refused,
)
"""What a game raises on a state that cannot be."""

_ANY_SEED: Final = "00" * 32


def is_possible(game: AnyGame, state: GameState, seats: int) -> bool:
    """Tell whether a state holds every card once, can be seen by everybody, and lets those move whom it asks. Pure."""
    try:
        return _holds_all_cards(game, state) and _can_be_played(game, state, seats)
    except _RAISED:
        return False


def _holds_all_cards(game: AnyGame, state: GameState) -> bool:
    known = game.knows(state, EVERYTHING)
    # Before the first deal there are none.
    return not known or Counter(game.name_of(state, card) for card in known) == Counter(game.cards)


def _can_be_played(game: AnyGame, state: GameState, seats: int) -> bool:
    for viewer in (EVERYTHING, SPECTATOR, *map(seat_viewer, range(seats))):
        game.view(state, viewer)
    asked = game.to_act(state)
    if len(game.standing(state).totals) != seats or not all(0 <= seat < seats for seat in asked):
        return False
    for seat in asked:
        legal = game.legal_moves(state, seat)
        if legal is None or next(game.expand(legal), None) is None:
            return False
        for event in game.decide(state, seat, game.fallback(state, seat), Chance(_ANY_SEED)):
            game.evolve(state, event)
    return True

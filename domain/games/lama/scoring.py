"""What a round costs, which chip may go back, and who has won.

M33: chips are only a way to write a total (``total // 10`` black and ``total % 10`` white ones); the supply of 70 is
no limit. M38: totals are points against a seat, never negative; the lowest wins.
"""

from typing import cast

from domain.games.contract import GameResult
from domain.games.lama.cards import in_list_order, points_of
from domain.games.lama.events import ChipKept, ChipReturned, RoundEnded
from domain.games.lama.moves import Chip
from domain.games.lama.rulings import Rulings
from domain.games.lama.state import LamaState

_BLACK = 10
_WHITE = 1


def returnable_chips(total: int) -> tuple[Chip, ...]:
    """Return what a round's winner with so many points may return, largest first; ``none`` is always included.

    M24: one black or one white chip, as they like. M25: black and white chips can be exchanged at any time, so the
    total alone decides. M26: they may keep them all.
    """
    if total >= _BLACK:
        return "black", "white", "none"
    if total >= _WHITE:
        return "white", "none"
    return ("none",)


def is_return_due(state: LamaState, winner: int) -> bool:
    """Tell whether a winner has a chip to return. M28: without chips nothing happens."""
    return state.totals[winner] >= _WHITE


def chip_event(state: LamaState, winner: int, chip: Chip) -> ChipReturned | ChipKept:
    """Return the event of a winner's choice.

    M27: one chip goes back, never more. It is from an earlier round: the winner took none in this one.
    """
    total = state.totals[winner]
    if chip == "black":
        return ChipReturned(winner, chip, total - _BLACK)
    if chip == "white":
        return ChipReturned(winner, chip, total - _WHITE)
    return ChipKept(winner)


def round_ended(state: LamaState, winner: int | None, *, return_asked: bool) -> RoundEnded:
    """Return the event that shows all cards held and gives out the chips for them.

    M19: every card held counts, drawn ones and those of seats that quit included. M17: only now are the cards of
    seats that quit seen.
    """
    hands = tuple(in_list_order(state.hand(seat)) for seat in range(state.seats))
    points = tuple(points_of(hand) for hand in hands)
    totals = tuple(total + lost for total, lost in zip(state.totals, points, strict=True))
    return RoundEnded(state.round, hands, points, totals, winner, return_asked)


def seats_at_limit(state: LamaState) -> tuple[int, ...]:
    """Return the seats that hold the limit or more.

    M30: only chips held now count, not all those ever collected. M31: exactly the limit is enough.
    """
    limit = state.options.limit
    if limit == "single":
        return ()
    return tuple(seat for seat, total in enumerate(state.totals) if total >= limit)


def next_starter(state: LamaState, rulings: Rulings) -> int:
    """Return who starts the next round.

    M22: whoever played the last card starts, even if they quit after that; drawing is not playing. M23: so whoever
    goes out starts. If nobody played a card, the rules number decides.
    """
    if state.last_played is None:
        chosen = state.last_acted if rulings.unplayed_round == "last_acted" else state.starter
    elif state.options.next_starter == "last_acted":
        chosen = state.last_acted
    else:
        chosen = state.last_played
    return cast("int", chosen)  # every ended round had a starter, and somebody acted in it


def standing(state: LamaState) -> GameResult:
    """Return the ranking by totals, fewest points first. M32: equal totals share a place."""
    places = sorted(set(state.totals))
    ranking = tuple(
        tuple(seat for seat, total in enumerate(state.totals) if total == place) for place in places
    )
    return GameResult(ranking, state.totals)

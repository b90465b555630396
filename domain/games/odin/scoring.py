"""What a round costs, who starts the next one, and when the match is over."""

from domain.games.contract import GameResult
from domain.games.odin.events import RoundEnded
from domain.games.odin.options import Limit
from domain.games.odin.rulings import Rulings
from domain.games.odin.state import OdinState, hand_size


def score(state: OdinState, winner: int) -> RoundEnded:
    """Return the end of a round, from the state before the winner's last card was played."""
    # O25: one point per card left, whatever its face; the seat that went out has none.
    points = tuple(0 if seat == winner else hand_size(state, seat) for seat in range(state.seats))
    totals = tuple(total + added for total, added in zip(state.totals, points, strict=True))
    return RoundEnded(state.round, winner, points, totals, last=is_last(state.options.limit, totals))


def is_last(limit: Limit, totals: tuple[int, ...]) -> bool:
    """Tell whether a match ends with these totals after a round."""
    # O26: reaching the limit is enough; it is tested only here, after a round. O32 is the option itself.
    return limit == "single" or max(totals) >= limit


def next_starter(rulings: Rulings, state: OdinState) -> int:
    """Return who starts the next round."""
    # O28: the seat to the left of this round's starter, whoever went out.
    return (state.starter + rulings.starter_step) % state.seats


def standing(state: OdinState) -> GameResult:
    """Return the ranking by totals, fewest first."""
    # O27: equal totals share a place.
    ranking = tuple(
        tuple(seat for seat in range(state.seats) if state.totals[seat] == total)
        for total in sorted(set(state.totals))
    )
    return GameResult(ranking, state.totals)

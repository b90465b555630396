"""The end of a round, in order: reveal, columns, raw sums, doubling, totals, limit (spec section 4)."""

from domain.chance import Chance
from domain.games.contract import GameResult
from domain.games.skyjo.cards import GONE
from domain.games.skyjo.columns import complete_columns
from domain.games.skyjo.dealing import deal
from domain.games.skyjo.events import BoardsRevealed, RoundScored, SkyjoEvent
from domain.games.skyjo.evolve import evolve
from domain.games.skyjo.options import Limit
from domain.games.skyjo.state import SkyjoState

_CLOSER_FACTOR = 2


def end_round(state: SkyjoState, chance: Chance) -> tuple[SkyjoEvent, ...]:
    """Return the events that end a round after its last turn, and begin the next one, if any."""
    # K19: all boards are turned up together, and only now, so that no last turn profits from another's cards.
    revealed = BoardsRevealed(
        tuple(tuple(GONE if card is None else state.dealt[card] for card in board) for board in state.boards)
    )
    state = evolve(state, revealed)
    columns = tuple(complete_columns(state))
    for column in columns:
        state = evolve(state, column)
    scored = score(state)
    if scored.over:
        return (revealed, *columns, scored)
    # K3: the closer starts the next round; after a stalled round, which has no closer, the same seat does (K31).
    starter = state.starter if state.closer is None else state.closer
    return (revealed, *columns, scored, deal(state.seats, state.round + 1, starter, chance))


def score(state: SkyjoState) -> RoundScored:
    """Score a round whose boards lie open and whose complete columns are gone (K21)."""
    raw = tuple(sum(state.dealt[card] for card in board if card is not None) for board in state.boards)
    doubled = state.closer if state.closer is not None and is_doubled(raw, state.closer) else None
    points = tuple(_CLOSER_FACTOR * sum_ if seat == doubled else sum_ for seat, sum_ in enumerate(raw))
    # K24: the doubled points count towards the limit. K27: a negative round lowers the total, even below 0.
    totals = tuple(total + gained for total, gained in zip(state.totals, points, strict=True))
    return RoundScored(
        round=state.round,
        raw=raw,
        points=points,
        totals=totals,
        doubled=doubled,
        over=ends_match(totals, state.limit),
    )


def is_doubled(raw: tuple[int, ...], closer: int) -> bool:
    """Tell whether the closer's points are doubled.

    K22: they are, unless the closer's sum is strictly the lowest, so a tie doubles. K23: only if it is above 0.
    """
    lowest_other = min(sum_ for seat, sum_ in enumerate(raw) if seat != closer)
    return raw[closer] > 0 and lowest_other <= raw[closer]


def ends_match(totals: tuple[int, ...], limit: Limit) -> bool:
    """Tell whether the match ends with these totals; tested only after a round was scored (K25)."""
    return limit == "single" or max(totals) >= limit


def standing(state: SkyjoState) -> GameResult:
    """Rank the seats by their totals, the lowest first; seats with the same total share a place (K26)."""
    places = sorted(set(state.totals))
    ranking = tuple(
        tuple(seat for seat, total in enumerate(state.totals) if total == place) for place in places
    )
    return GameResult(ranking, state.totals)

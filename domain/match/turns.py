"""Whose time runs after a command, and in which position: for tables whose time adds up."""

from msgspec.structs import replace

from domain.games.contract import GameState
from domain.instants import Instant
from domain.match.clock import Branch, Clock, Turn, Visit
from domain.match.state import Match, Past


def position_of(last: Past | None, clock: Clock, version: int, game: GameState) -> int:
    """Return the position to which a move has led: an earlier one if the same move led there and was taken back."""
    if last is None:
        return version
    for branch in clock.branches.get(last.origin, ()):
        if branch.game == game:
            return branch.origin
    return version


def with_branches(state: Match) -> Clock:
    """Return the clock that remembers what was taken back, as a move is about to take its place."""
    clock, past, row = state.clock, state.past, state.undone
    branches = dict(clock.branches)
    before = past.origin if past is not None else 0
    while row is not None:
        known = branches.get(before, ())
        if all(branch.origin != row.origin for branch in known):
            branches[before] = (*known, Branch(row.game, row.origin))
        before, row = row.origin, row.before
    return replace(clock, branches=branches)


def moved(
    clock: Clock, to_act: tuple[int, ...], mover: int | None, at: Instant, origin: int, *, is_new: bool
) -> Clock:
    """Return the clock after a move: whoever is asked now begins a turn, and so does a mover who is asked again."""
    turns: list[Turn | None] = [None] * len(clock.turns)
    visits = clock.visits
    for seat, turn in enumerate(clock.turns):
        asked = seat in to_act
        if asked and turn is not None and seat != mover:
            turns[seat] = turn
            continue
        if turn is not None:
            visits = Visit(seat, turn, at, visits)
        if asked:
            turns[seat] = _begun(clock, seat, origin, at, is_new=is_new)
    return replace(clock, turns=tuple(turns), visits=visits)


def stayed(clock: Clock, past: Past | None, to_act: tuple[int, ...], at: Instant) -> Clock:
    """Return the clock after a command that made no move: in the same position, or in one that was restored."""
    turns: list[Turn | None] = [None] * len(clock.turns)
    visits = clock.visits
    for seat, turn in enumerate(clock.turns):
        wanted = past.clock.turn_of(seat) if past is not None and seat in to_act else None
        if turn is not None and wanted is not None and turn.origin == wanted.origin:
            turns[seat] = turn
            continue
        if turn is not None:
            visits = Visit(seat, turn, at, visits)
        if wanted is not None:
            turns[seat] = _begun(clock, seat, wanted.origin, at)
    return replace(clock, turns=tuple(turns), visits=visits)


def _begun(clock: Clock, seat: int, origin: int, at: Instant, *, is_new: bool = False) -> Turn:
    visit = None if is_new else clock.last_visit(seat, origin)
    return Turn(origin, at, visit.turn.given if visit is not None else 0, visit)

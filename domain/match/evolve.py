"""``evolve``: the state after one more event. Pure and total: validates nothing, never refuses."""

from collections.abc import Mapping

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.games.contract import AnyGame, GameState
from domain.games.registry import GAMES
from domain.instants import EARLIEST, Instant
from domain.match.apply import APPLY
from domain.match.clock import ADDS_UP_SINCE, Clock
from domain.match.state import Match, Past, Seat, Terms
from domain.match.turns import moved as turns_moved
from domain.match.turns import position_of, with_branches
from domain.match.turns import stayed as turns_stayed
from domain.sealing import Event

BOT = "bot"
"""The door of bots' moves."""

_NO_DEADLINES: Mapping[int, Instant] = {}


class Happened(msgspec.Struct, frozen=True):
    """An event with what ``evolve`` needs of its envelope.

    Attributes:
        event: The event, with all its values.
        version: Its version.
        ends: Whether it is its command's last.
        seat: The seat that the command was made for, if any.
        at: When it was accepted.
        deadlines: On a command's last event: by newly asked seat, when its time ends.
        door: The door it came through.
        trace: Its correlation id.
    """

    event: Event
    version: int
    ends: bool
    seat: int | None
    at: Instant
    deadlines: Mapping[int, Instant] = _NO_DEADLINES
    door: str = ""
    trace: str = ""


def game_of(terms: Terms) -> AnyGame:
    """Return the game under the rules number that the match was created with."""
    return GAMES[terms.game, terms.rules]


def evolve(state: Match, happened: Happened) -> Match:
    """Return the state after an event."""
    event = happened.event
    apply = APPLY.get(type(event))
    if apply is not None:
        after = apply(state, event)
        if state.expires != EARLIEST and state.expires == after.expires:
            # Something has happened at a table whose end was told.
            after = msgspec.structs.replace(after, expires=EARLIEST)
        return _end_command(after, after.game, happened, after.clock) if happened.ends else after
    terms, game = state.terms, state.game
    if terms is None or game is None:  # in no accepted log does a game's event come before the start
        return state
    game = GAMES[terms.game, terms.rules].evolve(game, event)
    clock = with_branches(state) if state.undone is not None and state.clock.turns else state.clock
    if happened.ends:
        return _end_command(state, game, happened, clock, undone=None)
    return Match(
        terms,
        state.entropy,
        state.lifecycle,
        state.seats,
        clock,
        state.requests,
        state.asked_at,
        game,
        state.past,
        None,
        state.origin,
        asked_for=state.asked_for,
    )


def evolve_plain(state: Match, event: Event) -> Match:
    """Return the state after an event, without the effects of a command's end (who is asked, past, clock).

    For deciders that must look one event ahead.
    """
    return evolve(state, Happened(event, 0, ends=False, seat=None, at=EARLIEST))


def seats_to_act(state: Match) -> tuple[int, ...]:
    """Return the seats that owe a move."""
    return _to_act(state, state.game)


def seats_that_may_act(state: Match) -> tuple[int, ...]:
    """Return the seats that may move although nobody waits for them."""
    if state.game is None or state.terms is None or state.lifecycle.phase != "playing":
        return ()
    return GAMES[state.terms.game, state.terms.rules].may_act(state.game)


def may_move_since(state: Match, seat: int) -> int:
    """Return the version since which a seat that nobody waits for has had its present moves; 0 if it may not move.

    That is its own last move, or when it was first allowed to move, whichever is later.
    """
    terms, node = state.terms, state.past
    if terms is None or seat not in seats_that_may_act(state):
        return 0
    game = GAMES[terms.game, terms.rules]
    while node is not None and node.before is not None:
        if node.seat == seat or seat not in game.may_act(node.before.game):
            break
        node = node.before
    return node.version if node is not None else 0


def _to_act(state: Match, game: GameState | None) -> tuple[int, ...]:
    terms = state.terms
    if game is None or terms is None or state.lifecycle.phase != "playing":
        return ()
    return GAMES[terms.game, terms.rules].to_act(game)


def newly_timed(asked_at: tuple[int, ...], to_act: tuple[int, ...], mover: int | None) -> tuple[int, ...]:
    """Return the seats whose time starts now: not asked before, or asked again after their own command.

    A command that leaves the game as it was (a request, a seat reclaimed) asks its seat again without giving it more
    time: pass None as its mover. Otherwise a seat could gain time by making requests.
    """
    return tuple([seat for seat in to_act if seat == mover or not asked_at[seat]])


def _end_command(
    state: Match,
    game: GameState | None,
    happened: Happened,
    clock: Clock,
    undone: Past | UnsetType | None = UNSET,
) -> Match:
    past, asked_at = state.past, state.asked_at
    to_act = _to_act(state, game)
    moved = game is not None and (past is None or past.game is not game)
    if not moved and not to_act and not any(asked_at):
        return state
    asked_after, timed = _asked(state, to_act, happened, moved=moved)
    origin, seats = happened.version, state.seats
    if clock.turns:
        if game is not None and moved:
            origin = position_of(past, clock, origin, game)
            is_new = origin == happened.version
            clock = turns_moved(clock, to_act, happened.seat, happened.at, origin, is_new=is_new)
        else:
            clock = turns_stayed(clock, past, to_act, happened.at)
        timed = replace(clock, since=timed.since)
    elif clock.rests:
        # Requests have their time at tables without a clock, too.
        timed = replace(timed, rests=clock.rests)
    if game is not None and moved:
        mover = happened.seat if past is not None else None
        past = Past(happened.version, game, past, mover, happened.at, timed, origin)
        seats = _after_move(state, game, happened, to_act)
    return Match(
        state.terms,
        state.entropy,
        state.lifecycle,
        seats,
        timed,
        state.requests,
        asked_after,
        game,
        past,
        state.undone if undone is UNSET else undone,
        state.origin,
        _idle(state, happened) if undone is UNSET else (),
        asked_for=state.asked_for,
    )


def _after_move(
    state: Match, game: GameState, happened: Happened, to_act: tuple[int, ...]
) -> tuple[Seat, ...]:
    """Return the seats after a move: who made it was there, or a bot made it for them."""
    number, terms, seats = happened.seat, state.terms, state.seats
    if number is None or terms is None or terms.table < ADDS_UP_SINCE:
        return seats
    seat = seats[number]
    if seat.kind != "person" or not (seat.stand_in or seat.covered or seat.missed):
        return seats
    if seat.stand_in or (seat.covered and happened.door == BOT):
        goes_on = number in to_act and GAMES[terms.game, terms.rules].is_mid_turn(game, number)
        seat = replace(seat, covered=seat.covered and goes_on, stood_in=seat.stood_in + 1)
    else:
        seat = replace(seat, covered=False, missed=0)
    return (*seats[:number], seat, *seats[number + 1 :])


def _idle(state: Match, happened: Happened) -> tuple[int, ...]:
    """Return by seat how many commands have left the game as it was, after one that ends with an event of the match."""
    if happened.seat is None:
        return state.idle
    counts = list(state.idle or (0,) * len(state.seats))
    counts[happened.seat] += 1
    return tuple(counts)


def _asked(
    state: Match, to_act: tuple[int, ...], happened: Happened, *, moved: bool
) -> tuple[tuple[int, ...], Clock]:
    """Return the version at which each seat was asked, and since and until when.

    In one pass, repeating the rule of :func:`newly_timed`, because folding is the hottest path.
    """
    asked_at, clock, mover = state.asked_at, state.clock, happened.seat
    asked, since = [0] * len(asked_at), [EARLIEST] * len(asked_at)
    deadlines = [EARLIEST] * len(asked_at) if clock.deadlines or happened.deadlines else []
    for seat in to_act:
        before = asked_at[seat]
        asked[seat] = before if before and seat != mover else happened.version
        timed = not before or (moved and seat == mover)
        since[seat] = happened.at if timed else clock.since[seat] or happened.at
        if deadlines:
            kept = EARLIEST if timed else clock.deadline_of(seat)
            deadlines[seat] = happened.deadlines.get(seat, kept)
    return tuple(asked), Clock(tuple(since), tuple(deadlines) if any(deadlines) else ())

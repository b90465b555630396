"""Deciding which turns are taken back or played again, and which need the others' consent first.

The table's policy decides. ``off``: none. ``free``: the seat's own last move, until somebody has moved or learned a
card. ``consent``: that, or whatever all other people agree to. ``practice``: anything.
"""

from collections.abc import Iterable, Iterator

from domain.errors import Refused
from domain.games.contract import AnyGame, GameState, PhysicalCard
from domain.instants import after
from domain.match.clock import ADDS_UP_SINCE
from domain.match.commands import Context, RedoMove, UndoMove
from domain.match.decide_play import playing
from domain.match.decide_table import require_seat
from domain.match.events import MoveRedone, MoveUndone, RequestMade
from domain.match.say import REQUEST_SECONDS, asked_people, lapses_at
from domain.match.state import Match, Past, Request
from domain.sealing import Event
from domain.viewers import SPECTATOR, Viewer, seat_viewer


def undo(state: Match, command: UndoMove, context: Context) -> tuple[Event, ...]:
    """Take turns back, or ask the others for leave to."""
    game, present = playing(state)
    require_seat(state, command.seat)
    target, ask = what_undo_does(state, command.seat, command.to)
    if not ask:
        return (MoveUndone(target.version, command.seat),)
    seconds = 0 if _has_time(state, target, command.seat) else state.clock.allowance // 1000
    if any(request.seat == command.seat and request.kind == "undo" for request in state.requests):
        raise Refused("request.already_made", "undo", seat=command.seat)
    known = cards_learned(game, target.game, present, (seat_viewer(command.seat),))
    return (
        requested(
            state,
            context,
            "undo",
            command.seat,
            command.request,
            to=target.version,
            known=known,
            seconds=seconds,
        ),
    )


def requested(
    state: Match,
    context: Context,
    kind: str,
    seat: int,
    identifier: str,
    *,
    to: int = 0,
    known: int = 0,
    seconds: int = 0,
    player: str = "",
) -> RequestMade:
    """Return the request that a seat, or a player from outside for it, makes of the others."""
    if state.terms is None or state.terms.table < ADDS_UP_SINCE:
        return RequestMade(
            identifier, kind, seat, after(context.now, REQUEST_SECONDS), to, known, player=player
        )
    request = Request(identifier, kind, seat, after(context.now, REQUEST_SECONDS), made=context.now)
    expires = lapses_at(state, request)
    return RequestMade(identifier, kind, seat, expires, to, known, context.now, seconds, player)


def what_undo_does(state: Match, seat: int, to: int | None = None) -> tuple[Past, bool]:
    """Return the turn that undoing, to a version or the last turn, would restore, and whether others must agree.

    Raises:
        Refused: The table's policy does not allow it, or there is no such turn.
    """
    game, present = playing(state)
    require_still_playing(state, seat)
    policy = state.terms.undo if state.terms is not None else "off"
    if policy == "off":
        raise Refused("undo.off", "undo", policy=policy)
    if policy != "practice" and to is None and seat in game.may_act(present):
        # Taking it back would restore the table before the others chose, and discard their choices.
        raise Refused("undo.choose_again", "undo", seat=seat)
    target = _target(state, game, seat, to)
    has_time = _has_time(state, target, seat)
    if has_time and (policy == "practice" or _is_free(state, game, target, seat)):
        return target, False
    if policy == "free" and has_time:
        raise Refused("undo.not_free", "undo", policy=policy)
    # Bots always agree. But nobody gets time that no other person gives them.
    ask = bool(asked_people(state, seat))
    if not has_time and (policy != "consent" or not ask):
        raise Refused("undo.no_time_left", "undo", seat=seat, to=target.version)
    return target, ask


def _has_time(state: Match, target: Past, seat: int) -> bool:
    """Tell whether a seat would have time in a turn of its own that is brought back."""
    turn, running = target.clock.turn_of(seat), state.clock.turn_of(seat)
    if turn is None or (running is not None and running.origin == turn.origin):
        return True
    return state.clock.left_in(seat, turn.origin) != 0


def redo(state: Match, command: RedoMove, _: Context) -> tuple[Event, ...]:
    """Step forward along what was undone, to the seat's next turn or as far as it goes."""
    game, _present = playing(state)
    require_seat(state, command.seat)
    require_still_playing(state, command.seat)
    target = state.undone
    if target is None:
        raise Refused("redo.nothing", "undo", seat=command.seat)
    if not may_redo(state, command.seat):
        raise Refused("redo.not_yours", "undo", seat=command.seat)
    # Unless the policy allows anything, a seat can play again only its own move, not the others'.
    while _practice(state) and target.before is not None and command.seat not in game.to_act(target.game):
        target = target.before
    return (MoveRedone(target.version, command.seat),)


def may_redo(state: Match, seat: int) -> bool:
    """Tell whether a seat may step forward into what was undone."""
    if state.undone is None or state.seats[seat].resigned:
        return False
    return _practice(state) or state.undone.seat == seat


def _practice(state: Match) -> bool:
    return state.terms is not None and state.terms.undo == "practice"


def require_still_playing(state: Match, seat: int) -> None:
    """Refuse a seat that has resigned: bots would agree to its requests, and it has nothing to lose.

    Raises:
        Refused: The seat was resigned.
    """
    if state.seats[seat].resigned:
        raise Refused("seat.resigned", "a resignation is final", seat=seat)


def cards_learned(game: AnyGame, before: GameState, now: GameState, viewers: Iterable[Viewer]) -> int:
    """Return how many cards some viewers have learned between two positions; an undo makes nobody forget them.

    A request tells only the number for its own seat. The number over several seats, each card counted once, would show
    which of two equal cards somebody played: the one they drew or the one they were dealt.
    """
    return len(set().union(*(cards for _, cards in _learned(game, before, now, viewers))))


def viewers_of(state: Match) -> tuple[Viewer, ...]:
    """Return everybody who may look at a match while it runs: a spectator and each seat."""
    return (SPECTATOR, *map(seat_viewer, range(len(state.seats))))


def _target(state: Match, game: AnyGame, seat: int, to: int | None) -> Past:
    """Return the seat's turn to restore: the one named, or its last."""
    node = state.past.before if state.past is not None else None
    moved = False
    while node is not None:
        mine = seat in game.to_act(node.game)
        moved = moved or mine
        if mine and to in (None, node.version):
            return node
        if node.version == to:
            raise Refused("undo.not_your_turn_there", "undo", seat=seat, to=node.version)
        node = node.before
    if to is not None and moved:
        raise Refused("undo.no_turn_there", "undo", seat=seat, to=to)
    raise Refused("undo.nothing", "undo", seat=seat)


def _is_free(state: Match, game: AnyGame, target: Past, seat: int) -> bool:
    last = state.past
    if last is None or state.game is None or last.before is not target or last.seat != seat:
        return False
    # A misplayed card can be taken back; a drawn or turned one cannot. What counts is whether anybody has learned a
    # card that the mover did not know before either. Computed, never declared by hand.
    mover = seat_viewer(seat)
    mine = game.knows(target.game, mover)
    # The mover first: whoever draws a card learns it, and then the others need not be looked at.
    if not game.knows(state.game, mover) <= mine:
        return False
    others = [viewer for viewer in viewers_of(state) if viewer.seat != seat]
    return all(cards <= mine for _, cards in _learned(game, target.game, state.game, others)) and all(
        game.secrets(state.game, viewer) <= game.secrets(target.game, viewer) for viewer in others
    )


def _learned(
    game: AnyGame, before: GameState, now: GameState, viewers: Iterable[Viewer]
) -> Iterator[tuple[Viewer, frozenset[PhysicalCard]]]:
    for viewer in viewers:
        yield viewer, game.knows(now, viewer) - game.knows(before, viewer)

"""Deciding moves of the game."""

from domain.errors import NotAsked, Refused
from domain.games.contract import AnyGame, GameState, Move
from domain.match.commands import Context, PlayMove
from domain.match.decide_table import require_seat
from domain.match.events import MatchFinished
from domain.match.evolve import game_of
from domain.match.ranking import ranked
from domain.match.state import Match
from domain.sealing import Event


def play(state: Match, command: PlayMove, _: Context) -> tuple[Event, ...]:
    """Let the game decide a move of a seat that owes one or may make one; end the match when the game is over."""
    game, present = playing(state)
    require_seat(state, command.seat)
    to_act = game.to_act(present)
    if command.seat not in to_act and command.seat not in game.may_act(present):
        raise NotAsked(command.seat, to_act)
    return moved(state, game, present, command.seat, command.move)


def playing(state: Match) -> tuple[AnyGame, GameState]:
    """Return the game and its state, or refuse if nobody plays yet.

    Raises:
        Refused: The match has not begun.
    """
    if state.terms is None or state.game is None or state.lifecycle.phase != "playing":
        raise Refused("match.not_started", "moves are made after the start")
    return game_of(state.terms), state.game


def moved(state: Match, game: AnyGame, present: GameState, seat: int, move: Move) -> tuple[Event, ...]:
    """Return what a move causes, with the end of the match if it is the last one."""
    events = game.decide(present, seat, move, state.chance)
    for event in events:
        present = game.evolve(present, event)
    if not game.is_over(present):
        return events
    standing = game.standing(present)
    ranking = ranked(standing, state.seats)
    return *events, MatchFinished(ranking, standing.totals, standing.stalled)

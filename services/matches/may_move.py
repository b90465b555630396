"""Checks before a move is decided: whose hand it is, and which version it is based on."""

from domain.errors import NotAsked, Refused
from domain.match.evolve import may_move_since
from domain.match.fold import Position
from domain.match.state import Match
from services.errors import StaleVersion


def require_own_play(state: Match, seat: int) -> None:
    """Refuse a person's move for a seat that a bot plays: nobody shares a hand.

    Raises:
        Refused: The person has resigned, or has not taken the seat back yet.
    """
    if not 0 <= seat < len(state.seats) or not state.seats[seat].stand_in:
        return
    if state.seats[seat].resigned:
        raise Refused("seat.resigned", "a resignation is final", seat=seat)
    raise Refused("seat.bot_plays", "stand-ins", seat=seat)


def check_if_match(position: Position, seat: int, if_match: int | None) -> None:
    """Check the version that a move is based on.

    It holds if it is no older than the version at which the seat was asked: unrelated events since then do not matter.
    For a seat that may move unasked, it holds if it is no older than the seat's own last move: others' secret choices
    do not matter either. Any other seat learns that the match has moved on, if it has.

    Raises:
        StaleVersion: It does not hold.
        NotAsked: The seat is not asked, and its version is the present one.
    """
    state = position.state
    if if_match is None or not 0 <= seat < len(state.asked_at):
        return
    asked_at = state.asked_at[seat]
    if if_match > position.version or (asked_at and if_match < asked_at):
        raise StaleVersion(if_match, position.version)
    may_move = 0 if asked_at else may_move_since(state, seat)
    if may_move:
        if if_match < may_move:
            raise StaleVersion(if_match, position.version)
        return
    if not asked_at and state.lifecycle.phase == "playing":
        if if_match < position.version:
            raise StaleVersion(if_match, position.version)
        raise NotAsked(seat, tuple(number for number, at in enumerate(state.asked_at) if at))

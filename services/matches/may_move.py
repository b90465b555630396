"""Whether a move may be decided at all: whose hand it is, and on which version it was based."""

from domain.errors import NotAsked, Refused
from domain.match.evolve import may_move_since
from domain.match.fold import Position
from domain.match.state import Match
from services.errors import StaleVersion


def require_own_play(state: Match, seat: int) -> None:
    """Refuse a person's move for a seat that a bot plays: two would play one hand.

    Raises:
        Refused: The person has given up, or has not taken the seat back yet.
    """
    if not 0 <= seat < len(state.seats) or not state.seats[seat].stand_in:
        return
    if state.seats[seat].resigned:
        raise Refused("seat.resigned", "a resignation is final", seat=seat)
    raise Refused("seat.bot_plays", "stand-ins", seat=seat)


def check_if_match(position: Position, seat: int, if_match: int | None) -> None:
    """Check the version that a move was based on.

    It holds while it is not older than the version at which the seat was asked: an unrelated event in between does
    not throw the mover back. For a seat that may move unasked, it holds since the seat's own last move: others' secret
    choices do not throw it back either. Any other seat is told that the match has moved on, if it has.

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

"""Deciding what operators do to a match. Each act is an event with a reason that everybody at the table can read."""

from domain.errors import Refused
from domain.match.commands import (
    Context,
    EndMatch,
    HandSeatOver,
    HandSeatToBot,
    ReissueSeat,
    UnsealLog,
    VoidMatch,
)
from domain.match.decide_ends import hand_to_bot
from domain.match.decide_play import playing
from domain.match.decide_table import require_created, require_seat
from domain.match.events import LogUnsealed, MatchAbandoned, MatchFinished, OperatorActed
from domain.match.ranking import ranked
from domain.match.state import Match
from domain.sealing import Event

LONGEST_REASON = 200

BY_OPERATOR = "operator"
"""The reason recorded when an operator voids a match; the operator's own words are in the event before it."""


def unseal(state: Match, command: UnsealLog, _: Context) -> tuple[Event, ...]:
    """Record that an operator looks at what is sealed."""
    require_created(state)
    return (LogUnsealed(_reason(command.reason), command.fork),)


def end(state: Match, command: EndMatch, _: Context) -> tuple[Event, ...]:
    """End a match with its present ranking, marked as one that could not go on."""
    game, present = playing(state)
    standing = game.standing(present)
    finished = MatchFinished(ranked(standing, state.seats), standing.totals, stalled=True)
    return OperatorActed("end", _reason(command.reason)), finished


def void(state: Match, command: VoidMatch, _: Context) -> tuple[Event, ...]:
    """End a match without a result."""
    require_created(state)
    return OperatorActed("void", _reason(command.reason)), MatchAbandoned(BY_OPERATOR)


def hand_over(state: Match, command: HandSeatOver, context: Context) -> tuple[Event, ...]:
    """Let a bot play for an absent person."""
    handed = hand_to_bot(state, HandSeatToBot(command.seat, command.level), context)
    return OperatorActed("hand_over", _reason(command.reason)), *handed


def reissue(state: Match, command: ReissueSeat, _: Context) -> tuple[Event, ...]:
    """Record that somebody is let back on the seat that they have lost. The seat stays whose it is in the log."""
    require_created(state)
    reason, seat = _reason(command.reason), command.seat
    if seat is None:
        return (OperatorActed("reissue_host", reason),)
    require_seat(state, seat)
    if state.seats[seat].kind != "person":
        raise Refused("seat.empty", "only people lose a seat", seat=seat)
    return (OperatorActed("reissue", reason, seat),)


def is_reason(given: str) -> bool:
    """Tell whether a text can stand as an operator's reason: a short line."""
    reason = given.strip()
    return 0 < len(reason) <= LONGEST_REASON and reason.isprintable()


def _reason(given: str) -> str:
    """Return a reason, stripped of surrounding white space.

    Raises:
        Refused: It is empty, or not a short line of text.
    """
    if not is_reason(given):
        raise Refused("reason.missing", "operators give a reason", longest=LONGEST_REASON)
    return given.strip()

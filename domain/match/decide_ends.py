"""Deciding departures: bots that stand in, resignations, ends without a result."""

from domain.errors import Refused
from domain.match.commands import AbandonMatch, Context, HandSeatToBot, ReclaimSeat, ResignSeat
from domain.match.decide_play import playing
from domain.match.decide_table import require_created, require_seat
from domain.match.events import (
    MatchAbandoned,
    MatchFinished,
    SeatHandedToBot,
    SeatReclaimed,
    SeatResigned,
)
from domain.match.evolve import evolve_plain
from domain.match.levels import KNOWN, LEVELS, STAND_IN
from domain.match.ranking import ranked
from domain.match.state import Match, Seat
from domain.sealing import Event

WINS_SINCE = 2
"""The number of the table's rules since which the last person wins when all others have resigned."""


def hand_to_bot(state: Match, command: HandSeatToBot, _: Context) -> tuple[Event, ...]:
    """Let a bot play for a person."""
    seat = _person(state, command.seat)
    if seat.stand_in:
        raise Refused("seat.bot_plays_already", "stand-ins", seat=command.seat)
    if command.level and command.level not in KNOWN:
        raise Refused("bot.unknown_level", "bots", level=command.level, known=LEVELS)
    return (SeatHandedToBot(command.seat, command.level or STAND_IN),)


def reclaim(state: Match, command: ReclaimSeat, _: Context) -> tuple[Event, ...]:
    """Give a person their seat back. Whoever resigned cannot come back."""
    seat = _person(state, command.seat)
    if seat.resigned:
        raise Refused("seat.resigned", "a resignation is final", seat=command.seat)
    if not seat.stand_in:
        raise Refused("seat.no_bot_plays", "stand-ins", seat=command.seat)
    return (SeatReclaimed(command.seat),)


def resign(state: Match, command: ResignSeat, _: Context) -> tuple[Event, ...]:
    """Give up a seat: a bot plays on. When nobody is left, or one person among people alone, the match ends."""
    game, present = playing(state)
    if _person(state, command.seat).resigned:
        raise Refused("seat.resigned", "a resignation is final", seat=command.seat)
    gone = SeatResigned(command.seat, STAND_IN)
    seats = evolve_plain(state, gone).seats
    people = [seat for seat in seats if seat.kind == "person" and not seat.resigned]
    terms = state.terms
    # The last one is not made to play on against stand-ins alone, nor to resign second. With bots at the table there
    # is somebody to play with.
    alone = len(people) == 1 and all(seat.kind == "person" for seat in seats)
    if people and not (alone and terms is not None and terms.table >= WINS_SINCE):
        return (gone,)
    standing = game.standing(present)
    return gone, MatchFinished(ranked(standing, seats), standing.totals)


def abandon(state: Match, command: AbandonMatch, _: Context) -> tuple[Event, ...]:
    """End the match without a result."""
    require_created(state)
    return (MatchAbandoned(command.reason),)


def _person(state: Match, number: int) -> Seat:
    playing(state)
    require_seat(state, number)
    seat = state.seats[number]
    if seat.kind != "person":
        raise Refused("seat.empty", "only people hand over, reclaim or resign a seat", seat=number)
    return seat

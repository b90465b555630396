"""Deciding who takes over a seat in play: somebody from outside asks, and the people at the table must agree.

Whoever resigned has no say. Everybody else has one, also who holds the seat; as with all requests, the silence of those
who are away agrees after a while.
"""

from typing import Final

from domain.errors import Refused
from domain.match.commands import AskForSeat, Context, WithdrawAsking
from domain.match.decide_play import playing
from domain.match.decide_table import require_seat
from domain.match.decide_undo import requested
from domain.match.events import RequestLapsed, SeatGiven
from domain.match.say import REPLACE, asked_people
from domain.match.state import Match, Request
from domain.sealing import Event

MOST_ASKED: Final = 20
"""How often outsiders may ask for seats of one match: asking must not fill its log."""


def ask_for_seat(state: Match, command: AskForSeat, context: Context) -> tuple[Event, ...]:
    """Ask the people at the table for the seat of one of them."""
    playing(state)
    require_seat(state, command.seat)
    if state.seats[command.seat].kind != "person":
        raise Refused("seat.empty", "only people's seats are taken over", seat=command.seat)
    for number, seat in enumerate(state.seats):
        if seat.player == command.player:
            raise Refused("player.already_seated", "one seat for each player", seat=number)
    if any(request.kind == REPLACE for request in state.requests):
        raise Refused("request.already_made", "requests", seat=command.seat)
    if state.asked_for >= MOST_ASKED:
        raise Refused("seat.asked_too_often", "taking over a seat", most=MOST_ASKED)
    if not asked_people(state, None):
        raise Refused("seat.nobody_to_ask", "taking over a seat", seat=command.seat)
    return (requested(state, context, REPLACE, command.seat, command.request, player=command.player),)


def withdraw_asking(state: Match, command: WithdrawAsking, _: Context) -> tuple[Event, ...]:
    """Ask for a seat no longer."""
    playing(state)
    for request in state.requests:
        if request.kind == REPLACE and request.player == command.player:
            return (RequestLapsed(request.id, "withdrawn"),)
    raise Refused("seat.not_asked", "taking over a seat")


def given(request: Request) -> SeatGiven:
    """Return that a seat has another holder."""
    return SeatGiven(request.seat, request.player)

"""What a match waits for: lists and notices read the same of a position."""

from domain.instants import instant_from_milliseconds, milliseconds_of
from domain.match.clock import ClockTerms
from domain.match.commands import (
    AskToEnd,
    BeReady,
    CreateMatch,
    HandSeatToBot,
    SeatPlan,
    StartMatch,
    TakeSeat,
)
from domain.match.say import due_at
from services.notices.occasions import standing
from services.projections.owed import owed_of
from tests.kit.table import SEED, Table


def table_of(clock: ClockTerms) -> Table:
    table = Table()
    table.when(CreateMatch("odin", {}, (SeatPlan(),) * 2, "host", SEED, clock, start="host"))
    for seat in range(2):
        table.when(TakeSeat(f"player-{seat}", seat)).when(BeReady(seat))
    return table.when(StartMatch())


def test_whose_answer_is_waited_for_has_as_long_in_lists_as_in_notices():
    table = table_of(ClockTerms(60))
    (seat,) = table.to_act
    table.when(HandSeatToBot(seat)).when(AskToEnd(1 - seat, "k1"))
    (request,) = table.state.requests
    (owed,) = (one for one in owed_of(table.position) if one.what == "answer")
    (told,) = (one for one in standing(table.position) if one.name.kind == "answer")
    # Who is away is asked for the time of a turn only: then their silence agrees.
    assert (owed.seat, told.name.player) == (seat, f"player-{seat}")
    assert instant_from_milliseconds(owed.until or 0) == told.deadline == due_at(table.state, request)


def test_whose_move_is_waited_for_has_as_long_in_lists_as_in_notices():
    table = table_of(ClockTerms(60))
    (owed,), (told,) = owed_of(table.position), standing(table.position)
    assert (owed.what, told.name.kind) == ("move", "turn")
    assert owed.until == milliseconds_of(told.deadline)

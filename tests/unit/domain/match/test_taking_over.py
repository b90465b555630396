"""A person from outside takes over a seat in play, if the table agrees."""

import pytest

from domain.instants import after
from domain.match.commands import (
    AnswerRequest,
    AskForSeat,
    AskToEnd,
    HandSeatToBot,
    LapseRequest,
    ResignSeat,
    UndoMove,
    WithdrawAsking,
    WithdrawRequest,
)
from domain.match.decide_replacing import MOST_ASKED
from domain.match.due import due_of
from domain.match.events import RequestAnswered, RequestLapsed, RequestMade, SeatGiven
from domain.match.say import due_at
from domain.match.verification import verify
from services.audit.knowledge import who_knew
from tests.kit.games import every_game
from tests.kit.table import Table, started

ASK = AskForSeat("dora", 1, "r1")


def asked(table: Table | None = None) -> Table:
    table = (table or started("lama", 3)).when(ASK)
    assert table.refusal is None, table.refusal
    return table


def taken_over(table: Table) -> Table:
    table.when(ASK)
    for seat, held in enumerate(table.state.seats):
        if held.kind == "person" and not held.resigned:
            table.when(AnswerRequest(seat, "r1", agree=True))
    assert table.state.seats[1].player == "dora", table.refusal
    return table


def is_good(table: Table) -> bool:
    verdict = verify("m1", table.entries, complete=True, rules=True)
    assert verdict.good, verdict
    return True


@every_game
def test_all_people_agree_and_the_seat_has_another_holder(game):
    table = started(game, 3)
    before = table.present
    table.when(ASK).then_types(RequestMade)
    table.when(AnswerRequest(0, "r1", agree=True)).when(AnswerRequest(1, "r1", agree=True))
    table.when(AnswerRequest(2, "r1", agree=True))
    table.then(RequestAnswered("r1", 2, True), RequestLapsed("r1", "agreed"), SeatGiven(1, "dora"))
    assert table.state.seats[1].former == ("player-1",)
    assert table.present == before
    table.move(table.to_act[0])
    assert table.state.seats[1].player == "dora"
    assert is_good(table)


def test_one_refusal_ends_it():
    table = asked().when(AnswerRequest(1, "r1", agree=False))
    table.then(RequestAnswered("r1", 1, False), RequestLapsed("r1", "refused"))
    assert table.state.seats[1].player == "player-1"


def test_who_has_resigned_is_not_asked_and_their_resignation_counts_no_more():
    table = taken_over(started("lama", 4).when(ResignSeat(1)))
    seat = table.state.seats[1]
    assert (seat.resigned, seat.stand_in, seat.level) == (0, False, "")
    assert is_good(table)


def test_the_silence_of_who_is_away_agrees_after_a_while():
    table = asked(started("lama", 3, per_turn=86_400).when(HandSeatToBot(1)))
    for seat in (0, 2):
        table.when(AnswerRequest(seat, "r1", agree=True))
    (request,) = table.state.requests
    table.now = due_at(table.state, request)
    table.when(LapseRequest("r1")).then(RequestLapsed("r1", "silent"), SeatGiven(1, "dora"))
    assert table.state.seats[1].stand_in is False
    assert is_good(table)


def test_whoever_takes_over_a_seat_that_is_asked_has_time():
    table = started("lama", 3, per_turn=3600)
    seat = table.to_act[0]
    table.when(HandSeatToBot(seat)).when(AskForSeat("dora", seat, "r1"))
    for number in range(3):
        table.when(AnswerRequest(number, "r1", agree=True))
    assert table.state.seats[seat].player == "dora"
    assert due_of(table.position) is not None
    table.move(seat)
    assert is_good(table)


def test_what_else_was_asked_lapses():
    table = started("lama", 3).when(AskToEnd(0, "e1"))
    taken_over(table)
    assert RequestLapsed("e1", "moved") in table.happened
    assert table.state.requests == ()


def test_nobody_withdraws_it_for_who_asked():
    asked().when(WithdrawRequest(1, "r1")).refused("request.not_yours")


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (AskForSeat("player-0", 1, "r1"), "player.already_seated"),
        (AskForSeat("dora", 2, "r1"), "seat.empty"),
        (AskForSeat("dora", 9, "r1"), "seat.unknown"),
    ],
)
def test_is_refused_for(command, code):
    started("lama", 3, bots=1).when(command).refused(code)


def test_one_at_a_time_and_not_without_end():
    table = asked().when(AskForSeat("emil", 0, "r2")).refused("request.already_made")
    for number in range(MOST_ASKED):
        table.when(AnswerRequest(0, f"r{number + 1}" if number else "r1", agree=False))
        table.move(table.to_act[0]) if number % 5 == 4 else None
        if table.state.lifecycle.phase != "playing":
            return
        table.when(AskForSeat("emil", 1, f"r{number + 2}"))
    table.refused("seat.asked_too_often", most=MOST_ASKED)


def test_who_asks_may_take_that_back_and_nobody_else_may():
    table = started("lama", 2)
    table.when(WithdrawAsking("dora")).refused("seat.not_asked")
    table.when(ASK).when(WithdrawAsking("emil")).refused("seat.not_asked")
    table.when(WithdrawAsking("dora")).then(RequestLapsed("r1", "withdrawn"))
    assert is_good(table)
    assert table.state.requests == ()
    table.when(AnswerRequest(0, "r1", agree=True)).refused("request.unknown")


def test_it_is_no_way_into_a_match_that_has_not_begun():
    from tests.kit.table import gathered

    gathered("lama", 2).when(ASK).refused("match.not_started")


def test_the_newcomer_may_take_back_only_as_the_seat_might():
    table = taken_over(started("lama", 3, undo="free"))
    table.when(UndoMove(1, "u1")).refused("undo.nothing")


class TestWhoKnewACard:
    def test_tells_former_holders_apart(self):
        table = started("lama", 3)
        version, hand = table.position.version, table.present.hands[1]  # type: ignore[attr-defined]
        taken_over(table)
        given = table.position.version
        rows = who_knew("m1", table.entries, str(hand[0]), given)
        mine = [row for row in rows if row.seats.get(1) == given]
        assert mine
        assert all(row.former[1] == {"player-1": version} for row in mine)
        before = who_knew("m1", table.entries, str(hand[0]), given - 1)
        assert all(not row.former for row in before)

    def test_tells_only_the_newcomer_of_later_cards(self):
        table = taken_over(started("lama", 3))
        known = {
            (row.card, player)
            for card in range(1, 7)
            for row in who_knew("m1", table.entries, str(card), table.position.version)
            for player in row.former.get(1, {})
        }
        table.now = after(table.now, 1)
        for _ in range(9):
            if table.to_act:
                seat = table.to_act[0]
                draw = next((m for m in table.legal(seat) if type(m).__name__ == "Draw"), None)
                table.move(seat, draw)
        later = {
            (row.card, player)
            for card in range(1, 7)
            for row in who_knew("m1", table.entries, str(card), table.position.version)
            for player in row.former.get(1, {})
        }
        assert later <= known

"""What needs the consent of the other people: taking back more than is free, and ending the match."""

from domain.games.odin.moves import Pass
from domain.match.commands import (
    AbandonMatch,
    AnswerRequest,
    AskToEnd,
    HandSeatToBot,
    LapseRequest,
    ResignSeat,
    UndoMove,
    WithdrawRequest,
)
from domain.match.events import (
    MatchAbandoned,
    MoveUndone,
    RequestAnswered,
    RequestLapsed,
    RequestMade,
    SeatResigned,
)
from domain.match.say import REQUEST_SECONDS
from tests.kit.instants import NOON, at
from tests.kit.table import Table, started


def asked_to_end(seats: int = 3, bots: int = 0) -> Table:
    return started("odin", seats, bots=bots).when(AskToEnd(0, "k1"))


def asked_to_undo() -> tuple[Table, int]:
    """Return a table at which the leader wants his lead back, though the next one has passed on it."""
    table = started("odin", 3, undo="consent")
    leader = table.to_act[0]
    table.move(leader).move((leader + 1) % 3, Pass())
    return table.when(UndoMove(leader, "k1")), leader


class TestAsking:
    def test_to_end_the_match(self):
        asked_to_end().then(RequestMade("k1", "end", 0, at(REQUEST_SECONDS), made=NOON))

    def test_to_take_a_turn_back(self):
        table, leader = asked_to_undo()
        version = table.position.version - 3
        table.then(RequestMade("k1", "undo", leader, at(REQUEST_SECONDS), version, made=NOON))

    def test_it_counts_the_cards_that_the_asker_has_seen_since(self):
        table = started("odin", 3, undo="consent")
        first = table.to_act[0]
        version = table.position.version
        table.move(first).move(table.to_act[0])
        table.when(UndoMove(first, "k1"))
        # The card that the next seat played; what the first seat played, it knew.
        table.then(RequestMade("k1", "undo", first, at(REQUEST_SECONDS), version, known=1, made=NOON))

    def test_twice_for_the_same(self):
        asked_to_end().when(AskToEnd(1, "k2")).refused("request.already_made")
        table, leader = asked_to_undo()
        table.when(UndoMove(leader, "k2")).refused("request.already_made")

    def test_among_bots_alone_is_granted_at_once(self):
        asked_to_end(bots=2).then(MatchAbandoned("agreed"))

    def test_before_the_start(self):
        Table().when(AskToEnd(0, "k1")).refused("match.not_started")

    def test_for_a_seat_that_is_not_there(self):
        started("odin", 2).when(AskToEnd(2, "k1")).refused("seat.unknown")

    def test_after_resigning_is_too_late(self):
        table = started("odin", 3).when(ResignSeat(0)).when(HandSeatToBot(1)).when(HandSeatToBot(2))
        table.when(AskToEnd(0, "k1")).refused("seat.resigned", seat=0)
        table.when(UndoMove(0, "k1")).refused("seat.resigned", seat=0)


class TestAnswering:
    def test_one_agreement_of_two_is_not_enough(self):
        table = (
            asked_to_end().when(AnswerRequest(1, "k1", agree=True)).then(RequestAnswered("k1", 1, agree=True))
        )
        assert table.state.requests[0].agreed == (1,)

    def test_the_last_agreement_carries_it_out(self):
        table = asked_to_end().when(AnswerRequest(1, "k1", agree=True))
        table.when(AnswerRequest(2, "k1", agree=True))
        table.then(
            RequestAnswered("k1", 2, agree=True), RequestLapsed("k1", "agreed"), MatchAbandoned("agreed")
        )

    def test_an_undo_is_carried_out_too(self):
        table, leader = asked_to_undo()
        version = table.position.version - 3
        for seat in ((leader + 1) % 3, (leader + 2) % 3):
            table.when(AnswerRequest(seat, "k1", agree=True))
        assert table.happened[-1] == MoveUndone(version, leader)
        assert table.to_act == (leader,)
        assert table.state.requests == ()

    def test_one_refusal_ends_it(self):
        table = asked_to_end().when(AnswerRequest(2, "k1", agree=False))
        table.then(RequestAnswered("k1", 2, agree=False), RequestLapsed("k1", "refused"))
        assert table.state.requests == ()

    def test_is_for_the_others_once(self):
        table = asked_to_end()
        table.when(AnswerRequest(0, "k1", agree=True)).refused("request.not_asked", seat=0)
        table.when(AnswerRequest(1, "k1", agree=True)).when(AnswerRequest(1, "k1", agree=True))
        table.refused("request.already_answered", seat=1)

    def test_is_not_for_bots(self):
        table = asked_to_end(bots=1)
        table.when(AnswerRequest(2, "k1", agree=False)).refused("request.not_asked", seat=2)
        table.when(AnswerRequest(1, "k1", agree=True))
        assert table.state.lifecycle.phase == "abandoned"

    def test_a_request_that_does_not_exist(self):
        asked_to_end().when(AnswerRequest(1, "k9", agree=True)).refused("request.unknown", id="k9")


class TestLapsing:
    def test_by_the_one_who_asked(self):
        table = asked_to_end()
        table.when(WithdrawRequest(1, "k1")).refused("request.not_yours")
        table.when(WithdrawRequest(0, "k1")).then(RequestLapsed("k1", "withdrawn"))

    def test_when_its_time_is_over(self):
        table = asked_to_end()
        table.now = at(REQUEST_SECONDS - 0.001)
        table.when(LapseRequest("k1")).refused("request.still_open")
        table.now = at(REQUEST_SECONDS)
        table.when(LapseRequest("k1")).then(RequestLapsed("k1", "expired"))
        table.when(LapseRequest("k1")).refused("request.unknown")

    def test_of_a_turn_when_somebody_plays_on(self):
        table, leader = asked_to_undo()
        table.move((leader + 2) % 3, Pass())
        assert table.happened[-1] == RequestLapsed("k1", "moved")
        assert table.state.requests == ()

    def test_not_of_the_end_when_somebody_plays_on(self):
        table = asked_to_end()
        table.move(table.to_act[0])
        assert [request.id for request in table.state.requests] == ["k1"]

    def test_when_those_who_are_asked_change(self):
        table = asked_to_end().when(ResignSeat(1))
        assert table.happened[-1] == RequestLapsed("k1", "moved")

    def test_not_because_a_bot_plays_for_somebody_who_still_has_their_say(self):
        table = asked_to_end().when(HandSeatToBot(1))
        assert [request.id for request in table.state.requests] == ["k1"]

    def test_when_the_match_ends(self):
        table = asked_to_end().when(AbandonMatch("tired"))
        table.then(RequestLapsed("k1", "ended"), MatchAbandoned("tired"))

    def test_when_the_last_person_goes(self):
        table = asked_to_end(seats=3).when(ResignSeat(1))
        assert table.happened[:2] == (SeatResigned(1, "steady"), RequestLapsed("k1", "moved"))
        table = asked_to_end(seats=2).when(ResignSeat(0))
        assert table.state.lifecycle.phase == "finished"

    def test_in_the_same_command_as_what_made_it_lapse(self):
        table, leader = asked_to_undo()
        before = table.position.version
        table.move((leader + 2) % 3, Pass())
        assert len({envelope.command for envelope in table.envelopes[before:]}) == 1


def test_a_request_gives_no_time():
    table = started("odin", 3, per_turn=60)
    (seat,) = table.to_act
    table.now = at(50)
    table.when(AskToEnd(seat, "k1"))
    assert table.state.clock.deadline_of(seat) == at(60)

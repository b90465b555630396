"""Between making the table and the first deal: sitting down, being ready, leaving, starting."""

import pytest

from domain.match.commands import (
    AbandonMatch,
    BeReady,
    CreateMatch,
    LeaveSeat,
    SeatPlan,
    StartMatch,
    TakeSeat,
)
from domain.match.events import MatchCreated, MatchStarted, SeatLeft, SeatReady, SeatTaken
from domain.match.state import EVENTS_LIMIT, GATHERING_LIMIT, Seat, Terms
from domain.match.verification import verify
from tests.kit.games import every_game
from tests.kit.table import SEED, Table, gathered, nonce_hash_of, nonce_of, started


def opened(seats: int = 3, bots: int = 0) -> Table:
    table = Table()
    taken = [SeatTaken(seat, f"bot-{seat}", "bot", "steady") for seat in range(seats - bots, seats)]
    return table.given(MatchCreated(Terms("lama", 1, {}, seats, "host"), SEED), *taken)


class TestSitting:
    def test_on_the_seat_that_one_asks_for(self):
        opened().when(TakeSeat("ann", 2)).then(SeatTaken(2, "ann", "person"))

    def test_on_the_first_free_seat_without_asking(self):
        table = opened().given(SeatTaken(0, "ann", "person"))
        table.when(TakeSeat("ben")).then(SeatTaken(1, "ben", "person"))

    def test_with_the_hash_of_a_nonce(self):
        table = opened().when(TakeSeat("ann", 0, "ab" * 32))
        table.then(SeatTaken(0, "ann", "person", nonce_hash="ab" * 32))
        assert table.state.seats[0] == Seat("ann", "person", nonce_hash="ab" * 32)

    def test_is_refused_where_somebody_sits(self):
        table = opened(3, bots=1).given(SeatTaken(0, "ann", "person"))
        table.when(TakeSeat("ben", 0)).refused("seat.taken", seat=0, free=(1,))
        table.when(TakeSeat("ben", 2)).refused("seat.taken", seat=2, free=(1,))

    def test_is_refused_twice_for_the_same_player(self):
        table = opened().given(SeatTaken(0, "ann", "person"))
        table.when(TakeSeat("ann")).refused("player.already_seated", seat=0)
        table.when(TakeSeat("ann", 1)).refused("player.already_seated", seat=0)

    def test_is_refused_when_the_table_is_full(self):
        table = opened(2, bots=1).given(SeatTaken(0, "ann", "person"))
        table.when(TakeSeat("ben")).refused("seat.none_free")

    @pytest.mark.parametrize("seat", [-1, 3, 99])
    def test_is_refused_on_a_seat_that_the_table_does_not_have(self, seat):
        opened().when(TakeSeat("ann", seat)).refused("seat.unknown", seat=seat, seats=3)

    def test_is_refused_before_the_table_is_made(self):
        Table().when(TakeSeat("ann")).refused("match.unknown")

    def test_is_refused_after_the_start(self):
        started("lama", 2).when(TakeSeat("ann")).refused("match.already_started")


def much_visited(seats: int = 2, visits: int = GATHERING_LIMIT // 2) -> Table:
    """Return a table at which somebody keeps sitting down and leaving; its log was written before that had a limit."""
    table = opened(seats)
    for number in range(visits):
        table.given(SeatTaken(0, f"p{number}", "person")).given(SeatLeft(0))
    return table


class TestComingAndGoing:
    def test_ends_long_before_the_log_is_full(self):
        table = opened(2)
        comings = 0
        while table.refusal is None:
            table.when(TakeSeat(f"p{comings}", 0))
            if table.refusal is None:
                comings += 1
                table.when(LeaveSeat(0))
        table.refused("seats.closed", limit=GATHERING_LIMIT)
        assert GATHERING_LIMIT <= len(table.entries) < EVENTS_LIMIT / 50

    def test_leaves_those_who_sit_to_play(self):
        table = much_visited(visits=GATHERING_LIMIT // 2 - 2)
        table.when(TakeSeat("ann", 0)).when(TakeSeat("ben", 1))
        table.when(BeReady(0)).when(BeReady(1)).when(LeaveSeat(1))
        table.when(TakeSeat("ben", 1)).refused("seats.closed")

        table = much_visited(visits=GATHERING_LIMIT // 2 - 2)
        table.when(TakeSeat("ann", 0)).when(TakeSeat("ben", 1)).when(BeReady(0)).when(BeReady(1))
        table.when(StartMatch())
        assert table.state.lifecycle.phase == "playing"

    def test_is_first_told_what_else_is_wrong(self):
        much_visited().when(TakeSeat("ann", 9)).refused("seat.unknown")

    def test_leaves_the_host_to_end_the_table(self):
        assert much_visited().when(AbandonMatch("nobody comes")).state.lifecycle.phase == "abandoned"

    def test_of_logs_that_grew_before_the_limit_is_by_the_rules(self):
        table = much_visited(visits=2 * GATHERING_LIMIT)
        verdict = verify("m1", table.entries, complete=True, rules=True)
        assert verdict.good
        assert verdict.commands == 4 * GATHERING_LIMIT + 1


class TestBeingReady:
    def test_without_a_nonce(self):
        table = opened().given(SeatTaken(0, "ann", "person"))
        table.when(BeReady(0)).then(SeatReady(0))
        assert table.state.seats[0].ready

    def test_with_the_nonce_that_was_announced(self):
        table = opened().given(SeatTaken(1, "ann", "person", nonce_hash=nonce_hash_of(1)))
        table.when(BeReady(1, nonce_of(1))).then(SeatReady(1, nonce_of(1)))
        assert table.state.entropy.nonces == ("", nonce_of(1), "")

    def test_with_another_nonce_than_the_announced_one(self):
        table = opened().given(SeatTaken(1, "ann", "person", nonce_hash=nonce_hash_of(1)))
        table.when(BeReady(1, nonce_of(0))).refused("nonce.mismatch", seat=1)

    def test_without_the_nonce_that_was_announced(self):
        table = opened().given(SeatTaken(1, "ann", "person", nonce_hash=nonce_hash_of(1)))
        table.when(BeReady(1)).refused("nonce.required", seat=1)

    def test_with_a_nonce_that_nobody_announced(self):
        table = opened().given(SeatTaken(1, "ann", "person"))
        table.when(BeReady(1, "a late thought")).refused("nonce.not_announced", seat=1)

    def test_twice(self):
        table = opened().given(SeatTaken(0, "ann", "person")).given(SeatReady(0))
        table.when(BeReady(0)).refused("seat.already_ready", seat=0)

    def test_on_a_free_seat_or_for_a_bot(self):
        opened().when(BeReady(0)).refused("seat.empty", seat=0)
        opened(2, bots=1).when(BeReady(1)).refused("seat.empty", seat=1)

    def test_on_a_seat_that_the_table_does_not_have(self):
        opened().when(BeReady(3)).refused("seat.unknown", seat=3)

    def test_after_the_start(self):
        started("lama", 2).when(BeReady(0)).refused("match.already_started")


class TestLeaving:
    def test_frees_the_seat_and_takes_the_nonce_along(self):
        table = opened().given(SeatTaken(1, "ann", "person", nonce_hash=nonce_hash_of(1)))
        table.given(SeatReady(1, nonce_of(1)))
        table.when(LeaveSeat(1)).then(SeatLeft(1))
        assert table.state.seats[1] == Seat()
        assert table.state.entropy.nonces == ("", "", "")

    def test_and_sitting_down_again_elsewhere(self):
        table = opened().given(SeatTaken(1, "ann", "person")).given(SeatLeft(1))
        table.when(TakeSeat("ann", 0)).then(SeatTaken(0, "ann", "person"))

    def test_is_refused_for_a_free_seat_or_a_bot(self):
        opened().when(LeaveSeat(0)).refused("seat.empty", seat=0)
        opened(2, bots=1).when(LeaveSeat(1)).refused("seat.empty", seat=1)

    def test_is_refused_on_a_seat_that_the_table_does_not_have(self):
        opened().when(LeaveSeat(-1)).refused("seat.unknown", seat=-1)

    def test_is_refused_after_the_start(self):
        started("lama", 2).when(LeaveSeat(0)).refused("match.already_started")


class TestStarting:
    @every_game
    def test_deals_the_cards_once_everybody_is_ready(self, game):
        table = gathered(game, game.seats[0]).when(StartMatch())
        assert table.happened[0] == MatchStarted()
        assert all(type(event) in game.event_types for event in table.happened[1:])
        assert table.happened[1:]
        assert table.state.lifecycle.phase == "playing"
        assert table.to_act

    def test_is_refused_while_seats_are_free(self):
        table = opened().given(SeatTaken(1, "ann", "person"))
        table.when(StartMatch()).refused("match.seats_open", seats=(0, 2))

    def test_is_refused_while_somebody_is_not_ready(self):
        table = opened(3, bots=1)
        table.given(SeatTaken(0, "ann", "person")).given(SeatTaken(1, "ben", "person")).given(SeatReady(1))
        table.when(StartMatch()).refused("match.not_ready", seats=(0,))

    def test_needs_no_person_at_all(self):
        bots = (SeatPlan("steady"),) * 2
        table = Table().when(CreateMatch("lama", {}, bots, "host", SEED)).when(StartMatch())
        assert table.refusal is None

    def test_is_refused_twice(self):
        started("lama", 2).when(StartMatch()).refused("match.already_started")

    @every_game
    def test_deals_what_seed_and_nonces_say_and_nothing_else(self, game):
        def deal(**how):
            return started(game, 2, **how).present

        assert deal() == deal()
        assert deal() != deal(seed="00" * 32)
        assert deal() != deal(nonces=True)

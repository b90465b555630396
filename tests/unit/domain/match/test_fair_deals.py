"""Nobody chooses their nonce last, the match says whose there were, and idling has a limit."""

from dataclasses import dataclass

from domain.match.commands import (
    AnnounceNonce,
    BeReady,
    HandSeatToBot,
    LeaveSeat,
    ReclaimSeat,
    ResignSeat,
    StartMatch,
    TakeSeat,
)
from domain.match.events import (
    MatchCreated,
    MatchStarted,
    NonceAnnounced,
    ReadinessVoided,
    SeatLeft,
    SeatReady,
    SeatTaken,
)
from domain.match.state import IDLE_LIMIT, TABLE_RULES, Terms
from domain.match.verification import verify
from tests.kit.games import every_game
from tests.kit.table import SEED, Table, gathered, nonce_hash_of, nonce_of, started


def shown(seats: int = 3) -> Table:
    """Return a table at which all sit with a nonce, and all have shown it."""
    return gathered("odin", seats, nonces=True)


class TestAChangeOfSeatsAfterANonceWasShown:
    def test_voids_what_was_shown_and_the_readiness_of_its_holders(self):
        table = shown().when(LeaveSeat(2))
        table.then(SeatLeft(2), ReadinessVoided((0, 1)))
        assert not any(seat.ready or seat.nonce or seat.nonce_hash for seat in table.state.seats)
        assert table.state.entropy.nonces == ("", "", "")

    def test_by_a_newcomer_keeps_the_newcomers_own(self):
        table = shown().when(LeaveSeat(2)).when(AnnounceNonce(0, nonce_hash_of(5)))
        table.when(BeReady(0, nonce_of(5))).when(TakeSeat("cleo", 2, nonce_hash_of(8)))
        table.then(SeatTaken(2, "cleo", "person", nonce_hash=nonce_hash_of(8)), ReadinessVoided((0,)))
        table.when(BeReady(2, nonce_of(8))).then(SeatReady(2, nonce_of(8)))

    def test_leaves_nothing_of_the_old_nonces_in_the_deals(self):
        table = shown(2).when(LeaveSeat(1)).when(TakeSeat("ben", 1, nonce_hash_of(9)))
        table.when(AnnounceNonce(0, nonce_hash_of(7))).then(NonceAnnounced(0, nonce_hash_of(7)))
        table.when(BeReady(0, nonce_of(7))).when(BeReady(1, nonce_of(9))).when(StartMatch())
        assert table.state.entropy.nonces == (nonce_of(7), nonce_of(9))
        assert table.happened[0] == MatchStarted((0, 1))
        verdict = verify("m1", table.entries, complete=True, rules=True)
        assert verdict.good, verdict
        assert verdict.deals

    def test_is_nothing_while_no_nonce_was_shown(self):
        table = gathered("odin", 2).when(LeaveSeat(1)).then(SeatLeft(1))
        assert table.state.seats[0].ready

    def test_voided_nothing_under_the_first_rules_of_the_table(self):
        table = Table().given(MatchCreated(Terms("odin", 1, {}, 2, "host"), SEED))
        table.when(TakeSeat("ann", 0, nonce_hash_of(0))).when(BeReady(0, nonce_of(0)))
        table.when(TakeSeat("ben", 1))
        table.then(SeatTaken(1, "ben", "person"))


class TestAnnouncingAgain:
    def test_comes_too_late_once_somebody_has_shown_theirs(self):
        table = shown().when(LeaveSeat(2)).when(AnnounceNonce(0, nonce_hash_of(5)))
        table.when(BeReady(0, nonce_of(5)))
        table.when(AnnounceNonce(1, nonce_hash_of(6))).refused("nonce.too_late", seat=1)
        table.when(BeReady(1)).then(SeatReady(1))

    def test_is_for_people_who_are_not_ready_and_have_announced_none(self):
        table = gathered("odin", 3, bots=1)
        table.when(AnnounceNonce(0, nonce_hash_of(0))).refused("seat.already_ready", seat=0)
        table.when(AnnounceNonce(2, nonce_hash_of(0))).refused("seat.empty", seat=2)
        once = shown().when(LeaveSeat(2)).when(AnnounceNonce(0, nonce_hash_of(5)))
        once.when(AnnounceNonce(0, nonce_hash_of(6))).refused("nonce.already_announced", seat=0)
        started("odin", 2).when(AnnounceNonce(0, nonce_hash_of(0))).refused("match.already_started")


def test_the_match_says_whose_entropy_its_deals_have():
    table = Table().when(gathered("odin", 2).accepted[0].command)
    table.when(TakeSeat("ann", 0, nonce_hash_of(0))).when(TakeSeat("ben", 1))
    table.when(BeReady(0, nonce_of(0))).when(BeReady(1)).when(StartMatch())
    assert table.happened[0] == MatchStarted((0,))
    assert started("odin", 2).state.terms.table == TABLE_RULES  # type: ignore[union-attr]


@dataclass
class Idler:
    """Does what does not move the game."""

    table: Table
    seat: int
    done: int = 0

    def go_on(self) -> None:
        while self.table.refusal is None:
            self.table.when(HandSeatToBot(self.seat))
            if self.table.refusal is None:
                self.table.when(ReclaimSeat(self.seat))
                self.done += 2


@every_game
def test_what_does_not_move_the_game_is_bounded_until_somebody_moves(game):
    table = started(game, 3)
    idler = Idler(table, 2)
    idler.go_on()
    table.refused("seat.idles", seat=2, limit=IDLE_LIMIT)
    assert idler.done <= IDLE_LIMIT
    # Others may do what they like, and there is always a way out.
    assert table.copy().when(HandSeatToBot(1)).refusal is None
    assert table.copy().when(ResignSeat(2)).refusal is None
    table.move(table.to_act[0])
    table.when(HandSeatToBot(2))
    assert table.refusal is None

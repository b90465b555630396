"""Nobody chooses their nonce last, the match says whose there were, and idling has a limit."""

from dataclasses import dataclass

from domain.games.registry import CURRENT
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
    NonceShown,
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


def under(rules: int, seats: int) -> Table:
    """Return a table under a number of the table's rules, with free seats."""
    terms = Terms("odin", CURRENT["odin"].rules_number, {}, seats, "host", table=rules)
    return Table().given(MatchCreated(terms, SEED))


class TestAChangeOfSeatsAfterANonceWasShown:
    def test_voids_what_was_shown(self):
        table = shown().when(LeaveSeat(2))
        table.then(SeatLeft(2), ReadinessVoided((0, 1), still_ready=True))
        assert not any(seat.nonce or seat.nonce_hash for seat in table.state.seats)
        assert table.state.entropy.nonces == ("", "", "")
        assert [seat.ready for seat in table.state.seats] == [True, True, False]

    def test_leaves_nothing_of_the_old_nonces_in_the_deals(self):
        table = shown(2).when(LeaveSeat(1)).when(TakeSeat("ben", 1, nonce_hash_of(9)))
        table.when(AnnounceNonce(0, nonce_hash_of(7))).then(NonceAnnounced(0, nonce_hash_of(7)))
        table.when(BeReady(0, nonce_of(7))).then(NonceShown(0, nonce_of(7)))
        table.when(BeReady(1, nonce_of(9))).when(StartMatch())
        assert table.state.entropy.nonces == (nonce_of(7), nonce_of(9))
        assert table.happened[0] == MatchStarted((0, 1))
        verdict = verify("m1", table.entries, complete=True, rules=True)
        assert verdict.good, verdict
        assert verdict.deals

    def test_is_nothing_while_no_nonce_was_shown(self):
        table = gathered("odin", 2).when(LeaveSeat(1)).then(SeatLeft(1))
        assert table.state.seats[0].ready

    def test_keeps_what_was_announced_and_not_shown(self):
        table = gathered("odin", 3, nonces=True, ahead=True).when(BeReady(0, nonce_of(0))).when(LeaveSeat(2))
        table.then(SeatLeft(2), ReadinessVoided((0,), still_ready=True))
        assert table.state.seats[1].nonce_hash == nonce_hash_of(1)

    def test_voided_nothing_under_the_first_rules_of_the_table(self):
        table = under(1, 2)
        table.when(TakeSeat("ann", 0, nonce_hash_of(0))).when(BeReady(0, nonce_of(0)))
        table.when(TakeSeat("ben", 1))
        table.then(SeatTaken(1, "ben", "person"))


class TestUnderTheSecondRulesOfTheTable:
    def test_a_change_of_seats_voids_readiness_too(self):
        table = under(2, 3)
        for seat in range(3):
            table.when(TakeSeat(f"player-{seat}", seat, nonce_hash_of(seat)))
        for seat in range(3):
            table.when(BeReady(seat, nonce_of(seat)))
        table.when(LeaveSeat(2)).then(SeatLeft(2), ReadinessVoided((0, 1)))
        assert not any(seat.ready or seat.nonce or seat.nonce_hash for seat in table.state.seats)

    def test_a_newcomer_voids_what_was_shown_too_early(self):
        table = under(2, 2).when(TakeSeat("ann", 0, nonce_hash_of(5))).when(BeReady(0, nonce_of(5)))
        table.when(TakeSeat("cleo", 1, nonce_hash_of(8)))
        table.then(SeatTaken(1, "cleo", "person", nonce_hash=nonce_hash_of(8)), ReadinessVoided((0,)))
        table.when(BeReady(1, nonce_of(8))).then(SeatReady(1, nonce_of(8)))

    def test_nobody_is_ready_without_the_nonce_that_they_announced_or_on_sitting_down(self):
        table = under(2, 2).when(TakeSeat("ann", 0, nonce_hash_of(5)))
        table.when(BeReady(0)).refused("nonce.required", seat=0)
        table.when(TakeSeat("ben", 1, ready=True)).refused("ready.not_ahead", seat=1)
        table.when(BeReady(0, nonce_of(5))).when(AnnounceNonce(0, nonce_hash_of(6)))
        table.refused("seat.already_ready", seat=0)


class TestAnnouncingAgain:
    def test_comes_too_late_once_somebody_has_shown_theirs(self):
        table = shown().when(LeaveSeat(2)).when(AnnounceNonce(0, nonce_hash_of(5)))
        table.when(TakeSeat("cleo", 2)).when(BeReady(0, nonce_of(5)))
        table.when(AnnounceNonce(1, nonce_hash_of(6))).refused("nonce.too_late", seat=1)
        table.when(BeReady(1)).refused("seat.already_ready", seat=1)

    def test_is_for_people_who_have_announced_none(self):
        table = gathered("odin", 3, bots=1)
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

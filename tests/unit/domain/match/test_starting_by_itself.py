"""A table begins by itself when everybody is ready; who is away is dealt without their nonce."""

import hashlib

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.instants import after
from domain.match.clock import NOT_ASKED, ClockTerms
from domain.match.commands import (
    AbandonMatch,
    AnnounceNonce,
    BeReady,
    Command,
    CreateMatch,
    LeaveSeat,
    SeatPlan,
    StartMatch,
    TakeSeat,
)
from domain.match.decide_gathering import NONCES_SECONDS
from domain.match.due import begins_at, due_of
from domain.match.events import (
    MatchStarted,
    NonceAnnounced,
    NoncesAwaited,
    NonceShown,
    SeatLeft,
    SeatReady,
    SeatTaken,
)
from domain.match.verification import verify
from domain.sealing import Event
from tests.kit.games import every_game
from tests.kit.instants import NOON
from tests.kit.table import SEED, Table, gathered, nonce_hash_of, nonce_of

UNTIL = after(NOON, NONCES_SECONDS)


def opened(seats: int = 2, start: str = "ready", bots: int = 0, per_turn: int = 0) -> Table:
    plans = (SeatPlan(),) * (seats - bots) + (SeatPlan("steady"),) * bots
    return Table().when(CreateMatch("odin", {}, plans, "host", SEED, ClockTerms(per_turn), start=start))


def is_good(table: Table) -> bool:
    verdict = verify("m1", table.entries, complete=True, rules=True)
    assert verdict.good, verdict
    return verdict.deals > 0


class TestTheLastOneWhoIsReady:
    @every_game
    def test_begins_the_match(self, game):
        table = gathered(game, game.seats[0], start="ready")
        assert table.happened[0] == SeatReady(game.seats[0] - 1)
        assert table.happened[1] == MatchStarted()
        assert table.to_act
        assert is_good(table)

    def test_may_be_so_with_sitting_down(self):
        table = opened().when(TakeSeat("ann", 0, ready=True))
        table.then(SeatTaken(0, "ann", "person"), SeatReady(0))
        table.when(TakeSeat("ben", 1, ready=True))
        assert table.happened[:3] == (SeatTaken(1, "ben", "person"), SeatReady(1), MatchStarted())
        assert is_good(table)

    def test_has_a_whole_turn_of_time_though_they_only_just_sat_down(self):
        table = opened(per_turn=60).when(TakeSeat("ann", 0, ready=True)).when(TakeSeat("ben", 1, ready=True))
        (mover,) = table.to_act
        assert table.state.clock.deadline_of(mover) == after(NOON, 60)

    def test_is_nobody_where_only_bots_sit(self):
        table = opened(2, bots=2)
        assert table.state.lifecycle.phase == "playing"
        assert is_good(table)

    def test_leaves_the_start_to_the_host_where_the_table_chose_so(self):
        table = opened(start="host").when(TakeSeat("ann", 0, ready=True)).when(TakeSeat("ben", 1, ready=True))
        assert table.state.lifecycle.phase == "gathering"
        assert table.when(StartMatch()).state.lifecycle.phase == "playing"

    def test_is_not_asked_how_else_a_match_may_begin(self):
        opened(start="never").refused("start.unknown", known=("ready", "host"))


class TestNoncesThatWereAnnounced:
    def test_are_awaited_for_a_while_once_everybody_is_ready(self):
        table = gathered("odin", 2, nonces=True, start="ready", ahead=True)
        assert table.happened[-1] == NoncesAwaited(UNTIL)
        assert table.state.lifecycle.phase == "gathering"
        assert due_of(table.position) is not None
        table.when(StartMatch()).refused("match.nonces_awaited", seats=(0, 1), until=UNTIL)

    def test_begin_the_match_once_all_are_shown(self):
        table = gathered("odin", 2, nonces=True, start="ready", ahead=True)
        table.when(BeReady(1, nonce_of(1))).then(NonceShown(1, nonce_of(1)))
        table.when(BeReady(0, nonce_of(0)))
        assert table.happened[:2] == (NonceShown(0, nonce_of(0)), MatchStarted((0, 1)))
        assert table.state.entropy.nonces == (nonce_of(0), nonce_of(1))
        assert is_good(table)

    def test_are_left_out_if_they_are_not_shown_in_time_and_the_match_says_so(self):
        table = gathered("odin", 3, nonces=True, start="ready", ahead=True)
        table.when(BeReady(1, nonce_of(1)))
        table.now = UNTIL
        table.when(StartMatch())
        assert table.happened[0] == MatchStarted((1,), without=(0, 2))
        assert table.state.entropy.nonces == ("", nonce_of(1), "")
        assert is_good(table)

    def test_are_left_out_where_the_host_starts_only_after_the_same_time(self):
        table = gathered("odin", 2, nonces=True, ahead=True)
        assert begins_at(table.state) == NOT_ASKED
        table.when(StartMatch()).refused("match.nonces_awaited")
        table.now = UNTIL
        table.when(StartMatch())
        assert table.happened[0] == MatchStarted(without=(0, 1))

    def test_count_though_they_come_late_as_long_as_the_cards_are_not_dealt(self):
        table = gathered("odin", 2, nonces=True, ahead=True)
        table.now = after(UNTIL, 9)
        table.when(BeReady(0, nonce_of(0))).then(NonceShown(0, nonce_of(0)))

    def test_are_no_longer_awaited_when_somebody_leaves_and_anew_when_somebody_comes(self):
        table = gathered("odin", 2, nonces=True, start="ready", ahead=True)
        table.now = after(NOON, 50)
        table.when(LeaveSeat(1)).then(SeatLeft(1))
        assert begins_at(table.state) == NOT_ASKED
        table.when(TakeSeat("cleo", 1, ready=True))
        assert table.happened[-1] == NoncesAwaited(after(NOON, 50 + NONCES_SECONDS))

    def test_of_an_ended_table_are_not_awaited(self):
        table = gathered("odin", 2, nonces=True, start="ready", ahead=True).when(AbandonMatch("host"))
        assert due_of(table.position) is None


class TestShowingANonce:
    def test_is_refused_while_a_seat_is_free(self):
        table = opened().when(TakeSeat("ann", 0, nonce_hash_of(0)))
        table.when(BeReady(0, nonce_of(0))).refused("nonce.too_early", seat=0, free=(1,))
        table.when(BeReady(0)).then(SeatReady(0))
        table.when(BeReady(0, nonce_of(0))).refused("nonce.too_early", seat=0)

    def test_is_refused_with_another_one_or_twice(self):
        table = gathered("odin", 2, nonces=True, ahead=True)
        table.when(BeReady(0, nonce_of(1))).refused("nonce.mismatch", seat=0)
        table.when(BeReady(0, nonce_of(0))).when(BeReady(0, nonce_of(0))).refused(
            "seat.already_ready", seat=0
        )

    def test_that_was_never_announced_is_refused(self):
        table = gathered("odin", 2, ahead=True)
        table.when(BeReady(0, nonce_of(0))).refused("seat.already_ready", seat=0)


def test_a_log_ahead_of_the_clock_is_decided_by_its_own_time():
    table = gathered("odin", 2, nonces=True, ahead=True)
    table.now = after(NOON, 3600)
    table.when(AbandonMatch("host"))
    late = gathered("odin", 2, nonces=True, start="ready", ahead=True)
    late.now = after(UNTIL, 5)
    late.when(BeReady(0, nonce_of(0)))
    assert late.happened[1] == MatchStarted((0,), without=(1,))
    assert is_good(late)


def test_a_recorded_start_without_the_wait_is_not_by_the_rules():
    table = gathered("odin", 2, nonces=True, ahead=True)
    table.given(MatchStarted(without=(0, 1)))
    verdict = verify("m1", table.entries, complete=True, rules=True)
    assert verdict.code == "rules.differs"


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["sit", "sit ready", "leave", "ready", "show", "announce", "start", "wait"]),
        st.integers(0, 2),
        st.integers(0, 3),
    ),
    max_size=40,
)


def hashed(nonce: str) -> str:
    return hashlib.sha256(nonce.encode()).hexdigest()


class Visitors:
    """People who come, go, promise, show and wait, as somebody tells them to, at a table of three."""

    def __init__(self, start: str) -> None:
        self.table = opened(3, start)
        self.said: dict[int, str] = {}
        self.promised_at: dict[int, int] = {}
        self.shown_at: dict[int, int] = {}

    def step(self, what: str, seat: int, word: int) -> None:
        if what == "wait":
            self.table.now = after(self.table.now, 45)
            return
        nonce, version = f"word {seat} {word}", self.table.position.version
        promise = hashed(nonce) if word else ""
        commands: dict[str, Command] = {
            "sit": TakeSeat(f"p{version}", seat, promise),
            "sit ready": TakeSeat(f"p{version}", seat, promise, ready=True),
            "leave": LeaveSeat(seat),
            "ready": BeReady(seat),
            "show": BeReady(seat, self.said.get(seat, nonce)),
            "announce": AnnounceNonce(seat, hashed(nonce)),
            "start": StartMatch(),
        }
        self.table.when(commands[what])
        if self.table.refusal is None:
            for event in self.table.happened:
                self._note(event, nonce, version)

    def _note(self, event: Event, nonce: str, version: int) -> None:
        if isinstance(event, SeatTaken | NonceAnnounced):
            self.promised_at[event.seat], self.said[event.seat] = version, nonce
        elif isinstance(event, SeatReady | NonceShown) and event.nonce:
            self.shown_at[event.seat] = version
        elif isinstance(event, MatchStarted):
            counted = event.entropy_of
            assert all(self.table.state.entropy.nonces[number] for number in counted)
            first = min((self.shown_at[number] for number in counted), default=0)
            assert all(self.promised_at[number] < first for number in counted)
            assert not set(counted) & set(event.without)


@given(STEPS, st.sampled_from(["ready", "host"]))
@settings(max_examples=100, deadline=None)
def test_no_nonce_that_counts_was_chosen_after_another_that_counts_was_shown(steps, start):
    """Whatever people do: each nonce in the deal was promised before the first of them was shown."""
    visitors = Visitors(start)
    for step in steps:
        visitors.step(*step)
    verdict = verify("m1", visitors.table.entries, complete=True, rules=True)
    assert verdict.good, verdict

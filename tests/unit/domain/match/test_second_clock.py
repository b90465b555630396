"""What is left of everybody's time is what a second model says, to the millisecond, whatever has happened."""

from random import Random

import pytest

from domain.instants import after, seconds_between
from domain.match.clock import ClockTerms
from domain.match.clock_events import ClockRested, ClockResumed, TimeGiven
from domain.match.commands import (
    AnswerRequest,
    AskToEnd,
    AskToPause,
    AskToResume,
    BeReady,
    Command,
    CreateMatch,
    CreditOutage,
    Fork,
    GiveTime,
    HandSeatToBot,
    LapseRequest,
    PlayMove,
    ReclaimSeat,
    RedoMove,
    ResignSeat,
    SeatPlan,
    StartMatch,
    TakeSeat,
    TimeOut,
    UndoMove,
)
from domain.match.decide_table import UNDO_POLICIES
from domain.match.due import deadlines_of
from domain.match.events import MoveRedone, MoveUndone
from domain.match.fold import beginning, fold
from tests.kit.games import every_game
from tests.kit.instants import NOON
from tests.kit.options import player_counts
from tests.kit.second_clock import SecondClock
from tests.kit.table import SEED, Table

SECONDS = (0, 0, 1, 2, 5, 9, 11, 30)


class Two:
    """A table, and the second model that follows what happens at it."""

    def __init__(self, table: Table, terms: ClockTerms, random: Random) -> None:
        self.table, self.random = table, random
        self.second = SecondClock(terms.per_turn, terms.bank)
        self._pauses: list[tuple[int, int]] = []

    @property
    def now(self) -> int:
        return self.seconds_of(self.table.now)

    @staticmethod
    def seconds_of(instant: str) -> int:
        return round(seconds_between(NOON, instant))  # type: ignore[arg-type]

    def do(self, command: Command) -> bool:
        """Let the match decide a command; if it accepts, the second model follows. Then compare."""
        table = self.table
        before = table.state
        self.second.pass_to(self.now)
        table.when(command)
        if table.refusal is None:
            self._follow(before.game, getattr(command, "seat", None))
        self.compare()
        return table.refusal is None

    def _follow(self, before: object, mover: int | None) -> None:
        table, step = self.table, None
        for event in table.happened:
            if isinstance(event, MoveUndone | MoveRedone):
                step = event
            elif isinstance(event, ClockRested):
                interval = self.seconds_of(event.begins), self.seconds_of(event.ends)
                self.second.rest(*interval)
                self._pauses += [interval] if event.why == "pause" else []
            elif isinstance(event, ClockResumed):
                self.second.resume(self.seconds_of(event.at), self._pauses)
            elif isinstance(event, TimeGiven):
                self.second.give(event.to, event.seconds)
        if step is not None:
            self.second.step(step.to)
            if isinstance(step, MoveUndone) and step.given:
                self.second.give_in(step.seat, step.given)
        elif table.state.game is not None and table.state.game is not before:
            self.second.move(table.position.version, table.state.game, mover, table.to_act)

    def compare(self) -> None:
        """Compare what is left now, and that a deadline is the first instant at which nothing is."""
        clock = self.table.state.clock
        for seat in self.table.to_act:
            assert clock.left(seat, self.table.now) == self.second.left(seat) * 1000, seat
        for seat, deadline in deadlines_of(self.table.state).items():
            assert clock.left(seat, deadline) == 0
            left = clock.left(seat, after(deadline, -0.001))
            assert (
                left == 1
                or deadline <= self.table.now
                or clock.runs(seat, after(deadline, -0.001), deadline) == 0
            )

    def go_on(self) -> None:
        """Do something, whatever it is."""
        table, random = self.table, self.random
        table.now = after(table.now, random.choice(SECONDS))
        seats = range(len(table.state.seats))
        seat, other = random.choice(seats), random.choice(seats)
        name = f"r{table.position.version}"
        move = random.choice(table.to_act)
        legal = table.legal(move)
        commands = (
            *(PlayMove(move, legal[0] if random.random() < 0.5 else random.choice(legal)),) * 6,
            *(UndoMove(table.state.past.seat or seat if table.state.past else seat, name),) * 4,
            *(RedoMove(table.state.undone.seat or seat if table.state.undone else seat),) * 3,
            UndoMove(seat, name),
            RedoMove(seat),
            HandSeatToBot(seat),
            ReclaimSeat(seat),
            GiveTime(seat, other, random.choice((1, 5, 20))),
            AskToEnd(seat, name),
            AskToPause(seat, random.choice((60, 90)), name),
            AskToResume(seat, name),
            CreditOutage(
                after(table.now, -random.choice((1, 20, 40))), after(table.now, -random.choice((0, 3)))
            ),
            *(TimeOut(one) for one in table.to_act),
            *(
                AnswerRequest(one, request.id, request.kind != "end")
                for request in table.state.requests
                for one in seats
            ),
            *(LapseRequest(request.id) for request in table.state.requests),
            *((ResignSeat(seat),) if random.random() < 0.05 else ()),
        )
        self.do(random.choice(commands))


def begun(game, seed: int, fork: Fork | None = None) -> Two:
    random = Random(seed)
    seats = len(game.standing(fork.game).totals) if fork else random.choice(player_counts(game))
    bots = random.choice((0, 0, 1)) if seats > 2 else 0
    terms = ClockTerms(
        random.choice((10, 20, 60)),
        random.choice((0, 0, 7, 100)),
        random.choice(("turn", "stand_in", "forfeit")),
        random.choice((1, 2, 3)),
    )
    table = Table(f"m{seed}")
    table.when(
        CreateMatch(
            game.key,
            {} if fork is None else fork.options,
            (SeatPlan(),) * (seats - bots) + (SeatPlan("steady"),) * bots,
            "host",
            SEED,
            terms,
            random.choice(UNDO_POLICIES[1:]),
            rules=game.rules_number,
            fork=fork,
        )
    )
    for seat in range(seats - bots):
        table.when(TakeSeat(f"player-{seat}", seat)).when(BeReady(seat))
    two = Two(table, terms, random)
    assert two.do(StartMatch())
    return two


@every_game
@pytest.mark.parametrize("seed", range(12))
def test_random_histories_leave_everybody_the_time_that_the_second_model_leaves_them(game, seed):
    two = begun(game, seed)
    for _ in range(120):
        if two.table.state.lifecycle.phase != "playing":
            break
        two.go_on()


@every_game
def test_forks_begin_with_the_time_of_a_turn_and_go_on_alike(game):
    parent = begun(game, 5)
    for _ in range(10):
        parent.do(PlayMove(parent.table.to_act[0], parent.table.legal(parent.table.to_act[0])[0]))
    state = parent.table.state
    assert state.terms is not None
    fork = Fork(
        "parent",
        game.key,
        parent.table.position.version,
        parent.table.position.head.hex(),
        game.rules_number,
        state.terms.options,
        parent.table.present,
        state.entropy,
        same_cards=True,
    )
    two = begun(game, 6, fork)
    for _ in range(60):
        if two.table.state.lifecycle.phase != "playing":
            break
        two.go_on()


@every_game
@pytest.mark.parametrize("seed", range(3))
def test_a_log_that_is_read_again_gives_the_same_time(game, seed):
    two = begun(game, 100 + seed)
    for _ in range(60):
        if two.table.state.lifecycle.phase != "playing":
            break
        two.go_on()
    table = two.table
    again = fold(beginning(table.position.match), table.entries)
    assert again.state.clock == table.state.clock
    assert again.state.seats == table.state.seats

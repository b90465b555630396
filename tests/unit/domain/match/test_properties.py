"""Whatever people, bots and clocks do, and in whatever order: what must always hold does."""

from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as some
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from domain.match.commands import AbandonMatch
from domain.match.decide_table import UNDO_POLICIES
from tests.kit.games import EVERY_GAME
from tests.kit.invariants import Watch
from tests.kit.options import choices, player_counts
from tests.kit.play import Player
from tests.kit.table import Table, started

MOST_MOVES = 4000
"""More than any match of the three games has needed when nobody thinks."""


class AMatch(RuleBasedStateMachine):
    """One match of some game at a table of some kind; every step is a command or a row of them."""

    table: Table
    player: Player
    watch: Watch

    @initialize(choose=some.randoms(use_true_random=False))
    def begin(self, choose):
        game = choose.choice(EVERY_GAME)
        seats = choose.choice(player_counts(game))
        self.table = started(
            game,
            seats,
            bots=choose.randrange(seats),
            options=choose.choice(choices(game, seats)),
            nonces=choose.random() < 0.5,
            per_turn=choose.choice((0, 60)),
            seed=f"{choose.getrandbits(256):064x}",
            undo=choose.choice(UNDO_POLICIES),
        )
        self.player = Player(self.table, Random(choose.getrandbits(32)))
        self.watch = Watch(self.table)

    def is_on(self) -> bool:
        return self.player.is_on

    @precondition(is_on)
    @rule(moves=some.integers(1, 25))
    def anybody_moves(self, moves):
        for _ in range(moves):
            if self.player.is_on:
                self.player.random_move()
                self.watch.look()

    @precondition(is_on)
    @rule(moves=some.integers(1, 10))
    def a_bot_moves(self, moves):
        for _ in range(moves):
            if self.player.is_on:
                self.player.bot_move()
                self.watch.look()

    @precondition(is_on)
    @rule()
    def somebody_tries_any_move(self):
        self.player.any_move()

    @precondition(is_on)
    @rule()
    def a_clock_runs_out(self):
        self.player.time_out()

    @rule()
    def time_passes(self):
        self.player.wait()

    @precondition(is_on)
    @rule()
    def somebody_goes_or_comes_back(self):
        self.player.leave()

    @precondition(is_on)
    @rule()
    def somebody_takes_a_turn_back(self):
        self.player.undo()

    @precondition(is_on)
    @rule()
    def somebody_steps_forward_again(self):
        self.player.redo()

    @precondition(is_on)
    @rule()
    def somebody_asks_or_answers(self):
        self.player.ask()

    @precondition(lambda self: not self.player.is_on)
    @rule()
    def nothing_happens_any_more(self):
        before = self.table.position
        self.table.when(AbandonMatch("late")).refused("match.over")
        assert self.table.position is before

    def check_invariants(self, *args, **kwargs):
        super().check_invariants(*args, **kwargs)
        if hasattr(self, "watch"):
            self.watch.look()

    def teardown(self):
        if not hasattr(self, "watch"):
            return
        for _ in range(MOST_MOVES):
            if not self.player.is_on:
                break
            self.player.fallback_move()
            self.watch.look()
        assert self.table.state.lifecycle.phase in {"finished", "abandoned"}
        self.watch.finish()


TestAMatch = AMatch.TestCase
TestAMatch.settings = settings(
    max_examples=20,
    stateful_step_count=20,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)

"""L.A.M.A. behind the contract of all games, which documents the methods."""

# ruff: noqa: D102 - documented in the contract

from typing import ClassVar, get_args

from msgspec.structs import replace

from domain.chance import Chance
from domain.games.contract import USUAL, Allowance, Game, PhysicalCard
from domain.games.lama import bot
from domain.games.lama.cards import CARDS
from domain.games.lama.events import LamaEvent
from domain.games.lama.evolve import evolve
from domain.games.lama.legal import LamaLegal, expand, fallback, legal_moves, to_act
from domain.games.lama.moments import QUESTIONS, moments
from domain.games.lama.move_recovery import recover_move
from domain.games.lama.moves import LamaMove
from domain.games.lama.options import FEWEST_SEATS, MOST_SEATS, LamaOptions
from domain.games.lama.plans import PLAN_TYPES, planned
from domain.games.lama.refusals import first_not_a_seat, seats_out_of_range
from domain.games.lama.rules import decide, start
from domain.games.lama.rulings import RULINGS, Rulings
from domain.games.lama.sampling import sample
from domain.games.lama.scoring import standing
from domain.games.lama.state import LamaState, initial_state
from domain.games.lama.view import LamaView, knows, view
from domain.games.recorded_chance import CardName
from domain.games.redealing import relaid
from domain.games.searching import Worth
from domain.viewers import seat_viewer


class Lama(Game[LamaState, LamaEvent, LamaMove, LamaOptions, LamaView, LamaLegal]):
    """L.A.M.A. by Reiner Knizia, rules number 1."""

    key: ClassVar[str] = "lama"
    rules_number: ClassVar[int] = 1
    rulings: ClassVar[Rulings] = RULINGS[1]
    seats: ClassVar[tuple[int, int]] = (FEWEST_SEATS, MOST_SEATS)
    cards: ClassVar[tuple[CardName, ...]] = CARDS
    options_type = LamaOptions
    state_type = LamaState
    view_type = LamaView
    legal_type = LamaLegal
    move_types: tuple[type[LamaMove], ...] = get_args(LamaMove)
    event_types: tuple[type[LamaEvent], ...] = get_args(LamaEvent)

    start = staticmethod(start)
    evolve = staticmethod(evolve)
    to_act = staticmethod(to_act)
    legal_moves = staticmethod(legal_moves)
    expand = staticmethod(expand)
    view = staticmethod(view)
    knows = staticmethod(knows)
    standing = staticmethod(standing)
    fallback = staticmethod(fallback)
    recover_move = staticmethod(recover_move)
    plan_types = PLAN_TYPES
    planned = staticmethod(planned)
    questions = QUESTIONS
    moments = staticmethod(moments)

    def initial(self, options: LamaOptions, seats: int) -> LamaState:
        fewest, most = self.seats
        if not fewest <= seats <= most:
            raise seats_out_of_range(seats, fewest, most)
        if options.first != "random" and options.first >= seats:
            raise first_not_a_seat(options.first, seats)
        return initial_state(options, seats)

    def decide(self, state: LamaState, seat: int, move: LamaMove, chance: Chance) -> tuple[LamaEvent, ...]:
        return decide(state, seat, move, chance, self.rulings)

    def round_of(self, state: LamaState) -> int:
        return state.round

    def name_of(self, state: LamaState, card: PhysicalCard) -> CardName:
        return state.order[card[1]]

    def is_over(self, state: LamaState) -> bool:
        return state.over

    def sample(self, view: LamaView, seat: int, chance: Chance) -> LamaState:  # noqa: ARG002 - the view says it
        return sample(view, chance)

    def choose(
        self, view: LamaView, legal: LamaLegal, seat: int, chance: Chance, allowance: Allowance = USUAL
    ) -> LamaMove:
        return bot.choose(view, legal, seat, chance, allowance)

    def consider(
        self,
        view: LamaView,
        legal: LamaLegal,
        seat: int,
        chance: Chance,
        allowance: Allowance,
        also: LamaMove | None = None,
    ) -> tuple[Worth[LamaMove], ...]:
        return bot.consider(view, legal, seat, chance, allowance, also)

    def redeal(self, state: LamaState, seat: int, chance: Chance) -> LamaState:
        known = {place for _, place in knows(state, seat_viewer(seat))}
        unknown = [place for place in range(len(state.order)) if place not in known]
        return replace(state, order=relaid(state.order, unknown, CARDS, chance))


class LamaSecond(Lama):
    """L.A.M.A. under rules number 2: the last seat in a round quits by itself when it cannot play."""

    rules_number: ClassVar[int] = 2
    rulings: ClassVar[Rulings] = RULINGS[2]

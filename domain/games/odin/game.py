"""Odin behind the contract of all games, which documents the methods."""

# ruff: noqa: D102 - documented in the contract

from typing import ClassVar

from msgspec.structs import replace

from domain.chance import Chance
from domain.games.contract import USUAL, Allowance, Game, PhysicalCard
from domain.games.odin import bot, dealing, rules, scoring
from domain.games.odin.cards import CARDS
from domain.games.odin.events import (
    CardsPlayed,
    FirstPlayerDrawn,
    OdinEvent,
    Passed,
    RoundEnded,
    RoundStarted,
    TrickEnded,
)
from domain.games.odin.evolve import evolve
from domain.games.odin.legal import OdinLegalMoves, expand, fallback, legal_moves
from domain.games.odin.moments import QUESTIONS, moments
from domain.games.odin.move_recovery import recover_move
from domain.games.odin.moves import OdinMove, Pass, Play
from domain.games.odin.options import OdinOptions
from domain.games.odin.plans import PLAN_TYPES, plan_lasts, plan_made, planned
from domain.games.odin.rulings import RULINGS
from domain.games.odin.state import OdinState
from domain.games.odin.view import OdinView, knows, sample, view
from domain.games.recorded_chance import CardName
from domain.games.redealing import relaid
from domain.games.searching import Worth
from domain.viewers import seat_viewer


class Odin(Game[OdinState, OdinEvent, OdinMove, OdinOptions, OdinView, OdinLegalMoves]):
    """Odin under rules number 1."""

    key: ClassVar[str] = "odin"
    rules_number: ClassVar[int] = 1
    rulings = RULINGS[1]
    seats: ClassVar[tuple[int, int]] = (RULINGS[1].fewest_seats, RULINGS[1].most_seats)
    cards: ClassVar[tuple[CardName, ...]] = CARDS
    options_type = OdinOptions
    state_type = OdinState
    view_type = OdinView
    legal_type = OdinLegalMoves
    move_types = (Play, Pass)
    event_types = (FirstPlayerDrawn, RoundStarted, CardsPlayed, Passed, TrickEnded, RoundEnded)

    evolve = staticmethod(evolve)
    expand = staticmethod(expand)
    view = staticmethod(view)
    knows = staticmethod(knows)
    standing = staticmethod(scoring.standing)
    fallback = staticmethod(fallback)
    recover_move = staticmethod(recover_move)
    plan_types = PLAN_TYPES
    planned = staticmethod(planned)
    plan_made = staticmethod(plan_made)
    plan_lasts = staticmethod(plan_lasts)
    questions = QUESTIONS
    moments = staticmethod(moments)

    def initial(self, options: OdinOptions, seats: int) -> OdinState:
        return dealing.initial(self.rulings, options, seats)

    def start(self, state: OdinState, chance: Chance) -> tuple[OdinEvent, ...]:
        return dealing.start(self.rulings, state, chance)

    def decide(self, state: OdinState, seat: int, move: OdinMove, chance: Chance) -> tuple[OdinEvent, ...]:
        return rules.decide(self.rulings, state, seat, move, chance)

    def round_of(self, state: OdinState) -> int:
        return state.round

    def to_act(self, state: OdinState) -> tuple[int, ...]:
        return () if state.turn is None else (state.turn,)

    def legal_moves(self, state: OdinState, seat: int) -> OdinLegalMoves | None:
        return legal_moves(self.rulings, state, seat)

    def name_of(self, state: OdinState, card: PhysicalCard) -> CardName:
        return state.order[card[1]]

    def is_over(self, state: OdinState) -> bool:
        return state.over

    def sample(self, view: OdinView, seat: int, chance: Chance) -> OdinState:
        return sample(view, seat, chance)

    def redeal(self, state: OdinState, seat: int, chance: Chance) -> OdinState:
        known = {place for _, place in knows(state, seat_viewer(seat))}
        unknown = [place for place in range(len(state.order)) if place not in known]
        return replace(state, order=relaid(state.order, unknown, CARDS, chance))

    def choose(
        self, view: OdinView, legal: OdinLegalMoves, seat: int, chance: Chance, allowance: Allowance = USUAL
    ) -> OdinMove:
        return bot.choose(view, legal, seat, chance, allowance)

    def consider(
        self,
        view: OdinView,
        legal: OdinLegalMoves,
        seat: int,
        chance: Chance,
        allowance: Allowance,
        also: OdinMove | None = None,
    ) -> tuple[Worth[OdinMove], ...]:
        return bot.consider(view, legal, seat, chance, allowance, also)

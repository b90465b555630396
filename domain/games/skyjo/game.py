"""Skyjo behind the contract of all games, which documents the methods."""

# ruff: noqa: D102 - documented in the contract

from typing import ClassVar, get_args

from msgspec.structs import replace

from domain.chance import Chance
from domain.games.contract import USUAL, Allowance, Game
from domain.games.recorded_chance import CardName
from domain.games.redealing import relaid
from domain.games.searching import Worth
from domain.games.skyjo import bot
from domain.games.skyjo.cards import CARDS, FEWEST_SEATS, MOST_SEATS
from domain.games.skyjo.events import SkyjoEvent
from domain.games.skyjo.evolve import evolve
from domain.games.skyjo.legal import SkyjoLegal, expand, fallback, legal_moves
from domain.games.skyjo.moments import QUESTIONS, moments
from domain.games.skyjo.move_recovery import recover_move
from domain.games.skyjo.moves import SkyjoMove
from domain.games.skyjo.options import SkyjoOptions
from domain.games.skyjo.plans import PLAN_TYPES, plan_lasts, plan_made, planned
from domain.games.skyjo.refusals import seats_out_of_range
from domain.games.skyjo.rules import decide, start
from domain.games.skyjo.rulings import RULINGS, Rulings
from domain.games.skyjo.sampling import sample
from domain.games.skyjo.scoring import standing
from domain.games.skyjo.state import SkyjoState, is_mid_turn, name_of, to_act
from domain.games.skyjo.view import SkyjoView, knows, unknown_cards, view
from domain.viewers import Viewer, seat_viewer


class Skyjo(Game[SkyjoState, SkyjoEvent, SkyjoMove, SkyjoOptions, SkyjoView, SkyjoLegal]):
    """Skyjo by Alexander Bernhardt, rules number 1."""

    key: ClassVar[str] = "skyjo"
    rules_number: ClassVar[int] = 1
    rulings: ClassVar[Rulings] = RULINGS[1]
    seats: ClassVar[tuple[int, int]] = (FEWEST_SEATS, MOST_SEATS)
    cards: ClassVar[tuple[CardName, ...]] = CARDS
    options_type = SkyjoOptions
    state_type = SkyjoState
    view_type = SkyjoView
    legal_type = SkyjoLegal
    move_types: tuple[type[SkyjoMove], ...] = get_args(SkyjoMove)
    event_types: tuple[type[SkyjoEvent], ...] = get_args(SkyjoEvent)

    start = staticmethod(start)
    evolve = staticmethod(evolve)
    to_act = staticmethod(to_act)
    is_mid_turn = staticmethod(is_mid_turn)
    legal_moves = staticmethod(legal_moves)
    expand = staticmethod(expand)
    knows = staticmethod(knows)
    name_of = staticmethod(name_of)
    standing = staticmethod(standing)
    fallback = staticmethod(fallback)
    recover_move = staticmethod(recover_move)
    plan_types = PLAN_TYPES
    planned = staticmethod(planned)
    plan_made = staticmethod(plan_made)
    plan_lasts = staticmethod(plan_lasts)
    questions = QUESTIONS
    moments = staticmethod(moments)

    def initial(self, options: SkyjoOptions, seats: int) -> SkyjoState:
        fewest, most = self.seats
        if not fewest <= seats <= most:
            raise seats_out_of_range(seats, fewest, most)
        return SkyjoState(seats=seats, totals=(0,) * seats, limit=options.limit)

    def decide(self, state: SkyjoState, seat: int, move: SkyjoMove, chance: Chance) -> tuple[SkyjoEvent, ...]:
        return decide(state, seat, move, self.rulings, chance)

    def round_of(self, state: SkyjoState) -> int:
        return state.round

    def view(self, state: SkyjoState, viewer: Viewer) -> SkyjoView:
        return view(state, viewer, self.rulings)

    def is_over(self, state: SkyjoState) -> bool:
        return state.over

    def sample(
        self,
        view: SkyjoView,
        seat: int,  # noqa: ARG002 - the view says it
        chance: Chance,
    ) -> SkyjoState:
        return sample(view, self.rulings, chance)

    def redeal(self, state: SkyjoState, seat: int, chance: Chance) -> SkyjoState:
        return replace(
            state, dealt=relaid(state.dealt, unknown_cards(state, seat_viewer(seat)), CARDS, chance)
        )

    def choose(
        self, view: SkyjoView, legal: SkyjoLegal, seat: int, chance: Chance, allowance: Allowance = USUAL
    ) -> SkyjoMove:
        return bot.choose(view, legal, seat, chance, allowance)

    def consider(
        self,
        view: SkyjoView,
        legal: SkyjoLegal,
        seat: int,
        chance: Chance,
        allowance: Allowance,
        also: SkyjoMove | None = None,
    ) -> tuple[Worth[SkyjoMove], ...]:
        return bot.consider(view, legal, seat, chance, allowance, also)

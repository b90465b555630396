"""Alone at the Top behind the contract of all games, which documents the methods."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, get_args

from msgspec.structs import replace

from domain.chance import Chance
from domain.errors import Refused
from domain.games.contract import Game, PhysicalCard
from domain.games.recorded_chance import CardName
from domain.games.redealing import relaid
from domain.viewers import seat_viewer
from tests.games.alone import bot, rules
from tests.games.alone.cards import CARDS
from tests.games.alone.events import AloneEvent, CardLaid
from tests.games.alone.moves import AloneLegal, AloneOptions, Lay
from tests.games.alone.state import AloneState, evolve
from tests.games.alone.view import AloneView, knows, secrets, view


class Alone(Game[AloneState, AloneEvent, Lay, AloneOptions, AloneView, AloneLegal]):
    """Alone at the Top, rules number 1."""

    key: ClassVar[str] = "alone"
    rules_number: ClassVar[int] = 1
    seats: ClassVar[tuple[int, int]] = (2, 6)
    cards: ClassVar[tuple[CardName, ...]] = CARDS
    options_type = AloneOptions
    state_type = AloneState
    view_type = AloneView
    legal_type = AloneLegal
    move_types: tuple[type[Lay], ...] = (Lay,)
    event_types: tuple[type[AloneEvent], ...] = get_args(AloneEvent)

    start = staticmethod(rules.start)
    decide = staticmethod(rules.decide)
    evolve = staticmethod(evolve)
    to_act = staticmethod(rules.to_act)
    may_act = staticmethod(rules.may_act)
    legal_moves = staticmethod(rules.legal_moves)
    view = staticmethod(view)
    knows = staticmethod(knows)
    secrets = staticmethod(secrets)
    standing = staticmethod(rules.standing)
    fallback = staticmethod(rules.fallback)
    sample = staticmethod(bot.sample)
    choose = staticmethod(bot.choose)

    def initial(self, options: AloneOptions, seats: int) -> AloneState:
        fewest, most = self.seats
        if not fewest <= seats <= most:
            raise Refused("seats.number", "players", game=self.key, seats=seats, fewest=fewest, most=most)
        return AloneState(options, (0,) * seats)

    def round_of(self, state: AloneState) -> int:
        return state.round

    def expand(self, legal: AloneLegal) -> Iterator[Lay]:
        return map(Lay, legal.lay)

    def name_of(self, state: AloneState, card: PhysicalCard) -> CardName:
        return state.order[card[1]]

    def is_over(self, state: AloneState) -> bool:
        return state.over

    def redeal(self, state: AloneState, seat: int, chance: Chance) -> AloneState:
        known = {place for _, place in knows(state, seat_viewer(seat))}
        unknown = [place for place in range(len(state.order)) if place not in known]
        return replace(state, order=relaid(state.order, unknown, CARDS, chance))

    def recover_move(self, events: Sequence[AloneEvent]) -> tuple[int, Lay] | None:
        first = events[0]
        return (first.seat, Lay(first.card)) if isinstance(first, CardLaid) else None

"""Whole matches with moves from a random source, for tests that hold in every position."""

from collections.abc import Callable, Iterator
from random import Random

import msgspec
from hypothesis import strategies as st

from domain.chance import Chance
from domain.games.skyjo.events import SkyjoEvent
from domain.games.skyjo.moves import SkyjoMove
from domain.games.skyjo.options import Limit, SkyjoOptions
from domain.games.skyjo.state import SkyjoState
from tests.unit.domain.games.skyjo.arrange import GAME

SEEDS = st.integers(0, 2**64 - 1)

Player = Callable[[SkyjoState, int], SkyjoMove]


class Step(msgspec.Struct, frozen=True):
    """One event of a match with the states around it; ``asks`` tells whether its command ends with it."""

    before: SkyjoState
    event: SkyjoEvent
    after: SkyjoState
    asks: bool


def chance_of(seed: int) -> Chance:
    """Return the chance of a match."""
    return Chance(f"{seed:032x}")


def at_random(random: Random) -> Player:
    """Return a player who makes any legal move, each as likely as the others."""

    def choose(state: SkyjoState, seat: int) -> SkyjoMove:
        legal = GAME.legal_moves(state, seat)
        assert legal is not None, "a seat that is asked has a legal move"
        return random.choice(list(GAME.expand(legal)))

    return choose


def dawdling(random: Random) -> Player:
    """Return a player who hardly ever turns a card, so that piles run out and rounds stall."""
    anything = at_random(random)

    def choose(state: SkyjoState, seat: int) -> SkyjoMove:
        legal = GAME.legal_moves(state, seat)
        assert legal is not None
        visible = [move for move in GAME.expand(legal) if getattr(move, "slot", -1) not in state.hidden[seat]]
        return random.choice(visible) if visible and random.random() < 0.95 else anything(state, seat)

    return choose


def match(seats: int, limit: Limit, seed: int, player: Player, random: Random) -> Iterator[Step]:
    """Play a match to its end; seats that are asked at once move in a random order."""
    chance = chance_of(seed)
    state = GAME.initial(SkyjoOptions(limit=limit), seats)
    events = GAME.start(state, chance)
    while True:
        for number, event in enumerate(events, 1):
            before, state = state, GAME.evolve(state, event)
            yield Step(before, event, state, number == len(events))
        if GAME.is_over(state):
            return
        seat = random.choice(GAME.to_act(state))
        events = GAME.decide(state, seat, player(state, seat), chance)


@st.composite
def matches(draw: st.DrawFn) -> Iterator[Step]:
    """Draw a match of any number of seats and any option, played at random or by dawdlers."""
    # A seed, not moves: drawing each of a thousand moves would take longer than playing them.
    random = Random(draw(SEEDS))
    seats = draw(st.integers(2, 8))
    limit: Limit = draw(st.sampled_from((100, "single")))
    player = draw(st.sampled_from((at_random, dawdling)))(random)
    return match(seats, limit, draw(SEEDS), player, random)

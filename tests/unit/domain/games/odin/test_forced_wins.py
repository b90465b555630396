"""In endgames in which everybody's cards are known, a forced win is played to its end, whatever the others do."""

from random import Random

import pytest

from domain.games.contract import Level
from domain.games.odin.cards import CARDS
from domain.games.odin.certainty import sure_exit
from domain.games.odin.events import RoundEnded
from domain.games.odin.simulator import Unknown, table_of
from domain.games.odin.state import OdinState
from domain.match.levels import LEVELS, allowance_of
from domain.viewers import seat_viewer
from tests.unit.domain.games.odin import arrange
from tests.unit.domain.games.odin.arrange import CHANCE, GAME


def endgame(random: Random, seats: int) -> OdinState:
    """Return a position in which seat 0 leads, and all other cards were picked up openly."""
    cards = random.sample(CARDS, 4 * seats)
    hands = [" ".join(cards[4 * seat : 4 * seat + random.randint(1, 4)]) for seat in range(seats)]
    return arrange.given(hands[0], *(f"+{hand}" for hand in hands[1:]), limit="single")


def is_forced(state: OdinState) -> bool:
    unknown = Unknown(GAME.view(state, seat_viewer(0)), 0)
    return sure_exit(table_of(state), unknown, 100_000) is not None


def winner(state: OdinState, random: Random, level: Level) -> int:
    """Play the round out, with a bot on seat 0 and anything from the others; return who goes out."""
    while True:
        (seat,) = GAME.to_act(state)
        legal = GAME.legal_moves(state, seat)
        assert legal is not None
        move = random.choice(list(GAME.expand(legal)))
        if seat == 0:
            move = GAME.choose(GAME.view(state, seat_viewer(0)), legal, 0, CHANCE, allowance_of(level))
        for event in GAME.decide(state, seat, move, CHANCE):
            state = GAME.evolve(state, event)
            if isinstance(event, RoundEnded):
                return event.seat


@pytest.mark.parametrize("level", LEVELS[1:])
@pytest.mark.parametrize("seats", [2, 3])
def test_a_forced_win_is_played_to_its_end(level: Level, seats: int) -> None:
    random, forced = Random(seats), 0
    while forced < 25:
        state = endgame(random, seats)
        if is_forced(state):
            forced += 1
            for _ in range(3):
                assert winner(state, random, level) == 0, state

"""Positions for property tests: reached by play, and made up."""

import random

from hypothesis import strategies as st

from domain.chance import Chance
from domain.games.odin.cards import CARDS, is_uniform
from domain.games.odin.options import Limit, OdinOptions
from domain.games.odin.state import OdinState
from tests.unit.domain.games.odin.arrange import GAME, fold, given, moves_of, started

SEEDS = st.integers(0, 2**64 - 1)
SEATS = st.integers(2, 6)
LIMITS: st.SearchStrategy[Limit] = st.sampled_from([15, 10, 20, "single"])


def made_up(seed: int) -> OdinState:
    """Return a position that need not be reachable, rich in sets: few colours or few values, any centre.

    Cards of a hand lie anywhere among dealt and picked up ones, so that nothing rests on their order.
    """
    rng = random.Random(seed)
    colours = "".join(rng.sample("ROYGBV", rng.randint(1, 6)))
    deck = [card for card in CARDS if card[0] in colours or rng.random() < rng.choice((0.0, 0.2, 1.0))]
    rng.shuffle(deck)
    rest = [card for card in CARDS if card not in deck]
    rng.shuffle(rest)
    centre = _any_set(rng, deck)
    deck = [card for card in deck if card not in centre]
    hands: list[str] = []
    for _ in range(rng.randint(2, 6)):
        size = rng.randint(1, 9)
        cards, deck = deck[:size], deck[size:]
        while not cards:
            cards = [rest.pop()]
        split = rng.randint(0, len(cards))
        hands.append(" ".join(cards[:split]) + " + " + " ".join(cards[split:]))
    discard = deck[: rng.randint(0, len(deck))]
    passes = rng.randint(0, len(hands) - 2)
    turn = rng.randrange(len(hands))
    return given(
        *hands,
        centre=" ".join(centre),
        owner=(turn - 1 - passes) % len(hands),
        turn=turn,
        passes=passes if centre else 0,
        discard=" ".join(discard),
        totals=[rng.randint(0, 14) for _ in hands],
        starter=rng.randrange(len(hands)),
        limit=rng.choice((15, 10, 20, "single")),
    )


def _any_set(rng: random.Random, deck: list[str]) -> list[str]:
    if rng.random() < 0.2:
        return []
    first = rng.choice(deck)
    part = rng.choice((0, 1))
    alike = [card for card in deck if card[part] == first[part]]
    # Large centres leave little room for an answer: small ones are tried more often.
    chosen = alike[: rng.choice((1, 1, 2, 2, 3, 4, 5))]
    assert is_uniform(chosen)
    return sorted(chosen, key=lambda card: card[1], reverse=True)


def reached(seed: int, seats: int, limit: Limit = 15) -> OdinState:
    """Return a position that some random legal moves lead to; never the end of a match."""
    rng = random.Random(seed)
    chance = Chance(f"{seed:064x}")
    state = started(seats, OdinOptions(limit), chance)
    for _ in range(rng.randint(0, 60)):
        move = rng.choice(moves_of(state))
        after = fold(state, GAME.decide(state, GAME.to_act(state)[0], move, chance))
        if after.over:
            break
        state = after
    return state


@st.composite
def positions(draw: st.DrawFn) -> OdinState:
    """Positions with a seat to act, half of them reached by play and half made up."""
    seed = draw(SEEDS)
    if draw(st.booleans()):
        return made_up(seed)
    return reached(seed, draw(SEATS), draw(LIMITS))

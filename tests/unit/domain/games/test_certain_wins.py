"""Endgames in which a win is certain, whatever lies hidden and whatever the others do, are won from ``normal`` on."""

from collections.abc import Callable, Mapping
from itertools import permutations
from random import Random
from typing import Any

import pytest

from domain.chance import Chance
from domain.games.contract import Allowance, Level
from domain.games.lama.cards import CARDS as LAMA_CARDS
from domain.games.odin.cards import CARDS as ODIN_CARDS
from domain.games.registry import CURRENT
from domain.games.skyjo.cards import CARDS as SKYJO_CARDS
from domain.match.levels import LEVELS, allowance_of
from domain.viewers import seat_viewer
from tests.kit.certain_wins import CertainWins, Possible, TooMuch, looks_alike
from tests.unit.domain.games.lama import arrangement as lama
from tests.unit.domain.games.odin import arrange as odin
from tests.unit.domain.games.skyjo import arrange as skyjo

FOUND = 12
"""So many certain wins of each game are played."""

MOST_HIDDEN = 4
"""Of so many hidden cards every arrangement is tried."""


def one_of(random: Random, limit: int) -> Any:
    return random.choice((limit, "single"))


def near_the_end(random: Random, seats: int, limit: int) -> tuple[int, ...]:
    return tuple(random.choice((0, limit // 2, limit - 5, limit - 1)) for _ in range(seats))


def an_end_of_lama(random: Random) -> Possible:
    """Some cards in each hand, and few of which a seat knows nothing."""
    seats = random.choice((2, 2, 3))
    cards = random.sample(LAMA_CARDS, 12)
    top, own = cards.pop(), [cards.pop() for _ in range(random.randint(1, 3))]
    sizes = [random.randint(1, 2) for _ in range(seats - 1)]
    hidden = [cards.pop() for _ in range(min(MOST_HIDDEN, sum(sizes) + random.randint(0, 1)))]
    quits = tuple(seat for seat in range(1, seats) if random.random() < 0.3)
    totals, limit = near_the_end(random, seats, 40), one_of(random, 40)

    def laid(order: tuple[str, ...]) -> object:
        rest = list(order)
        hands = ["".join(own), *("".join(rest.pop() for _ in range(size)) for size in sizes)]
        return lama.given(
            " ".join(hands), top=top, pile="".join(rest), quit=quits, totals=totals, limit=limit
        ).state

    return looks_alike(CURRENT["lama"], 0, (laid(order) for order in sorted(set(permutations(hidden)))))


def an_end_of_odin(random: Random) -> Possible:
    """A few cards in each hand; most others were seen, and some of the rivals' were picked up openly."""
    seats = random.choice((2, 2, 3))
    cards = random.sample(ODIN_CARDS, len(ODIN_CARDS))
    own = " ".join(cards.pop() for _ in range(random.randint(1, 4)))
    open_ = [" ".join(cards.pop() for _ in range(random.randint(0, 2))) for _ in range(seats - 1)]
    closed = [random.randint(0, 1) if cards_ else 1 for cards_ in open_]
    centre = cards.pop() if random.random() < 0.4 else ""
    hidden = [cards.pop() for _ in range(MOST_HIDDEN)]
    totals = near_the_end(random, seats, 15)

    def laid(order: tuple[str, ...]) -> object:
        rest = list(order)
        hands = [" ".join(rest.pop() for _ in range(size)) for size in closed]
        return odin.given(
            own,
            *(f"{hand}+{seen}" for hand, seen in zip(hands, open_, strict=True)),
            centre=centre,
            discard=" ".join(cards),
            totals=totals,
            limit=random_limit,
        )

    random_limit = one_of(random, 15)
    return looks_alike(CURRENT["odin"], 0, (laid(order) for order in sorted(set(permutations(hidden)))))


def an_end_of_skyjo(random: Random) -> Possible:
    """The last lap, or a turn that may begin it; nearly all cards were seen, and a stalled round ends soon."""
    seats = random.choice((2, 2, 3))
    cards = random.sample(SKYJO_CARDS, len(SKYJO_CARDS))
    closer = random.choice((None, *range(1, seats)))
    # Two cards to draw: what comes after them follows from a shuffle, which nobody can know.
    hidden = [cards.pop() for _ in range(seats - (closer is not None) + 2)]
    boards = [[str(cards.pop()) for _ in range(3 if seat == closer else 2)] for seat in range(seats)]
    drawn = cards.pop() if random.random() < 0.5 else None
    totals, limit = near_the_end(random, seats, 100), one_of(random, 100)

    def laid(order: tuple[int, ...]) -> object:
        rest = list(order)
        texts = []
        for seat, board in enumerate(boards):
            lying = board if seat == closer else [*board, f"({rest.pop()})"]
            texts.append(f"{' '.join(lying)} | gone | gone | gone")
        return skyjo.given(
            *texts,
            discard=" ".join(map(str, cards)),
            pile=" ".join(map(str, rest)),
            drawn=drawn,
            closer=closer,
            totals=totals,
            limit=limit,
            idle_turns=12 * seats - 1,
        )

    return looks_alike(CURRENT["skyjo"], 0, (laid(order) for order in sorted(set(permutations(hidden)))))


ENDS: Mapping[str, Callable[[Random], Possible]] = {
    "lama": an_end_of_lama,
    "odin": an_end_of_odin,
    "skyjo": an_end_of_skyjo,
}


def won(key: str, level: Level, possible: Possible, wins: CertainWins, random: Random) -> bool:
    """Let a bot play a certain win to its end; tell whether it kept it."""
    game = CURRENT[key]
    allowance = Allowance(min(60, allowance_of(level).playouts), level)
    while not game.is_over(possible[0]):
        seat = game.to_act(possible[0])[0]
        moves = None
        if seat == 0:
            legal = game.legal_moves(possible[0], 0)
            assert legal is not None
            view = game.view(possible[0], seat_viewer(0))
            move = game.choose(view, legal, 0, Chance(f"{random.getrandbits(128):032x}"), allowance)
            if not wins.keeps(possible, move):
                return False
            moves = (move,)
        possible = random.choice(wins.after(possible, seat, moves))
    return True


@pytest.mark.parametrize("level", LEVELS[1:])
@pytest.mark.parametrize("key", ENDS)
def test_a_certain_win_is_played_with_certainty(key: str, level: Level) -> None:
    random, found, game = Random(18), 0, CURRENT[key]
    while found < FOUND:
        possible, wins = ENDS[key](random), CertainWins(game, 0)
        legal = game.legal_moves(possible[0], 0)
        assert legal is not None
        try:
            # Where every move wins there is nothing to do wrong.
            if 0 < len(wins.moves(possible)) < len(list(game.expand(legal))):
                found += 1
                assert won(key, level, possible, wins, random), possible[0]
        except TooMuch:
            continue

"""Counting cards: every card of a game, found once in what somebody sees who sees everything."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

import msgspec

from domain.chance import Chance
from domain.games.contract import AnyGame, GameState
from domain.games.recorded_chance import CardName
from domain.viewers import EVERYTHING

_MOST_MOVES = 120
_MATCHES = 3

Cards = Counter[CardName]


def check_cards(game: AnyGame, state: GameState) -> None:
    """Check that no card was lost, doubled or changed, and that who sees everything knows every card."""
    known = game.knows(state, EVERYTHING)
    if not known:
        return
    assert len(known) == len(game.cards)
    fields = _shown(game, state)
    found = sum((fields[name] for name in where_cards_are_shown(game)), Cards())
    assert found == Counter(game.cards), (found - Counter(game.cards), Counter(game.cards) - found)


@cache
def where_cards_are_shown(game: AnyGame) -> frozenset[str]:
    """Return the fields of a view of everything that hold each card once between them: hands, piles, the table.

    A view may show a card twice, such as the top of a pile that it shows whole. So the fields are chosen by what holds
    in some matches at every event.
    """
    every_card = Counter(game.cards)
    shown = [_shown(game, state) for number in range(_MATCHES) for state in _states(game, number)]
    names = [
        name
        for name in {name for fields in shown for name in fields}
        if all(fields[name] <= every_card for fields in shown)
    ]
    found = next(_covers(names, shown, every_card), None)
    assert found is not None, (
        f"no fields of {game.view_type.__name__} show each card once to who sees everything"
    )
    return found


def _covers(
    names: Sequence[str], shown: Sequence[Mapping[str, Cards]], rest: Cards
) -> Iterator[frozenset[str]]:
    """Yield the sets of names under which each state shows all cards, the largest places first."""

    def cover(number: int, left: Sequence[Cards]) -> Iterator[frozenset[str]]:
        if not any(left):
            yield frozenset()
        elif number < len(by_size):
            name = by_size[number]
            if all(fields[name] <= cards for fields, cards in zip(shown, left, strict=True)):
                after = [cards - fields[name] for fields, cards in zip(shown, left, strict=True)]
                yield from (chosen | {name} for chosen in cover(number + 1, after))
            yield from cover(number + 1, left)

    by_size = sorted(names, key=lambda name: (-sum(fields[name].total() for fields in shown), name))
    return cover(0, [rest] * len(shown))


def _shown(game: AnyGame, state: GameState) -> Mapping[str, Cards]:
    """Return the cards in a view of everything by the path of names to them; what is no card is left out."""
    names, found = frozenset(game.cards), defaultdict[str, list[CardName]](list)

    def walk(path: str, value: Any) -> None:
        if isinstance(value, dict):
            for name, member in value.items():
                walk(f"{path}/{name}", member)
        elif isinstance(value, tuple | list):
            for member in value:
                walk(path, member)
        elif value.__class__ is not bool and value in names:
            found[path].append(value)

    walk("", msgspec.to_builtins(game.view(state, EVERYTHING)))
    return defaultdict(Cards, {path: Counter(cards) for path, cards in found.items()})


def _states(game: AnyGame, number: int) -> Iterator[GameState]:
    """Yield the states of a match that was dealt, after every event of some random moves."""
    random = Random(f"cards {game.key} {number}")
    chance = Chance(random.randbytes(32).hex())
    state = game.initial(game.options_type(), random.randint(*game.seats))
    events = game.start(state, chance)
    for _ in range(_MOST_MOVES):
        for event in events:
            state = game.evolve(state, event)
            if game.knows(state, EVERYTHING):
                yield state
        if game.is_over(state):
            return
        seat = random.choice(game.to_act(state))
        legal = game.legal_moves(state, seat)
        assert legal is not None
        events = game.decide(state, seat, random.choice(list(game.expand(legal))), chance)

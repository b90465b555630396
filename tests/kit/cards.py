"""Counting cards: finding each game's cards in the view of a viewer who sees everything."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from domain.games.contract import AnyGame, GameState
from domain.games.recorded_chance import CardName
from domain.viewers import EVERYTHING


def _odin(view: Any) -> Iterator[CardName]:
    for hand in view.hands:
        yield from hand
    yield from view.centre
    yield from view.discard
    yield from view.undealt_cards


def _skyjo(view: Any) -> Iterator[CardName]:
    for board in view.faces:
        yield from (card for card in board if card != "gone")
    yield from view.discard
    yield from view.pile
    if isinstance(view.drawn, int):
        yield view.drawn


def _lama(view: Any) -> Iterator[CardName]:
    for hand in view.hands:
        yield from hand
    yield from view.discard
    yield from view.pile


def _alone(view: Any) -> Iterator[CardName]:
    for cards in (*view.hands, *view.tricks, view.rest):
        yield from cards or ()


_CARDS_IN: Mapping[str, Callable[[Any], Iterable[CardName]]] = {
    "odin": _odin,
    "skyjo": _skyjo,
    "lama": _lama,
    "alone": _alone,
}

NUMBER_OF_CARDS: Mapping[str, int] = {"odin": 54, "skyjo": 150, "lama": 56, "alone": 36}
"""As printed on the boxes."""


def cards_on_the_table(game: AnyGame, state: GameState) -> Counter[CardName]:
    """Return all cards in play, by name; none before the first deal."""
    return Counter(_CARDS_IN[game.key](game.view(state, EVERYTHING)))


def check_cards(game: AnyGame, state: GameState) -> None:
    """Check that no card was lost, doubled or changed."""
    found = cards_on_the_table(game, state)
    if found:
        assert found == Counter(game.cards), found - Counter(game.cards)
        assert found.total() == NUMBER_OF_CARDS[game.key]


def check_physical_cards(game: AnyGame, state: GameState) -> None:
    """Check that every card is in one place: a viewer who sees everything knows exactly as many as there are."""
    assert len(game.knows(state, EVERYTHING)) in {0, NUMBER_OF_CARDS[game.key]}

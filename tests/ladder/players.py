"""Who plays in the ladder: the levels, and players from outside that keep the scale fixed.

The outsiders follow rules that others have published, or that bots of earlier releases had.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.chance import Chance
from domain.games.contract import AnyGame
from domain.games.lama.cards import NEXT, POINTS, LamaCard, points_of, without
from domain.games.lama.moves import Draw, LamaMove, Play, Quit, Return
from domain.games.odin import moves as odin
from domain.games.odin.judgement import fewest_groups
from domain.games.odin.simulator import bits_of
from domain.games.skyjo.judgement import first_flips, rated
from domain.games.skyjo.moves import Reveal
from domain.match.levels import LEVELS, allowance_of

Player = Callable[[AnyGame, Any, Any, int, Chance], Any]
"""From a game, a view, legal moves, a seat and a source of chance to a move."""


def _level(name: str) -> Player:
    allowance = allowance_of(name)

    def player(game: AnyGame, view: Any, legal: Any, seat: int, chance: Chance) -> Any:
        return game.choose(view, legal, seat, chance, allowance)

    return player


def _random(game: AnyGame, _view: Any, legal: Any, _seat: int, chance: Chance) -> Any:
    moves = list(game.expand(legal))
    return moves[chance.pick(len(moves), "move")]


def _one_value(_game: AnyGame, view: Any, legal: Any, seat: int, _chance: Chance) -> LamaMove:
    """L.A.M.A.: quit only with cards of a single value, if that is cheap and somebody is nearly out (a linear rule)."""
    if legal.return_chips:
        return Return(legal.return_chips[0])
    if legal.play:
        return Play(legal.play[0], legal.play_chips[0] if legal.play_chips else None)
    hand = view.hands[seat]
    kinds = set(hand)
    worth = sum(POINTS[card] for card in hand) - 4.4 + min(view.hand_sizes)
    worth += -10 if len(kinds) == 1 else 5 * len(kinds)
    return Draw() if legal.draw and worth >= 0 else Quit()


def _runs(_game: AnyGame, view: Any, legal: Any, seat: int, _chance: Chance) -> LamaMove:
    """L.A.M.A.: keep the longest run playable, and quit with a hand that is cheap for the number of others."""
    if legal.return_chips:
        return Return(legal.return_chips[0])
    if legal.play_chips:
        return Play(legal.play[0], legal.play_chips[0])
    hand = view.hands[seat]
    if legal.play:
        return Play(max(legal.play, key=lambda card: _prospect(hand, card)))
    others = len(view.hands) - len(view.quit) - 1
    return Draw() if legal.draw and points_of(hand) > (8, 5, 4)[min(others, 3) - 1] else Quit()


def _prospect(hand: tuple[LamaCard, ...], card: LamaCard) -> tuple[int, int]:
    rest = without(hand, (card,))
    length, following = (1 if card in rest else 0), NEXT[card]
    while following in rest and length < len(NEXT):
        length, following = length + 1, NEXT[following]
    return length, -points_of(rest)


def _groups(_game: AnyGame, view: Any, legal: Any, seat: int, _chance: Chance) -> odin.OdinMove:
    """Odin: leave the fewest cards, and 1.2 for each group that covers them."""
    if legal.going_out:
        return odin.Play(legal.going_out)
    hand = set(view.hands[seat])
    best: odin.OdinMove = odin.Pass()
    lightest = _weight(hand) if legal.can_pass else float("inf")
    for cards in legal.sets:
        for take in legal.take or (None,):
            rest = hand.difference(cards) | ({take} if take else set())
            if _weight(rest) < lightest:
                best, lightest = odin.Play(cards, take), _weight(rest)
    return best


def _weight(cards: set[str]) -> float:
    bits = bits_of(cards)
    return len(cards) + 1.2 * fewest_groups([row for colour in range(6) if (row := bits >> 9 * colour & 511)])


def _columns(_game: AnyGame, view: Any, legal: Any, seat: int, _chance: Chance) -> Any:
    """Skyjo: the cheapest board by columns, and the chance not to be lowest when closing."""
    return Reveal(first_flips(legal)) if legal.reveal else rated(view, legal, seat, wary=True).moves[0][1]


OUTSIDERS: Final[Mapping[str, Mapping[str, Player]]] = {
    "lama": {"one-value": _one_value, "runs": _runs},
    "odin": {"groups": _groups},
    "skyjo": {"columns": _columns},
}
"""By game, the players from outside."""


def player_of(game: str, name: str) -> Player:
    """Return a player by name."""
    if name == "random":
        return _random
    return _level(name) if name in LEVELS else OUTSIDERS[game][name]

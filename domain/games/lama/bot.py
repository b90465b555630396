"""A bot for L.A.M.A. that judges from its seat's view alone."""

from domain.games.lama.cards import NEXT, VALUES, LamaCard, points_of, without
from domain.games.lama.legal import LamaLegal
from domain.games.lama.moves import Draw, LamaMove, Play, Quit, Return
from domain.games.lama.view import LamaView

_CHEAP = (8, 5, 4)
"""The dearest hand with which to quit rather than draw, against one, two, or more active opponents.

The more opponents, the sooner one of them goes out, and the less time a drawn card has to pay off.
"""


def choose(view: LamaView, legal: LamaLegal, seat: int) -> LamaMove:
    """Return the bot's move.

    It plays whenever it can, keeping the longest run of values playable. With nothing to play it quits if its hand
    is cheap, else it draws. It returns the largest chip.
    """
    if legal.return_chips:
        return Return(legal.return_chips[0])
    if legal.play_chips:
        return Play(legal.play[0], legal.play_chips[0])
    hand = view.hands[seat] or ()
    if legal.play:
        return Play(max(legal.play, key=lambda card: _prospect(hand, card)))
    return Draw() if legal.draw and points_of(hand) > _cheap(view) else Quit()


def _prospect(hand: tuple[LamaCard, ...], card: LamaCard) -> tuple[int, int]:
    """Rate playing a card: by the run that is left, then by the points that are gone."""
    rest = without(hand, (card,))
    return _run(rest, card), -points_of(rest)


def _run(hand: tuple[LamaCard, ...], top: LamaCard) -> int:
    """Return how many values the hand could play on the top one after the other if nobody else played."""
    length = 1 if top in hand else 0
    following = NEXT[top]
    while following in hand and length < len(VALUES):
        length += 1
        following = NEXT[following]
    return length


def _cheap(view: LamaView) -> int:
    active_opponents = len(view.hands) - len(view.quit) - 1
    return _CHEAP[min(active_opponents, len(_CHEAP)) - 1]

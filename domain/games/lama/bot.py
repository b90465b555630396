"""A bot for L.A.M.A. that judges from its seat's view alone."""

from domain.games.lama.cards import NEXT, VALUES, LamaCard, points_of, without
from domain.games.lama.legal import LamaLegal
from domain.games.lama.moves import Draw, LamaMove, Play, Quit, Return
from domain.games.lama.view import LamaView

_CHEAP = (8, 5, 4)
"""A hand that costs no more is laid down rather than drawn to: against one, two, or more active opponents.

The more opponents, the sooner one of them goes out, and the less a drawn card has time to pay.
"""


def choose(view: LamaView, legal: LamaLegal, seat: int) -> LamaMove:
    """Return the bot's move.

    It plays whenever it can, so that the longest run of values stays playable; with nothing to play it quits
    a cheap hand and draws to any other. It returns the largest chip.
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
    """Return how good it is to lay a card: first by the run that is left, then by the points that are gone."""
    rest = without(hand, (card,))
    return _run(rest, card), -points_of(rest)


def _run(hand: tuple[LamaCard, ...], top: LamaCard) -> int:
    """Return how many values the hand could lay on the top one after the other if nobody came between."""
    length = 1 if top in hand else 0
    following = NEXT[top]
    while following in hand and length < len(VALUES):
        length += 1
        following = NEXT[following]
    return length


def _cheap(view: LamaView) -> int:
    active_opponents = len(view.hands) - len(view.quit) - 1
    return _CHEAP[min(active_opponents, len(_CHEAP)) - 1]

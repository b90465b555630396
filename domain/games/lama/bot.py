"""A bot for L.A.M.A. that judges from its seat's view alone."""

from domain.games.lama.cards import POINTS, LamaCard, points_of
from domain.games.lama.legal import LamaLegal
from domain.games.lama.moves import Draw, LamaMove, Play, Quit, Return
from domain.games.lama.view import LamaView

CHEAP = 5
"""Points that are better taken than added to."""


def choose(view: LamaView, legal: LamaLegal, seat: int) -> LamaMove:
    """Return the bot's move: lay the dearest card; with none, quit cheap hands and draw to others."""
    if legal.return_chips:
        return Return(legal.return_chips[0])
    if legal.play_chips:
        return Play(legal.play[0], legal.play_chips[0])
    if legal.play:
        return Play(max(legal.play, key=POINTS.__getitem__))
    hand: tuple[LamaCard, ...] = view.hands[seat] or ()
    if legal.draw and points_of(hand) > CHEAP:
        return Draw()
    return Quit()

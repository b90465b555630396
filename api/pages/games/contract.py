"""What the pages of a game are: one module with a constant ``PAGE``, and two templates.

The module is ``api/pages/games/<key>.py``, or ``page.py`` in the package of a game from outside. The templates stand in
``api/pages/templates/games``, or in the folder ``templates`` of that package: ``<key>.html`` draws the table,
``<key>_moves.html`` the reader's hand and their moves.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from api.pages.forms import Form
from api.pages.scene import Scene
from domain.games.recorded_chance import CardName

BACK: Final = "back"
"""Stands for a card whose face the reader may not see. All backs are the same."""


class Face(NamedTuple):
    """How a card looks: a shape, a colour and a large numeral, so that none of them is needed alone.

    Attributes:
        shape: The symbol in ``cards.svg``.
        tone: The colour, by its name in the style sheet: ``red``, ``orange``, ``yellow``, ``green``, ``blue``,
            ``violet``, ``teal``, ``pink`` or ``sand``; ``back`` for a card that lies face down.
        numeral: What stands on it; beyond two characters it is squeezed into the card's width.
        label: What it is called, for who does not see it.
        underlined: Whether the numeral is underlined, as 6 and 9 are where one could be taken for the other.
    """

    shape: str
    tone: str
    numeral: str
    label: str
    underlined: bool = False


class Cards(tuple[CardName, ...]):
    """Cards that lie in one place, in their order."""

    __slots__ = ()


Place = str | Cards
"""What stands or lies in a place of the table."""

Places = Mapping[str, Place]
"""By the name of a place."""


class GamePage(NamedTuple):
    """The pages' part of one game.

    Attributes:
        face: How a card looks, in a language.
        places: What a view shows, by the place where it does, for a view, the seats' names and a language. The
            table, live or replayed, is these places in the game's template; a replay's step is those that change.
        read_move: Turns a form into a move as it goes over the wire.
        moves: What the template of the moves needs beside the scene.
        modules: Modules of its own.
        more_faces: Further cards that its places may show, beside those of the game and backs.
    """

    face: Callable[[CardName, str], Face]
    places: Callable[[Any, Sequence[str], str], Places]
    read_move: Callable[[Form], Mapping[str, Any]]
    moves: Callable[[Scene], Mapping[str, Any]]
    modules: tuple[str, ...] = ()
    more_faces: tuple[CardName, ...] = ()

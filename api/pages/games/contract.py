"""What the pages of a game are: one module with a constant ``PAGE``, and two templates.

The module is ``api/pages/games/<key>.py``, or ``page.py`` in the package of a game from outside. The templates stand in
``api/pages/templates/games``, or in the folder ``templates`` of that package: ``<key>.html`` draws the table,
``<key>_moves.html`` the reader's hand and their moves.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

from api.pages.forms import Form
from api.pages.scene import Scene
from domain.games.recorded_chance import CardName
from domain.match.view import MatchView
from services.matches.history import Line
from services.words.phrases import Phrase, whole

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
        corner: Whether shape and numeral also stand in the corner, for hands that are fanned.
    """

    shape: str
    tone: str
    numeral: str
    label: str
    underlined: bool = False
    corner: bool = False


class Cards(tuple[CardName, ...]):
    """Cards that lie in one place, in their order."""

    __slots__ = ()


Place = str | Cards
"""What stands or lies in a place of the table."""

Places = Mapping[str, Place]
"""By the name of a place."""


class Reckoning(NamedTuple):
    """What a round brought one seat, as the sheet at its end tells.

    Attributes:
        cards: What it still held, if that may be seen.
        points: What that is worth.
        why: How that came about, where the numbers do not say it.
        total: What the seat has now, with everything that followed the scoring.
        counters: What lies before the seat for its total, where a game counts with chips; drawn beside the number.
    """

    cards: Cards
    points: str
    why: str
    total: str
    counters: Cards = Cards()


class RoundEnd(NamedTuple):
    """A round's end, to be reckoned up.

    Attributes:
        scored: The line that scored it; its data are those of the game's own event, with the totals that hold.
        places: What lay where at that moment, as the reader may see it.
        language: In which the reader reads.
    """

    scored: Line
    places: Places
    language: str

    def shown(self, name: str) -> Cards:
        """Return the cards that lay in a place; none if there is no such place."""
        found = self.places.get(name, "")
        return found if isinstance(found, Cards) else Cards()

    def total(self, seat: int) -> str:
        """Return what a seat has now."""
        return whole(self.data["totals"][seat])

    @property
    def data(self) -> Mapping[str, Any]:
        """What the game's own event says."""
        return self.scored.data


def reckoned(end: RoundEnd) -> Sequence[Reckoning]:
    """Return by seat what a round brought, for games that say no more: the hand, the points, the total."""
    points = end.data["points"]
    return [
        Reckoning(end.shown(f"hand-{seat}"), whole(points[seat]), "", end.total(seat))
        for seat in range(len(points))
    ]


def has_broken_off(view: MatchView) -> bool:
    """Tell whether a match may have ended before its game did, which stands there as if somebody were to move."""
    lifecycle = view.lifecycle
    has_resigned = any(seat.resigned for seat in view.seats)
    return lifecycle.phase == "abandoned" or (
        lifecycle.phase == "finished" and (lifecycle.stalled or has_resigned)
    )


def without_marks(places: Places) -> Places:
    """Return places without what seats are about to do."""
    return {name: "" if name.startswith("mark-") else content for name, content in places.items()}


Part = Literal["mine", "middle", "others", "moves", "rail"]
"""A part of the table: the reader's cards, the middle, the other seats, the buttons, the rail behind its button."""

Guide = tuple[tuple[Part, Phrase], ...]
"""What a newcomer is told, step by step; each step names the part that it points at."""


class GamePage(NamedTuple):
    """The pages' part of one game.

    Attributes:
        face: How a card looks, in a language.
        places: What a view shows, by the place where it does, for a view, the seats' names and a language. The
            table, live or replayed, is these places in the game's template; a replay's step is those that change.
            What a seat is about to do stands in ``mark-<seat>``, which is not shown once a match has broken
            off.
        read_move: Turns a form into a move as it goes over the wire.
        moves: What the template of the moves needs beside the scene.
        modules: Modules of its own.
        styles: Style sheets of its own.
        reckoning: By seat, what a round brought.
        guide: What a newcomer is told at their first match.
        ended_by: Types of events that tell who ended a round, each with its field that has the seat.
        coming: For a view of everything, the cards that lie on the draw pile, the next one first; None for games that
            have none.
        more_faces: Further cards that its places may show, beside those of the game and backs.
    """

    face: Callable[[CardName, str], Face]
    places: Callable[[Any, Sequence[str], str], Places]
    read_move: Callable[[Form], Mapping[str, Any]]
    moves: Callable[[Scene], Mapping[str, Any]]
    modules: tuple[str, ...] = ()
    more_faces: tuple[CardName, ...] = ()
    styles: tuple[str, ...] = ()
    reckoning: Callable[[RoundEnd], Sequence[Reckoning]] = reckoned
    guide: Guide = ()
    ended_by: Mapping[str, str] = MappingProxyType({})
    coming: Callable[[Any], Cards] | None = None

"""Positions of Skyjo that are worth a look: one for each phase of a turn, and for a round's and a match's end."""

from collections.abc import Callable
from functools import cache

from api.pages.scene import Scene
from domain.games.skyjo.cards import ROWS, column_of, slots_of
from domain.games.skyjo.moves import Draw, Flip, Reveal, SkyjoMove, Swap, Take
from domain.games.skyjo.view import SkyjoView
from domain.match.commands import PlayMove
from domain.match.evolve import seats_to_act
from tests.e2e.staged import staged
from tests.integration.api.pages.scenes import Played

_LOW = 4
"""Up to this value a card is worth keeping."""

_MOST_MOVES = 4000

Found = Callable[[SkyjoView, int], bool]
"""Tells whether a position, and whose turn it is, is the one that is looked for."""


def sensible(view: SkyjoView, seat: int) -> SkyjoMove:
    """Return a move of somebody who collects low cards and equal ones, so that columns leave and rounds end."""
    board = view.boards[seat]
    hidden = [slot for slot, cell in enumerate(board) if cell is None]
    if view.phase == "reveal":
        return Reveal((hidden[0],))
    if not isinstance(view.drawn, int):
        top = view.top
        assert top is not None
        return Take(place) if (place := _place_for(view, seat, top)) is not None else Draw()
    place = _place_for(view, seat, view.drawn)
    return Flip(hidden[-1]) if place is None else Swap(place)


def _place_for(view: SkyjoView, seat: int, card: int) -> int | None:
    board = view.boards[seat]
    for slot, cell in enumerate(board):
        if cell == card:
            for other in slots_of(column_of(slot)):
                if board[other] != card:
                    return other
    if card > _LOW:
        return None
    worst = [
        slot
        for slot, cell in enumerate(board)
        if cell is None or (isinstance(cell, int) and cell > card + ROWS)
    ]
    return worst[-1] if worst else None


@cache
def until(found: Found, seats: int, seed: str = "5e", **options: str) -> tuple[Played, int]:
    """Play until a position is found; return the match and whose turn it is there."""
    played = Played("skyjo", seats=seats, seed=seed * 32, options=options).begin()
    for _ in range(_MOST_MOVES):
        if played.is_over:
            break
        seat = seats_to_act(played.position.state)[0]
        view = played.scene(seat).game
        if found(view, seat):
            return played, seat
        played.do(PlayMove(seat, sensible(view, seat)), f"p{seat}")
    if played.is_over:
        return played, 0
    raise AssertionError("never found")


def first_cards(view: SkyjoView, seat: int) -> bool:
    return view.phase == "reveal" and seat == len(view.boards) - 1


def turn(view: SkyjoView, seat: int) -> bool:
    """Some rounds of turns have been played, so that boards are half open."""
    return _may_draw(view) and sum(cell is None for cell in view.boards[seat]) == 7


def drawn(view: SkyjoView, seat: int) -> bool:
    return isinstance(view.drawn, int) and sum(cell is None for cell in view.boards[seat]) <= 6


def column_gone(view: SkyjoView, seat: int) -> bool:
    return _may_draw(view) and any("gone" in board for board in view.boards) and "gone" in view.boards[seat]


def last_lap(view: SkyjoView, _seat: int) -> bool:
    return _may_draw(view) and view.closer is not None


def second_round(view: SkyjoView, _seat: int) -> bool:
    return view.round == 2 and view.phase == "reveal"


def never(_view: SkyjoView, _seat: int) -> bool:
    return False


def _may_draw(view: SkyjoView) -> bool:
    return view.phase == "play" and not isinstance(view.drawn, int)


SCENES: dict[str, tuple[Found, str]] = {
    "reveal": (first_cards, ""),
    "turn": (turn, ""),
    "take": (turn, "take"),
    "drawn": (drawn, ""),
    "flip": (drawn, "flip"),
    "gone": (column_gone, ""),
    "lap": (last_lap, ""),
    "round_end": (second_round, ""),
    "over": (never, ""),
}
"""By name: the position, and which half of a move the reader is at."""


def scene_of(name: str, seats: int, language: str = "en") -> Scene:
    """Return a position as the seat that is to move sees it."""
    found, choice = SCENES[name]
    options = {"limit": "single"} if found is never else {}
    played, seat = until(found, seats, **options)
    return staged(played, seat, language, choice=choice)


def watched(name: str, seats: int, language: str = "en") -> Scene:
    """Return a position as a spectator sees it."""
    return staged(until(SCENES[name][0], seats)[0], None, language)

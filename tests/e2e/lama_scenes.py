"""Positions of L.A.M.A. that are worth a look: one for each thing that a turn can ask, and for a round's end."""

from collections.abc import Callable
from functools import cache

from api.pages.scene import Scene
from domain.games.lama.legal import LamaLegal
from domain.games.lama.moves import Draw, LamaMove, Play, Quit, Return
from domain.games.lama.view import LamaView
from domain.match.commands import PlayMove
from domain.match.evolve import seats_to_act
from tests.e2e.staged import staged
from tests.integration.api.pages.scenes import Played

_MOST_MOVES = 400

Found = Callable[[LamaView, LamaLegal, int], bool]
"""Tells whether a position, with what the seat that is to move may do, is the one that is looked for."""

Way = Callable[[LamaView, LamaLegal, int], LamaMove]
"""How all seats play until it is found."""


def playing(_view: LamaView, legal: LamaLegal, _seat: int) -> LamaMove:
    """Play whenever that is possible, else quit: rounds end soon, and chips are given out."""
    if legal.return_chips:
        return Return(legal.return_chips[-1])
    return Play(legal.play[0]) if legal.play else Quit()


def drawing(view: LamaView, legal: LamaLegal, seat: int) -> LamaMove:
    """Draw for as long as there are cards: the hands of two seats grow, while all others quit at once."""
    if seat > 1:
        return Quit()
    return Draw() if legal.draw else playing(view, legal, seat)


def turn(view: LamaView, legal: LamaLegal, seat: int) -> bool:
    return view.round == 2 and view.hand_sizes[seat] == 5 and bool(legal.play) and legal.draw


def stuck(view: LamaView, legal: LamaLegal, seat: int) -> bool:
    return view.hand_sizes[seat] == 5 and legal.quit and not legal.play and legal.draw


def many(view: LamaView, legal: LamaLegal, seat: int) -> bool:
    """A hand as large as it becomes when nobody wants to quit."""
    return view.hand_sizes[seat] >= 13 and bool(legal.play)


def chips(view: LamaView, legal: LamaLegal, seat: int) -> bool:
    return "black" in legal.return_chips and view.totals[seat] % 10 > 0


def late(view: LamaView, legal: LamaLegal, seat: int) -> bool:
    """Everybody has chips, and somebody has quit."""
    somebody_left = bool(view.quit) or len(view.totals) == 2
    return min(view.totals) > 0 and legal.quit and view.hand_sizes[seat] < 6 and somebody_left


def round_end(view: LamaView, legal: LamaLegal, _seat: int) -> bool:
    return view.round == 3 and legal.quit and not view.quit


SCENES: dict[str, tuple[Found, Way]] = {
    "turn": (turn, playing),
    "stuck": (stuck, playing),
    "many": (many, drawing),
    "chips": (chips, playing),
    "late": (late, playing),
    "round_end": (round_end, playing),
}
"""By name: the position, and how it comes about."""


@cache
def _until(name: str, seats: int) -> tuple[Played, int]:
    found, way = SCENES[name]
    for seed in range(64):
        played = Played("lama", seats=seats, seed=f"{seed:02x}" * 32).begin()
        for _ in range(_MOST_MOVES):
            if played.is_over:
                break
            seat = seats_to_act(played.position.state)[0]
            view = played.scene(seat).view
            assert isinstance(view.game, LamaView)
            assert isinstance(view.legal, LamaLegal)
            if found(view.game, view.legal, seat):
                return played, seat
            played.do(PlayMove(seat, way(view.game, view.legal, seat)), f"p{seat}")
    raise AssertionError(name)


def scene_of(name: str, seats: int, language: str = "en") -> Scene:
    """Return a position as the seat that is to move sees it, once it has read what the round before brought."""
    played, seat = _until(name, seats)
    return staged(played, seat, language, read=0 if name == "round_end" else played.position.version)


def watched(name: str, seats: int, language: str = "en") -> Scene:
    """Return a position as a spectator sees it."""
    return staged(_until(name, seats)[0], None, language)

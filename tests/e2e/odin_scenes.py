"""Positions of Odin that are worth a look: to lead, to beat some cards, to choose which one to take, to pass."""

from collections.abc import Callable
from functools import cache

from api.pages.scene import Scene
from domain.games.odin.legal import OdinLegalMoves
from domain.games.odin.moves import OdinMove, Pass, Play
from domain.games.odin.view import OdinView
from domain.match.commands import PlayMove
from domain.match.evolve import seats_to_act
from tests.e2e.staged import staged
from tests.integration.api.pages.scenes import Played

_MOST_MOVES = 400

Found = Callable[[OdinView, OdinLegalMoves], bool]
"""Tells whether a position, with what the seat that is to move may do, is the one that is looked for."""


def leading(view: OdinView, legal: OdinLegalMoves) -> bool:
    return not view.centre and view.trick == 1 and len(legal.sets) == 9


def beating(view: OdinView, legal: OdinLegalMoves) -> bool:
    return len(view.centre) == 1 and bool(legal.sets) and len(view.hands[view.turn or 0] or ()) == 9


def taking(view: OdinView, legal: OdinLegalMoves) -> bool:
    return len(view.centre) >= 2 and len(legal.take) == len(view.centre) and bool(legal.sets)


def passing(view: OdinView, legal: OdinLegalMoves) -> bool:
    return bool(view.centre) and not legal.sets and not legal.going_out


SCENES: dict[str, Found] = {"leading": leading, "beating": beating, "taking": taking, "passing": passing}


def _move(legal: OdinLegalMoves) -> OdinMove:
    """Lay as many cards as may be laid, the lowest of them, so that tricks go on."""
    if legal.going_out:
        return Play(legal.going_out)
    if not legal.sets:
        return Pass()
    cards = max(legal.sets, key=len)
    return Play(cards, legal.take[0] if legal.take else None)


@cache
def _until(name: str, seats: int) -> tuple[Played, int]:
    for seed in range(32):
        played = Played("odin", seats=seats, seed=f"{seed:02x}" * 32).begin()
        for _ in range(_MOST_MOVES):
            if played.is_over:
                break
            seat = seats_to_act(played.position.state)[0]
            view = played.scene(seat).view
            assert isinstance(view.game, OdinView)
            assert isinstance(view.legal, OdinLegalMoves)
            if SCENES[name](view.game, view.legal):
                return played, seat
            played.do(PlayMove(seat, _move(view.legal)), f"p{seat}")
    raise AssertionError(name)


def scene_of(name: str, seats: int, language: str = "en") -> Scene:
    """Return a position as the seat that is to move sees it, once it has read what the round before brought."""
    played, seat = _until(name, seats)
    return staged(played, seat, language, read=played.position.version)

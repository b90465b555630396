"""What people may plan in L.A.M.A."""

from domain.games.contract import Plan
from domain.games.lama.legal import LamaLegal
from domain.games.lama.moves import LamaMove, Quit
from domain.games.lama.view import LamaView


class QuitWhenStuck(Plan, frozen=True, tag="quit_when_stuck"):
    """Quit the round when there is nothing to play and nothing to draw."""


PLAN_TYPES: tuple[type[Plan], ...] = (QuitWhenStuck,)


def planned(plan: Plan, view: LamaView, legal: LamaLegal, seat: int) -> LamaMove | None:  # noqa: ARG001
    """Return the move that a plan makes now."""
    return Quit() if legal.quit and not legal.play and not legal.draw else None

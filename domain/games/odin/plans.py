"""What people may plan in Odin."""

from domain.games.contract import Plan
from domain.games.odin.legal import OdinLegalMoves
from domain.games.odin.moves import OdinMove, Pass
from domain.games.odin.view import OdinView


class PassWhenBeaten(Plan, frozen=True, tag="pass_when_beaten"):
    """Pass whenever nothing in the hand beats the centre."""


class PassThisTrick(Plan, frozen=True, tag="pass_this_trick"):
    """Pass until the trick ends.

    Attributes:
        round: The round in which this was planned; filled in by the service.
        trick: The trick; filled in by the service.
    """

    round: int = 0
    trick: int = 0


PLAN_TYPES: tuple[type[Plan], ...] = (PassWhenBeaten, PassThisTrick)


def planned(plan: Plan, view: OdinView, legal: OdinLegalMoves, seat: int) -> OdinMove | None:  # noqa: ARG001
    """Return the move that a plan makes now."""
    if not legal.can_pass:
        return None
    if isinstance(plan, PassThisTrick):
        return Pass() if plan_lasts(plan, view) else None
    return None if legal.sets or legal.going_out else Pass()


def plan_made(plan: Plan, view: OdinView) -> Plan:
    """Return a plan with the trick for which it was made."""
    return PassThisTrick(view.round, view.trick) if isinstance(plan, PassThisTrick) else plan


def plan_lasts(plan: Plan, view: OdinView) -> bool:
    """Tell whether a plan still has something to wait for."""
    return not isinstance(plan, PassThisTrick) or (plan.round, plan.trick) == (view.round, view.trick)

"""What people may plan in Skyjo."""

from typing import Annotated, ClassVar

import msgspec

from domain.games.contract import Plan
from domain.games.skyjo.legal import SkyjoLegal
from domain.games.skyjo.moves import SkyjoMove, Slot, Take
from domain.games.skyjo.view import SkyjoView


class TakeIfLow(Plan, frozen=True, tag="take_if_low"):
    """If the top of the discard pile is low enough at the next turn, take it for a slot.

    Attributes:
        most: The highest card that is taken.
        slot: The slot for it.
        round: The round in which this was planned; filled in by the service.
    """

    ONCE: ClassVar[bool] = True

    most: Annotated[int, msgspec.Meta(ge=-2, le=12)]
    slot: Slot
    round: int = 0


PLAN_TYPES: tuple[type[Plan], ...] = (TakeIfLow,)


def planned(plan: Plan, view: SkyjoView, legal: SkyjoLegal, seat: int) -> SkyjoMove | None:  # noqa: ARG001
    """Return the move that a plan makes now."""
    if not isinstance(plan, TakeIfLow) or not plan_lasts(plan, view):
        return None
    if view.top is None or view.top > plan.most or plan.slot not in legal.take:
        return None
    return Take(plan.slot)


def plan_made(plan: Plan, view: SkyjoView) -> Plan:
    """Return a plan with the round for which it was made."""
    return msgspec.structs.replace(plan, round=view.round) if isinstance(plan, TakeIfLow) else plan


def plan_lasts(plan: Plan, view: SkyjoView) -> bool:
    """Tell whether a plan still has something to wait for."""
    return isinstance(plan, TakeIfLow) and plan.round == view.round

"""Events applied to the state, without validating anything.

Every read of a match runs through here, so it is kept lean: plain loops, because a comprehension costs a call.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from domain.games.odin.events import (
    CardsPlayed,
    FirstPlayerDrawn,
    OdinEvent,
    Passed,
    RoundEnded,
    RoundStarted,
    TrickEnded,
)
from domain.games.odin.state import OdinState


def evolve(state: OdinState, event: OdinEvent) -> OdinState:
    """Return the state after an event."""
    return _EVOLVE[type(event)](state, event)


def _first_player_drawn(state: OdinState, event: FirstPlayerDrawn) -> OdinState:
    return replace(state, starter=event.seat)


def _round_started(state: OdinState, event: RoundStarted) -> OdinState:
    order: list[str] = []
    dealt: list[tuple[int, ...]] = []
    for hand in event.hands:
        dealt.append(tuple(range(len(order), len(order) + len(hand))))
        order += hand
    return replace(
        state,
        round=event.round,
        order=(*order, *event.undealt),
        starter=event.starter,
        trick=1,
        dealt=tuple(dealt),
        taken=((),) * state.seats,
        centre=(),
        owner=None,
        passes=0,
        turn=event.starter,
        discard=(),
    )


def _cards_played(state: OdinState, event: CardsPlayed) -> OdinState:
    order = state.order
    seat = event.seat
    dealt = state.dealt
    taken = state.taken
    hidden = list(dealt[seat])
    shown = list(taken[seat])
    played = []
    for card in event.cards:
        place = order.index(card)
        (hidden if place in hidden else shown).remove(place)
        played.append(place)
    if event.taken is not None:
        shown.append(order.index(event.taken))
    # O19: a play wipes out the passes before it.
    return replace(
        state,
        dealt=(*dealt[:seat], tuple(hidden), *dealt[seat + 1 :]),
        taken=(*taken[:seat], tuple(shown), *taken[seat + 1 :]),
        centre=tuple(played),
        owner=seat,
        passes=0,
        turn=event.next_seat,
        discard=_discarded(state, event.discarded),
    )


def _passed(state: OdinState, event: Passed) -> OdinState:
    return replace(state, passes=state.passes + 1, turn=event.next_seat)


def _trick_ended(state: OdinState, event: TrickEnded) -> OdinState:
    return replace(
        state,
        trick=state.trick + 1,
        centre=(),
        owner=None,
        passes=0,
        turn=event.leader,
        discard=_discarded(state, event.discarded),
    )


def _discarded(state: OdinState, cards: tuple[str, ...]) -> tuple[int, ...]:
    """Return the discard pile with cards of the centre on top. Often none: a single beaten card is taken."""
    if not cards:
        return state.discard
    order = state.order
    discard = state.discard
    for place in state.centre:
        if order[place] in cards:
            discard += (place,)
    return discard


def _round_ended(state: OdinState, event: RoundEnded) -> OdinState:
    return replace(state, turn=None, totals=event.totals, sheet=(*state.sheet, event.points), over=event.last)


# Any, because a mapping's type cannot express that each key is the class of its function's second parameter.
_EVOLVE: Mapping[type, Callable[[OdinState, Any], OdinState]] = {
    FirstPlayerDrawn: _first_player_drawn,
    RoundStarted: _round_started,
    CardsPlayed: _cards_played,
    Passed: _passed,
    TrickEnded: _trick_ended,
    RoundEnded: _round_ended,
}

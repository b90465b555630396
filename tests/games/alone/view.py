"""What a viewer sees, and what they know that others do not."""

from collections.abc import Hashable
from typing import Literal

from domain.games.contract import GameView, PhysicalCard
from domain.viewers import Viewer
from tests.games.alone.moves import AloneOptions
from tests.games.alone.state import AloneState

Phase = Literal["waiting", "choose", "over"]
"""Before the first deal; everybody chooses a card; the game has ended."""


class AloneView(GameView, frozen=True):
    """The view. Lists by seat start with seat 0.

    Attributes:
        phase: What is going on.
        round: The round being played or played last, from 1; 0 before the first deal.
        rounds: How many are played.
        totals: By seat, its points from the rounds before.
        taken: By seat, its points in this round.
        tricks: For each trick turned over in this round, its cards by seat.
        hands: By seat, the cards it still has, lowest first; None where the viewer may not see them.
        chosen: The seats before which a card lies face down.
        choices: By seat, that card; None where there is none, or the viewer may not see it.
        rest: The cards that nobody got; None unless nothing is hidden from the viewer.
    """

    phase: Phase
    round: int
    rounds: Literal[3, 1, 5]
    totals: tuple[int, ...]
    taken: tuple[int, ...]
    tricks: tuple[tuple[int, ...], ...]
    hands: tuple[tuple[int, ...] | None, ...]
    chosen: tuple[int, ...]
    choices: tuple[int | None, ...]
    rest: tuple[int, ...] | None = None

    @property
    def options(self) -> AloneOptions:
        """The table's choices."""
        return AloneOptions(self.rounds)


def view(state: AloneState, viewer: Viewer) -> AloneView:
    """Return what a viewer sees."""
    seats = range(len(state.totals))
    shown = [viewer.everything or viewer.seat == seat for seat in seats]
    dealt = state.round > 0
    return AloneView(
        phase="over" if state.over else "choose" if dealt else "waiting",
        round=state.round,
        rounds=state.options.rounds,
        totals=state.totals,
        taken=state.taken,
        tricks=tuple(map(state.names, state.tricks)),
        hands=tuple(
            tuple(sorted(state.names(state.hand(seat)))) if dealt and shown[seat] else None for seat in seats
        ),
        chosen=tuple(seat for seat, place in enumerate(state.chosen) if place is not None),
        choices=tuple(
            state.order[place] if place is not None and shown[seat] else None
            for seat, place in enumerate(state.chosen)
        ),
        rest=state.order[seats.stop * len(state.dealt_to(0)) :] if viewer.everything else None,
    )


def knows(state: AloneState, viewer: Viewer) -> frozenset[PhysicalCard]:
    """Return the cards of the present deal whose face the viewer knows. Each round is one deal, with its number."""
    if viewer.everything:
        return frozenset((state.round, place) for place in range(len(state.order)))
    known = {place for trick in state.tricks for place in trick}
    if viewer.seat is not None and state.round > 0:
        known.update(state.dealt_to(viewer.seat))
    return frozenset((state.round, place) for place in known)


def secrets(state: AloneState, viewer: Viewer) -> frozenset[Hashable]:
    """Return the choices that the viewer knows and others do not: round, trick and seat say which one it is."""
    return frozenset(
        (state.round, len(state.tricks), seat)
        for seat, place in enumerate(state.chosen)
        if place is not None and (viewer.everything or viewer.seat == seat)
    )

"""What a viewer sees of a match of Skyjo, and which physical cards they know."""

from typing import Literal

from msgspec import UNSET, UnsetType

from domain.games.contract import GameView, PhysicalCard
from domain.games.skyjo.cards import GONE, Gone
from domain.games.skyjo.options import Limit
from domain.games.skyjo.rulings import Rulings
from domain.games.skyjo.state import SkyjoState, flips_left, identity
from domain.viewers import Viewer

Cell = int | Gone | None
"""A slot: an open card, a removed slot, or a hidden card."""

Phase = Literal["waiting", "reveal", "play", "over"]
"""Before the first deal; first cards are turned up; turns are played; the match has ended."""


class SkyjoView(GameView, frozen=True):
    """The table as one viewer sees it.

    Attributes:
        phase: What is going on.
        limit: The total at which the match ends, or ``single``.
        round: The present round, from 1; 0 before the first deal.
        turn: Whose turn it is; None outside turns (including during the first flips).
        starter: Who has or had the first turn of the round, once known.
        closer: The first seat without a hidden card.
        turns_to_stall: After how many more turns the round stalls if no hidden card is turned up or replaced.
        boards: By seat, its slots; hidden cards are None, whoever looks.
        top: The top of the discard pile, which can be taken; None before the first deal.
        discard: The whole discard pile, bottom to top: everybody saw each card discarded.
        pile_size: How many cards the draw pile has.
        totals: Points by seat over all scored rounds.
        sheet: By scored round, the points by seat.
        faces: The boards with the hidden cards turned up; None unless nothing is hidden from the viewer.
        pile: The draw pile, top first; None unless nothing is hidden from the viewer.
        drawn: The drawn card, for its drawer; None for others; left out while nobody holds one.
    """

    phase: Phase
    limit: Limit
    round: int
    turn: int | None
    starter: int | None
    closer: int | None
    turns_to_stall: int
    boards: tuple[tuple[Cell, ...], ...]
    top: int | None
    discard: tuple[int, ...]
    pile_size: int
    totals: tuple[int, ...]
    sheet: tuple[tuple[int, ...], ...]
    faces: tuple[tuple[Cell, ...], ...] | None
    pile: tuple[int, ...] | None
    drawn: int | UnsetType | None = UNSET


def view(state: SkyjoState, viewer: Viewer, rulings: Rulings) -> SkyjoView:
    """Return what a viewer sees: what lies open, and the card they have drawn (K6, K11, K32)."""
    dealt = state.dealt
    discard = tuple(dealt[card] for card in state.discard)
    return SkyjoView(
        phase=_phase(state),
        limit=state.limit,
        round=state.round,
        turn=state.turn,
        starter=state.starter,
        closer=state.closer,
        turns_to_stall=rulings.laps_to_stall * state.seats - state.idle_turns,
        boards=tuple(
            tuple(_cell(dealt, card, hidden=slot in hidden) for slot, card in enumerate(board))
            for board, hidden in zip(state.boards, state.hidden, strict=True)
        ),
        top=discard[-1] if discard else None,
        discard=discard,
        pile_size=state.pile_size,
        totals=state.totals,
        sheet=state.sheet,
        faces=_faces(state) if viewer.everything else None,
        pile=dealt[state.next_card :] if viewer.everything else None,
        drawn=_drawn(state, viewer),
    )


def _phase(state: SkyjoState) -> Phase:
    if state.over:
        return "over"
    if not state.round:
        return "waiting"
    return "reveal" if any(flips_left(state, seat) for seat in range(state.seats)) else "play"


def _drawn(state: SkyjoState, viewer: Viewer) -> int | UnsetType | None:
    if state.drawn is None:
        return UNSET
    return state.dealt[state.drawn] if viewer.everything or viewer.seat == state.turn else None


def _faces(state: SkyjoState) -> tuple[tuple[Cell, ...], ...]:
    return tuple(tuple(_cell(state.dealt, card, hidden=False) for card in board) for board in state.boards)


def _cell(dealt: tuple[int, ...], card: int | None, *, hidden: bool) -> Cell:
    if card is None:
        return GONE
    return None if hidden else dealt[card]


def unknown_cards(state: SkyjoState, viewer: Viewer) -> list[int]:
    """Return the cards in play whose faces the viewer does not know."""
    hidden = [
        card
        for board, slots in zip(state.boards, state.hidden, strict=True)
        for slot, card in enumerate(board)
        if card is not None and slot in slots
    ]
    drawn = [state.drawn] if state.drawn is not None and viewer.seat != state.turn else []
    return [] if viewer.everything else [*hidden, *drawn, *state.pile]


def knows(state: SkyjoState, viewer: Viewer) -> frozenset[PhysicalCard]:
    """Return the physical cards of this round whose faces the viewer knows.

    Those are the open cards of all boards, the whole discard pile, and the card they have drawn; players know their
    own hidden cards no better than anybody else's (K6). A viewer who sees everything knows all 150.
    """
    known = set(state.discard)
    for board, hidden in zip(state.boards, state.hidden, strict=True):
        known.update(
            card
            for slot, card in enumerate(board)
            if card is not None and (viewer.everything or slot not in hidden)
        )
    if state.drawn is not None and (viewer.everything or viewer.seat == state.turn):
        known.add(state.drawn)
    if viewer.everything:
        known.update(state.pile)
    return frozenset(identity(state, card) for card in known)

"""Events applied to the state, without validating anything or applying a rule."""

from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any

from msgspec.structs import replace

from domain.games.skyjo.cards import SLOTS, slots_of
from domain.games.skyjo.events import (
    BoardsRevealed,
    CardDrawn,
    CardFlipped,
    CardsRevealed,
    CardSwapped,
    ColumnDiscarded,
    DiscardTaken,
    PileReshuffled,
    PlayBegan,
    RoundClosed,
    RoundScored,
    RoundStalled,
    RoundStarted,
    SkyjoEvent,
)
from domain.games.skyjo.state import SkyjoState

_Boards = tuple[tuple[int | None, ...], ...]
_Hidden = tuple[tuple[int, ...], ...]


def evolve(state: SkyjoState, event: SkyjoEvent) -> SkyjoState:
    """Return the state after an event."""
    return _APPLY[type(event)](state, event)


def _round_started(state: SkyjoState, event: RoundStarted) -> SkyjoState:
    on_boards = state.seats * SLOTS
    return SkyjoState(
        seats=state.seats,
        totals=state.totals,
        limit=state.limit,
        round=event.round,
        starter=event.starter,
        deals=state.deals + 1,
        deal_starts=(0,),
        dealt=(*chain.from_iterable(event.boards), event.discard, *event.pile),
        boards=tuple(tuple(range(first, first + SLOTS)) for first in range(0, on_boards, SLOTS)),
        hidden=(tuple(range(SLOTS)),) * state.seats,
        discard=(on_boards,),
        next_card=on_boards + 1,
        sheet=state.sheet,
    )


def _cards_revealed(state: SkyjoState, event: CardsRevealed) -> SkyjoState:
    hidden = state.hidden
    for slot in event.slots:
        hidden = _turned(hidden, event.seat, slot)
    return replace(state, hidden=hidden)


def _play_began(state: SkyjoState, event: PlayBegan) -> SkyjoState:
    return replace(state, starter=event.seat, turn=event.seat)


def _discard_taken(state: SkyjoState, event: DiscardTaken) -> SkyjoState:
    return _placed(state, event, state.discard[-1], state.discard[:-1])


def _pile_reshuffled(state: SkyjoState, event: PileReshuffled) -> SkyjoState:
    start = len(state.dealt)
    return replace(
        state,
        discard=state.discard[len(state.discard) - len(event.discard) :],
        dealt=state.dealt + event.pile,
        next_card=start,
        deals=state.deals + 1,
        deal_starts=(*state.deal_starts, start),
    )


def _card_drawn(state: SkyjoState, _event: CardDrawn) -> SkyjoState:
    card = state.next_card
    return replace(state, drawn=card, next_card=card + 1)


def _card_swapped(state: SkyjoState, event: CardSwapped) -> SkyjoState:
    return _placed(state, event, state.drawn, state.discard)


def _card_flipped(state: SkyjoState, event: CardFlipped) -> SkyjoState:
    return replace(
        state,
        turn=event.next_seat,
        drawn=None,
        idle_turns=0,
        hidden=_turned(state.hidden, event.seat, event.slot),
        discard=(*state.discard, state.drawn),
    )


def _column_discarded(state: SkyjoState, event: ColumnDiscarded) -> SkyjoState:
    slots = slots_of(event.column)
    board = list(state.boards[event.seat])
    cards = board[slots.start : slots.stop]
    board[slots.start : slots.stop] = [None] * len(slots)
    return replace(
        state, boards=_with_seat(state.boards, event.seat, tuple(board)), discard=(*state.discard, *cards)
    )


def _round_closed(state: SkyjoState, event: RoundClosed) -> SkyjoState:
    return replace(state, closer=event.seat)


def _round_stalled(state: SkyjoState, _event: RoundStalled) -> SkyjoState:
    return state


def _boards_revealed(state: SkyjoState, _event: BoardsRevealed) -> SkyjoState:
    return replace(state, hidden=((),) * state.seats)


def _round_scored(state: SkyjoState, event: RoundScored) -> SkyjoState:
    return replace(state, totals=event.totals, sheet=(*state.sheet, event.points), over=event.over)


def _placed(
    state: SkyjoState, event: DiscardTaken | CardSwapped, card: int | None, discard: tuple[int, ...]
) -> SkyjoState:
    """Put a card in a slot; what lay there goes on top of the discard pile."""
    seat, slot = event.seat, event.slot
    board = list(state.boards[seat])
    replaced = board[slot]
    board[slot] = card
    boards = _with_seat(state.boards, seat, tuple(board))
    if slot in state.hidden[seat]:
        idle_turns, hidden = 0, _turned(state.hidden, seat, slot)
    else:
        idle_turns, hidden = state.idle_turns + 1, state.hidden
    return replace(
        state,
        turn=event.next_seat,
        drawn=None,
        idle_turns=idle_turns,
        boards=boards,
        hidden=hidden,
        discard=(*discard, replaced),
    )


def _turned(hidden: _Hidden, seat: int, slot: int) -> _Hidden:
    """Return the hidden slots without one that was turned up or replaced."""
    slots = list(hidden[seat])
    slots.remove(slot)
    seats = list(hidden)
    seats[seat] = tuple(slots)
    return tuple(seats)


def _with_seat(boards: _Boards, seat: int, board: tuple[int | None, ...]) -> _Boards:
    seats = list(boards)
    seats[seat] = board
    return tuple(seats)


# A table of functions, not a match statement: folding a match spends its time evolving.
_APPLY: Mapping[type[SkyjoEvent], Callable[[SkyjoState, Any], SkyjoState]] = {
    RoundStarted: _round_started,
    CardsRevealed: _cards_revealed,
    PlayBegan: _play_began,
    DiscardTaken: _discard_taken,
    PileReshuffled: _pile_reshuffled,
    CardDrawn: _card_drawn,
    CardSwapped: _card_swapped,
    CardFlipped: _card_flipped,
    ColumnDiscarded: _column_discarded,
    RoundClosed: _round_closed,
    RoundStalled: _round_stalled,
    BoardsRevealed: _boards_revealed,
    RoundScored: _round_scored,
}

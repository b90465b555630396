"""Events applied to the state. Total: nothing here validates, counts points or consults the rules.

Every event records its effects, so a stored match reads the same under any later rules.
"""

from collections.abc import Callable, Mapping
from itertools import accumulate
from typing import Any

from msgspec.structs import replace

from domain.games.lama.events import (
    CardDrawn,
    CardPlayed,
    ChipKept,
    ChipReturned,
    FirstPlayerDrawn,
    GameEnded,
    LamaEvent,
    RoundEnded,
    RoundQuit,
    RoundStarted,
)
from domain.games.lama.moves import Chip
from domain.games.lama.state import LamaState, LastRound


def evolve(state: LamaState, event: LamaEvent) -> LamaState:
    """Return the state after an event."""
    return _EVOLVE[type(event)](state, event)


def _first_player_drawn(state: LamaState, event: FirstPlayerDrawn) -> LamaState:
    return replace(state, first=event.seat)


def _round_started(state: LamaState, event: RoundStarted) -> LamaState:
    starts = tuple(accumulate(map(len, event.hands), initial=0))
    top = starts[-1]
    return replace(
        state,
        round=event.round,
        starter=event.starter,
        order=(*(card for hand in event.hands for card in hand), event.top, *event.pile),
        hands=tuple(
            tuple(range(start, start + len(hand))) for start, hand in zip(starts, event.hands, strict=False)
        ),
        discard=(top,),
        pile_start=top + 1,
        quit=(),
        turn=event.starter,
        last_played=None,
        last_acted=None,
    )


def _card_played(state: LamaState, event: CardPlayed) -> LamaState:
    seat = event.seat
    card = event.card
    order = state.order
    hands = state.hands
    hand = hands[seat]
    # Copies of a card look alike to the player, but not to the log: the one held longest always leaves the hand.
    index = 0
    while order[hand[index]] != card:
        index += 1
    return replace(
        state,
        hands=(*hands[:seat], hand[:index] + hand[index + 1 :], *hands[seat + 1 :]),
        discard=(*state.discard, hand[index]),
        turn=event.next_seat,
        last_played=seat,
        last_acted=seat,
    )


def _card_drawn(state: LamaState, event: CardDrawn) -> LamaState:
    seat = event.seat
    hands = state.hands
    drawn = state.pile_start
    return replace(
        state,
        hands=(*hands[:seat], (*hands[seat], drawn), *hands[seat + 1 :]),
        pile_start=drawn + 1,
        turn=event.next_seat,
        last_acted=seat,
    )


def _round_quit(state: LamaState, event: RoundQuit) -> LamaState:
    return replace(state, quit=(*state.quit, event.seat), turn=event.next_seat, last_acted=event.seat)


def _round_ended(state: LamaState, event: RoundEnded) -> LamaState:
    return replace(
        state,
        totals=event.totals,
        returning=event.winner if event.return_asked else None,
        last_round=LastRound(event.round, event.hands, event.points, event.winner),
    )


def _chip_returned(state: LamaState, event: ChipReturned) -> LamaState:
    seat = event.seat
    return replace(
        state,
        totals=(*state.totals[:seat], event.total, *state.totals[seat + 1 :]),
        returning=None,
        last_round=_with_chip(state, event.chip),
    )


def _with_chip(state: LamaState, chip: Chip) -> LastRound | None:
    return replace(state.last_round, chip=chip) if state.last_round is not None else None


def _chip_kept(state: LamaState, _event: ChipKept) -> LamaState:
    return replace(state, returning=None, last_round=_with_chip(state, "none"))


def _game_ended(state: LamaState, _event: GameEnded) -> LamaState:
    return replace(state, over=True)


# One lookup instead of a chain of type tests: folding is the hottest path. Any, because the key guarantees that each
# function gets its own event, which the mapping's type cannot express.
_EVOLVE: Mapping[type[Any], Callable[[LamaState, Any], LamaState]] = {
    FirstPlayerDrawn: _first_player_drawn,
    RoundStarted: _round_started,
    CardPlayed: _card_played,
    CardDrawn: _card_drawn,
    RoundQuit: _round_quit,
    RoundEnded: _round_ended,
    ChipReturned: _chip_returned,
    ChipKept: _chip_kept,
    GameEnded: _game_ended,
}

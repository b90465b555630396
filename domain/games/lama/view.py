"""What a viewer sees of a game of L.A.M.A., and which physical cards they know."""

from typing import Literal

from domain.games.contract import GameView, PhysicalCard
from domain.games.lama.cards import LamaCard, in_list_order
from domain.games.lama.legal import to_act
from domain.games.lama.state import LamaState, LastRound
from domain.viewers import Viewer

Phase = Literal["waiting", "play", "return", "over"]
"""Before the first deal; a round is played; its winner is asked for a chip; the game has ended."""


class LamaView(GameView, frozen=True):
    """The view. Lists by seat start with seat 0.

    Attributes:
        phase: What is going on.
        turn: The seat that owes a move.
        round: The round being played or scored last, from 1; 0 before the first deal.
        starter: The seat that started the round.
        totals: By seat, the points held as chips.
        hands: By seat, the cards held; None where the viewer may not see them. A seat sees its own hand in the order
            the cards were taken up; shown hands are in card-list order.
        hand_sizes: By seat, how many cards it holds.
        quit: The seats that left the round, in the order of leaving.
        top: The card to play on; None before the first deal.
        discard: The whole discard pile, top last: everybody saw each card played.
        pile_size: How many cards are left to draw.
        pile: The draw pile, next card first; None unless nothing is hidden from the viewer.
        last_played: The seat that played the last card in this round.
        last_acted: The seat that acted last in this round.
        last_round: The round scored last, with the cards that were shown.
        limit: The points that end the game, or ``single``.
        next_starter: Which of ``last_played`` and ``last_acted`` starts the next round.
    """

    phase: Phase
    turn: int | None
    round: int
    starter: int | None
    totals: tuple[int, ...]
    hands: tuple[tuple[LamaCard, ...] | None, ...]
    hand_sizes: tuple[int, ...]
    quit: tuple[int, ...]
    top: LamaCard | None
    discard: tuple[LamaCard, ...]
    pile_size: int
    pile: tuple[LamaCard, ...] | None
    last_played: int | None
    last_acted: int | None
    last_round: LastRound | None
    limit: Literal[40, "single"]
    next_starter: Literal["last_played", "last_acted"]


def view(state: LamaState, viewer: Viewer) -> LamaView:
    """Return what a viewer sees."""
    asked = to_act(state)
    discard = state.names(state.discard)
    return LamaView(
        phase=_phase(state),
        turn=asked[0] if asked else None,
        round=state.round,
        starter=state.starter,
        totals=state.totals,
        hands=tuple(_hand(state, seat, viewer) for seat in range(len(state.hands))),
        hand_sizes=tuple(len(hand) for hand in state.hands),
        quit=state.quit,
        top=discard[-1] if discard else None,
        discard=discard,
        pile_size=state.pile_size,
        pile=state.order[state.pile_start :] if viewer.everything else None,
        last_played=state.last_played,
        last_acted=state.last_acted,
        last_round=state.last_round,
        limit=state.options.limit,
        next_starter=state.options.next_starter,
    )


def _phase(state: LamaState) -> Phase:
    if state.over:
        return "over"
    if state.returning is not None:
        return "return"
    return "waiting" if state.turn is None else "play"


def _hand(state: LamaState, seat: int, viewer: Viewer) -> tuple[LamaCard, ...] | None:
    if viewer.everything or viewer.seat == seat:
        return state.hand(seat)
    # The rules show which cards were left, but not which were drawn last: the order stays hidden.
    return in_list_order(state.hand(seat)) if state.scored else None


def knows(state: LamaState, viewer: Viewer) -> frozenset[PhysicalCard]:
    """Return the cards of the present deal whose face the viewer knows. Each round is one deal, with its number.

    Cards of earlier rounds are left out: a new deal always shows every seat cards that it did not know.
    """
    if viewer.everything:
        return frozenset((state.round, place) for place in range(len(state.order)))
    seats = range(len(state.hands)) if state.scored else (viewer.seat,)
    known = set(state.discard)
    known.update(place for seat in seats if seat is not None and state.hands for place in state.hands[seat])
    return frozenset((state.round, place) for place in known)

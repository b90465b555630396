"""A possible full state behind a seat's view, for bots that play out what might happen."""

from collections.abc import Iterator
from itertools import accumulate
from typing import cast

from domain.chance import Chance
from domain.games.lama.cards import CARDS, LamaCard, without
from domain.games.lama.options import LamaOptions
from domain.games.lama.state import LamaState, initial_state
from domain.games.lama.view import LamaView


def sample(view: LamaView, chance: Chance) -> LamaState:
    """Return a state consistent with the view, its hidden cards laid out at random.

    The dealt order is made up to give every card a place: hands, then discard pile, then draw pile.
    """
    options = LamaOptions(view.limit, view.next_starter)
    if view.phase == "waiting":
        return initial_state(options, len(view.totals))
    seen = [card for hand in view.hands if hand is not None for card in hand]
    unseen = without(CARDS, (*seen, *view.discard))
    hidden = iter(cast("tuple[LamaCard, ...]", chance.shuffle(unseen, view.round, 0)))
    hands = [_hand(view, seat, hidden) for seat in range(len(view.hands))]
    starts = list(accumulate(map(len, hands), initial=0))
    pile_start = starts[-1] + len(view.discard)
    return LamaState(
        options=options,
        seats=len(view.totals),
        totals=view.totals,
        round=view.round,
        starter=view.starter,
        order=(*(card for hand in hands for card in hand), *view.discard, *(view.pile or hidden)),
        hands=tuple(
            tuple(range(start, start + len(hand))) for start, hand in zip(starts, hands, strict=False)
        ),
        discard=tuple(range(starts[-1], pile_start)),
        pile_start=pile_start,
        quit=view.quit,
        turn=view.turn if view.phase == "play" else None,
        last_played=view.last_played,
        last_acted=view.last_acted,
        returning=view.turn if view.phase == "return" else None,
        over=view.phase == "over",
        last_round=view.last_round,
    )


def _hand(view: LamaView, seat: int, hidden: Iterator[LamaCard]) -> tuple[LamaCard, ...]:
    hand = view.hands[seat]
    if hand is not None:
        return hand
    return tuple(next(hidden) for _ in range(view.hand_sizes[seat]))

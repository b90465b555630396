"""The whole state, hidden cards included, and how an event changes it."""

from msgspec.structs import replace

from domain.games.contract import GameState
from tests.games.alone.cards import HAND_SIZE
from tests.games.alone.events import AloneEvent, CardLaid, CardsTurned, HandsDealt, TricksCounted
from tests.games.alone.moves import AloneOptions


class AloneState(GameState, frozen=True):
    """The state. A card is a place in the dealt order; a seat's five places follow one another.

    Attributes:
        options: The table's choices.
        totals: By seat, its points from the rounds before.
        round: The round being played or played last, from 1; 0 before the first deal.
        order: The dealt order: the card's name at each place.
        tricks: For each trick turned over in this round, the places of its cards by seat.
        taken: By seat, its points in this round.
        chosen: By seat, the place of the card that lies face down before it, if one does.
        over: Whether the game has ended.
    """

    options: AloneOptions
    totals: tuple[int, ...]
    round: int = 0
    order: tuple[int, ...] = ()
    tricks: tuple[tuple[int, ...], ...] = ()
    taken: tuple[int, ...] = ()
    chosen: tuple[int | None, ...] = ()
    over: bool = False

    def dealt_to(self, seat: int) -> range:
        """Return the places of the cards that a seat was dealt."""
        return range(seat * HAND_SIZE, (seat + 1) * HAND_SIZE)

    def hand(self, seat: int) -> tuple[int, ...]:
        """Return the places of the cards that a seat still has; a card that lies face down is one of them."""
        turned = {trick[seat] for trick in self.tricks}
        return tuple(place for place in self.dealt_to(seat) if place not in turned)

    def names(self, places: tuple[int, ...]) -> tuple[int, ...]:
        """Return the names of the cards at some places."""
        return tuple(self.order[place] for place in places)


def evolve(state: AloneState, event: AloneEvent) -> AloneState:
    """Return the state after an event. It asks no rule: an old log reads the same under any later rules."""
    match event:
        case HandsDealt():
            order = (*(card for hand in event.hands for card in hand), *event.rest)
            nobody = (None,) * len(state.totals)
            zeros = (0,) * len(state.totals)
            return replace(state, round=event.round, order=order, tricks=(), taken=zeros, chosen=nobody)
        case CardLaid(seat, card):
            # Of several equal cards, the one dealt first is laid.
            hand = state.hand(seat)
            place = hand[state.names(hand).index(card)]
            return replace(state, chosen=(*state.chosen[:seat], place, *state.chosen[seat + 1 :]))
        case CardsTurned():
            laid = tuple(place for place in state.chosen if place is not None)
            taken = tuple(
                points + (event.worth if seat == event.winner else 0)
                for seat, points in enumerate(state.taken)
            )
            nobody = (None,) * len(state.totals)
            return replace(state, tricks=(*state.tricks, laid), taken=taken, chosen=nobody)
        case TricksCounted():
            return replace(state, totals=event.totals)
        case _:
            return replace(state, over=True)

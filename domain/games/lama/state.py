"""The whole state of a game of L.A.M.A., hidden cards included."""

import msgspec

from domain.games.contract import GameState
from domain.games.lama.cards import LamaCard
from domain.games.lama.moves import Chip
from domain.games.lama.options import LamaOptions


class LastRound(msgspec.Struct, frozen=True, omit_defaults=True):
    """The round that was scored last; all of it lay open on the table.

    Attributes:
        round: The round, from 1.
        hands: By seat, the cards still held, in card-list order.
        points: By seat, what they cost.
        winner: The seat that got rid of all its cards, if any.
        chip: What the winner returned; None before they choose, or if there was nothing to return.
    """

    round: int
    hands: tuple[tuple[LamaCard, ...], ...]
    points: tuple[int, ...]
    winner: int | None = None
    chip: Chip | None = None


class LamaState(GameState, frozen=True):
    """The state. A card is a place in the dealt order of the present round; each round has one deal.

    Attributes:
        options: The table's choices.
        seats: The number of seats.
        totals: By seat, the points held as chips.
        first: The seat that starts the first round; None until it is drawn.
        round: The round being played or scored last, from 1; 0 before the first deal.
        starter: The seat that started the round.
        order: The dealt order: the card's name at each place.
        hands: By seat, the places of the cards held, in the order they were taken up. A seat that quit still holds
            its cards, face down.
        discard: The places of the discard pile, the top last.
        pile_start: The place of the draw pile's top; the pile reaches from there to the end of the dealt order.
        quit: The seats that left the round, in the order of leaving.
        turn: The seat to act in the round; None when no round is being played and the cards are shown.
        last_played: The seat that played the last card in this round.
        last_acted: The seat that acted last in this round.
        returning: The winner who must say which chip to return.
        over: Whether the game has ended.
        last_round: The round scored last.
    """

    options: LamaOptions
    seats: int
    totals: tuple[int, ...]
    first: int | None = None
    round: int = 0
    starter: int | None = None
    order: tuple[LamaCard, ...] = ()
    hands: tuple[tuple[int, ...], ...] = ()
    discard: tuple[int, ...] = ()
    pile_start: int = 0
    quit: tuple[int, ...] = ()
    turn: int | None = None
    last_played: int | None = None
    last_acted: int | None = None
    returning: int | None = None
    over: bool = False
    last_round: LastRound | None = None

    @property
    def top(self) -> LamaCard:
        """The card on top of the discard pile. There is always one once a round has started."""
        return self.order[self.discard[-1]]

    @property
    def pile_size(self) -> int:
        """The number of cards left to draw."""
        return len(self.order) - self.pile_start

    @property
    def scored(self) -> bool:
        """Whether the present round has been scored: its hands lie open until the next deal."""
        return self.turn is None and self.round > 0

    def names(self, places: tuple[int, ...]) -> tuple[LamaCard, ...]:
        """Return the names of the cards at some places."""
        order = self.order
        return tuple([order[place] for place in places])

    def hand(self, seat: int) -> tuple[LamaCard, ...]:
        """Return the names of a seat's cards, in the order they were taken up."""
        return self.names(self.hands[seat])

    @property
    def is_last_active(self) -> bool:
        """Whether all seats but one have quit."""
        return len(self.quit) >= self.seats - 1


def initial_state(options: LamaOptions, seats: int) -> LamaState:
    """Return the state before the first deal."""
    first = None if options.first == "random" else options.first
    return LamaState(options=options, seats=seats, totals=(0,) * seats, first=first)

"""One round of Odin on a mutable table, for bots that play out what might happen.

It does what :mod:`domain.games.odin.rules` does, without events, refusals or copies; a test compares the two move by
move. Only legal moves may be made. A card is a bit, a set of cards a number: bit ``colour * 9 + value - 1``.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations
from math import comb
from typing import Final

from domain.games.odin.cards import CARDS
from domain.games.odin.state import OdinState, centre_of, hand_of
from domain.games.odin.view import OdinView
from domain.games.searching import Source

COLOURS: Final = 6
PER_COLOUR: Final = 9
COLOUR_BITS: Final = (1 << PER_COLOUR) - 1
FULL_DECK: Final = (1 << COLOURS * PER_COLOUR) - 1

VALUE_BITS: Final = tuple(
    sum(1 << colour * PER_COLOUR + value for colour in range(COLOURS)) for value in range(PER_COLOUR)
)
"""By value, less 1: all cards of that value."""

BIT: Final = {card: 1 << index for index, card in enumerate(CARDS)}

Sets = tuple[tuple[int, int], ...]
"""Sets of cards, each with what it is worth."""

PASS: Final = (0, 0)
"""The move that plays nothing. Any other is a set and the card taken, 0 for none."""


def bits_of(cards: Iterable[str]) -> int:
    """Return cards as a number."""
    total = 0
    for card in cards:
        total |= BIT[card]
    return total


def cards_of(bits: int) -> tuple[str, ...]:
    """Return the cards of a number, in card-list order."""
    return tuple([card for card in CARDS if BIT[card] & bits])


@cache
def _of_one_colour(nine_bits: int, count: int) -> Sets:
    """Return the sets of some size in a colour's nine bits, each with what it is worth."""
    values = [value for value in range(PER_COLOUR) if nine_bits >> value & 1]
    return tuple(
        (
            sum(1 << value for value in chosen),
            int("".join(str(value + 1) for value in reversed(chosen))),
        )
        for chosen in combinations(values, count)
    )


@cache
def _of_one_value(cards: int, count: int) -> tuple[int, ...]:
    single = [1 << index for index in range(COLOURS * PER_COLOUR) if cards >> index & 1]
    return tuple(sum(chosen) for chosen in combinations(single, count))


_REPEATED: Final = tuple(int("1" * count) if count else 0 for count in range(COLOURS + 2))


def uniform_sets(hand: int, count: int, above: int) -> list[tuple[int, int]]:
    """Return the uniform sets of some size that are worth more, each with what it is worth."""
    if count == 1:
        return _single_cards(hand, above)
    found: list[tuple[int, int]] = []
    shift, rest = 0, hand
    while rest:
        nine_bits = rest & COLOUR_BITS
        if nine_bits.bit_count() >= count:
            for chosen, worth in _of_one_colour(nine_bits, count):
                if worth > above:
                    found.append((chosen << shift, worth))
        shift += PER_COLOUR
        rest >>= PER_COLOUR
    if count <= COLOURS:
        repeated = _REPEATED[count]
        # Any set of a value above the quotient is worth more than what is to be beaten.
        for value in range(above // repeated, PER_COLOUR):
            same = hand & VALUE_BITS[value]
            if same.bit_count() >= count:
                worth = (value + 1) * repeated
                found.extend((chosen, worth) for chosen in _of_one_value(same, count))
    return found


def _single_cards(hand: int, above: int) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for value in range(above, PER_COLOUR):
        same = hand & VALUE_BITS[value]
        while same:
            card = same & -same
            found.append((card, value + 1))
            same ^= card
    return found


def is_uniform(hand: int) -> bool:
    """Tell whether all cards, at least one, share a colour or a value."""
    lowest = (hand & -hand).bit_length() - 1
    colour = lowest // PER_COLOUR
    return not hand & ~(COLOUR_BITS << colour * PER_COLOUR) or not hand & ~VALUE_BITS[lowest % PER_COLOUR]


def worth_of(cards: int) -> int:
    """Return what a combination is worth; 0 for none."""
    return int("".join(sorted((card[1] for card in cards_of(cards)), reverse=True)) or "0")


class OdinTable:
    """The table.

    Attributes:
        seats: How many seats there are.
        hands: By seat, its cards.
        centre: The combination to beat; 0 while somebody must lead.
        count: How many cards it has.
        worth: What it is worth.
        owner: The seat that played it, or -1.
        passes: Passes in a row since the last play.
        turn: Whose turn it is; -1 after the round.
        winner: The seat that went out; -1 before.
    """

    __slots__ = ("centre", "count", "hands", "owner", "passes", "seats", "turn", "winner", "worth")

    def __init__(self, hands: list[int], centre: int, owner: int, passes: int, turn: int) -> None:
        self.seats = len(hands)
        self.hands = hands
        self.centre = centre
        self.count = centre.bit_count()
        self.worth = worth_of(centre)
        self.owner = owner
        self.passes = passes
        self.turn = turn
        self.winner = -1

    def copy(self) -> "OdinTable":
        """Return another table with the same cards."""
        other = OdinTable.__new__(OdinTable)
        other.seats = self.seats
        other.hands = self.hands[:]
        other.centre = self.centre
        other.count = self.count
        other.worth = self.worth
        other.owner = self.owner
        other.passes = self.passes
        other.turn = self.turn
        other.winner = self.winner
        return other

    def play(self, cards: int, take: int, worth: int) -> None:
        """Play a set that is worth so much, and take a card of the centre, or 0."""
        seat = self.turn
        rest = self.hands[seat] & ~cards
        if not rest:
            self.hands[seat] = 0
            self.winner = seat
            self.turn = -1
            return
        self.hands[seat] = rest | take
        self.centre = cards
        self.count = cards.bit_count()
        self.worth = worth
        self.owner = seat
        self.passes = 0
        self.turn = (seat + 1) % self.seats

    def pass_turn(self) -> None:
        """Play nothing."""
        self.passes += 1
        if self.passes == self.seats - 1:
            self.turn = self.owner
            self.centre = self.count = self.worth = self.passes = 0
            self.owner = -1
        else:
            self.turn = (self.turn + 1) % self.seats

    def sets(self) -> list[tuple[int, int]]:
        """Return the sets that the seat whose turn it is may play, each with what it is worth."""
        hand = self.hands[self.turn]
        if not self.count:
            found = uniform_sets(hand, 1, 0)
            if len(found) > 1 and is_uniform(hand):
                found.append((hand, worth_of(hand)))
            return found
        return uniform_sets(hand, self.count, self.worth) + uniform_sets(hand, self.count + 1, 0)

    def moves(self) -> list[tuple[int, int, int]]:
        """Return every legal move: the set, the card taken or 0, and what the set is worth. A pass is all 0."""
        hand = self.hands[self.turn]
        takes = singles(self.centre) or (0,)
        found = [
            (cards, take, worth)
            for cards, worth in self.sets()
            for take in ((0,) if cards == hand else takes)
        ]
        if self.count:
            found.append((0, 0, 0))
        return found

    def make(self, move: tuple[int, int, int]) -> None:
        """Make a legal move of the seat whose turn it is."""
        cards, take, worth = move
        if cards:
            self.play(cards, take, worth)
        else:
            self.pass_turn()

    def points(self) -> list[int]:
        """Return by seat how many cards it holds."""
        return [hand.bit_count() for hand in self.hands]


def singles(bits: int) -> tuple[int, ...]:
    """Return the cards of a set one by one."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest)
        bits ^= lowest
    return tuple(found)


def table_of(state: OdinState) -> OdinTable:
    """Return the table of a full state in which a turn is played."""
    return OdinTable(
        [bits_of(hand_of(state, seat)) for seat in range(state.seats)],
        bits_of(centre_of(state)),
        -1 if state.owner is None else state.owner,
        state.passes,
        -1 if state.turn is None else state.turn,
    )


class Unknown:
    """What a seat does not see: deals possible tables one after the other.

    Cards that a seat picked up openly stay where everybody saw them go.
    """

    def __init__(self, view: OdinView, seat: int) -> None:
        self.seat = seat
        self.own = bits_of(view.hands[seat] or ())
        self.centre = bits_of(view.centre)
        self.owner = -1 if view.owner is None else view.owner
        self.passes = view.passes
        self.known = [self.own if other == seat else bits_of(taken) for other, taken in enumerate(view.taken)]
        seen = self.own | self.centre | bits_of(view.discard)
        for known in self.known:
            seen |= known
        self.unseen = singles(FULL_DECK & ~seen)
        self.closed = [
            0 if other == seat else max(0, size - len(view.taken[other]))
            for other, size in enumerate(view.hand_sizes)
        ]
        self._order = list(self.unseen)

    def tables(self, most: int) -> list[OdinTable]:
        """Return all possible tables, none if there are more than so many."""
        ways, left = 1, len(self.unseen)
        for closed in self.closed:
            ways *= comb(left, closed)
            left -= closed
        if not 0 < ways <= most:
            return []
        return [self._laid(hands) for hands in self._fillings(self.unseen, 0)]

    def _fillings(self, cards: tuple[int, ...], seat: int) -> Iterator[list[int]]:
        if seat == len(self.closed):
            yield []
            return
        for chosen in combinations(cards, self.closed[seat]):
            rest = tuple(card for card in cards if card not in chosen)
            for others in self._fillings(rest, seat + 1):
                yield [self.known[seat] | sum(chosen), *others]

    def _laid(self, hands: list[int]) -> OdinTable:
        return OdinTable(hands, self.centre, self.owner, self.passes, self.seat)

    def deal(self, random: Source) -> OdinTable:
        """Return a possible table."""
        order = self._order
        random.shuffle(order)
        start = 0
        hands = []
        for known, closed in zip(self.known, self.closed, strict=True):
            hand = known | sum(order[start : start + closed])
            # A view whose numbers do not add up may leave nothing; nobody can play on without a card.
            hands.append(hand or 1 << random.randrange(len(CARDS)))
            start += closed
        return self._laid(hands)

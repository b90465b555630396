"""What the other one of two may hold, judged from what they did in the round.

Who drew had nothing to play on the top of that moment, and thought another card worth it. A view does not say when
somebody drew. But it shows what was played, in order, and how many cards each seat holds; the two take turns, and a
seat knows its own cards in the order in which it took them up. That leaves a few ways in which the round can have
gone. Some of them are made up at random, each with a hand for the other one, and count the more the better they
explain what is seen.
"""

from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from domain.games.lama.cards import CARDS, HAND_SIZE, VALUES
from domain.games.lama.habits import HABITS, Habit
from domain.games.lama.simulator import DRAW, FOLLOWING, INDEX, LamaTable, Unknown
from domain.games.lama.view import LamaView
from domain.games.searching import Source

_WAYS: Final = 400
"""How many ways in which the round may have gone are made up."""

_MOST_TURNS: Final = 150
"""A longer round has too many of them."""

_UNLIKELY: Final = 0.03
"""How often somebody draws who could play."""

_SELDOM: Final = 0.08
"""How often somebody else does not do what their habit is."""


class Turn(NamedTuple):
    """A turn of the round: who made which move on which top."""

    seat: int
    move: int
    top: int


class Belief(NamedTuple):
    """A table that may be behind a view, and how the other one may be used to play."""

    table: LamaTable
    habit: Habit


class Numbers(NamedTuple):
    """How often each seat played and drew in the round."""

    plays: tuple[int, int]
    draws: tuple[int, int]


def numbers_of(view: LamaView, seat: int) -> Numbers | None:
    """Return how often both played and drew; None without a past, or if what the view counts cannot have come about."""
    if len(view.hand_sizes) != len(Numbers._fields) or view.quit or view.starter is None:
        return None
    turns = len(view.discard) - 1 + len(CARDS) - 2 * HAND_SIZE - 1 - view.pile_size
    if not 0 < turns <= _MOST_TURNS or (view.starter + turns) % 2 != seat:
        return None
    plays, draws = [], []
    for each, size in enumerate(view.hand_sizes):
        own = (turns + (each == view.starter)) // 2
        # A hand is six cards, one more for each draw, and one less for each play.
        played, odd = divmod(own + HAND_SIZE - size, 2)
        if odd or not 0 <= played <= own:
            return None
        plays.append(played)
        draws.append(own - played)
    if sum(plays) != len(view.discard) - 1:
        return None
    return Numbers((plays[0], plays[1]), (draws[0], draws[1]))


class Beliefs:
    """Deals tables as likely as the round so far makes them. It is for rounds of two in which nobody has quit."""

    def __init__(self, beliefs: Sequence[Belief], weights: Sequence[float], random: Source) -> None:
        self._beliefs: Final = beliefs
        self._heights: Final = list(accumulate(weights))
        self._random: Final = random

    def deal(self) -> Belief:
        """Return a table, and how the other one plays."""
        found = bisect(self._heights, self._random.random() * self._heights[-1])
        belief = self._beliefs[min(found, len(self._beliefs) - 1)]
        table = belief.table.copy()
        self._random.shuffle(table.pile)
        return Belief(table, belief.habit)


def beliefs_of(view: LamaView, unknown: Unknown, random: Source) -> Beliefs | None:
    """Return what to believe; None if nothing was done yet, or the view does not let it be told."""
    numbers = numbers_of(view, unknown.seat)
    if numbers is None or len(unknown.unseen) != view.hand_sizes[1 - unknown.seat] + view.pile_size:
        return None
    maker = _Maker(view, unknown, numbers, random)
    made = [one for one in (maker.belief() for _ in range(_WAYS)) if one is not None]
    weights = [weight for weight, _ in made]
    return Beliefs([belief for _, belief in made], weights, random) if sum(weights) > 0 else None


class _Maker:
    """Makes up ways in which a round may have gone."""

    def __init__(self, view: LamaView, unknown: Unknown, numbers: Numbers, random: Source) -> None:
        self._seen = view
        self._seat = unknown.seat
        self._other = 1 - unknown.seat
        self._own = unknown.own
        self._numbers = numbers
        self._random = random
        self._discard = [INDEX[card] for card in view.discard]
        self._hand = [INDEX[card] for card in view.hands[unknown.seat] or ()]
        self._unseen = [unknown.unseen.count(value) for value in range(len(VALUES))]

    def belief(self) -> tuple[float, Belief] | None:
        """Return a table and how much it counts; None for a way that led nowhere."""
        past = self._past()
        if past is None:
            return None
        weight, turns = past
        habit = HABITS[int(self._random.random() * len(HABITS))]
        fitting, values, left = self._cards([turn for turn in turns if turn.seat == self._other])
        weight *= fitting * self._likelihood(turns, values, habit)
        return weight, Belief(self._table(turns, values, left), habit)

    def _past(self) -> tuple[float, list[Turn]] | None:
        """Make up the turns, the last one first: back from the hand that the seat holds now."""
        random, seat, discard = self._random.random, self._seat, self._discard
        plays, draws = list(self._numbers.plays), list(self._numbers.draws)
        sizes, own = list(self._seen.hand_sizes), self._hand[:]
        place, weight, acting, turns = len(discard) - 1, 1.0, self._other, list[Turn]()
        for _ in range(sum(plays) + sum(draws)):
            top = discard[place]
            following = FOLLOWING[top]
            may_play, may_draw = float(plays[acting]), float(draws[acting])
            if place == len(discard) - 1 and acting != self._seen.last_played:
                may_play = 0.0
            if sizes[acting] == 1:
                may_draw = 0.0
            elif acting == seat and (top in own[:-1] or following in own[:-1]):
                may_draw *= _UNLIKELY
            if not may_play + may_draw:
                return None
            weight *= (may_play + may_draw) / (plays[acting] + draws[acting])
            if random() * (may_play + may_draw) < may_play:
                place -= 1
                plays[acting] -= 1
                sizes[acting] += 1
                turns.append(Turn(acting, top, discard[place]))
                if acting == seat:
                    # It was dealt, or drawn last: which of both follows from the hand only in part.
                    drawn = random() * (HAND_SIZE + draws[seat]) < draws[seat]
                    own.insert(len(own) if drawn else 0, top)
            else:
                draws[acting] -= 1
                sizes[acting] -= 1
                turns.append(Turn(acting, DRAW, top))
                if acting == seat:
                    own.pop()
            acting = 1 - acting
        return weight, turns[::-1]

    def _cards(self, turns: Sequence[Turn]) -> tuple[float, list[int], list[int]]:
        """Give the other seat's cards their values, in the order in which it took them up.

        Returns:
            How much these values count, the values, and how many unseen cards of each value are left.
        """
        random, weight = self._random.random, 1.0
        values, banned, held = [-1] * HAND_SIZE, [0] * HAND_SIZE, list(range(HAND_SIZE))
        for turn in turns:
            if turn.move == DRAW:
                ban = 1 << turn.top | 1 << FOLLOWING[turn.top]
                for slot in held:
                    banned[slot] |= ban
                held.append(len(values))
                values.append(-1)
                banned.append(0)
                continue
            able = [slot for slot in held if not banned[slot] >> turn.move & 1]
            weight *= len(able) or _UNLIKELY
            able = able or held
            slot = able[int(random() * len(able))]
            held.remove(slot)
            values[slot] = turn.move
        left = self._unseen[:]
        for slot in sorted(held, key=lambda slot: -banned[slot].bit_count()):
            ban = banned[slot]
            able = [value for value in range(len(VALUES)) if left[value] and not ban >> value & 1]
            if not able:
                weight *= _UNLIKELY
                able = [value for value in range(len(VALUES)) if left[value]]
            count = sum([left[value] for value in able])
            weight *= count / sum(left)
            lot = int(random() * count)
            for value in able:
                lot -= left[value]
                if lot < 0:
                    break
            left[value] -= 1
            values[slot] = value
        return weight, values, left

    def _likelihood(self, turns: Sequence[Turn], values: Sequence[int], habit: Habit) -> float:
        """Return how well a habit with these cards explains what the other seat did."""
        other, weight, taken = self._other, 1.0, HAND_SIZE
        hand = [0] * len(VALUES)
        for value in values[:HAND_SIZE]:
            hand[value] += 1
        hands = [hand, hand]
        table = LamaTable(hands, [HAND_SIZE, HAND_SIZE], 0, [0], [True, True], other)
        for seat, move, top in turns:
            if seat == other:
                table.top = top
                same, next_one = hand[top], hand[FOLLOWING[top]]
                if move == DRAW and (same or next_one):
                    weight *= _UNLIKELY
                elif move == DRAW or (same and next_one):
                    weight *= 1 - _SELDOM if habit(table) == move else _SELDOM
                if move == DRAW:
                    hand[values[taken]] += 1
                    taken += 1
                else:
                    hand[move] -= 1
            table.sizes[seat] += 1 if move == DRAW else -1
        return weight

    def _table(self, turns: Sequence[Turn], values: Sequence[int], left: Sequence[int]) -> LamaTable:
        hand = [values.count(value) for value in range(len(VALUES))]
        for turn in turns:
            if turn.seat == self._other and turn.move != DRAW:
                hand[turn.move] -= 1
        hands = [self._own[:], hand] if self._seat == 0 else [hand, self._own[:]]
        pile = [value for value, count in enumerate(left) for _ in range(count)]
        sizes = [sum(each) for each in hands]
        return LamaTable(hands, sizes, self._discard[-1], pile, [True, True], self._seat)

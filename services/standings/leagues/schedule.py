"""Schedules of leagues: who plays whom in which round, and in which order. Pure, and the same for the same entrants."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Final

Table = tuple[int, ...]
"""Who sits at a table, by their numbers, in the order of the seats."""

Round = tuple[Table, ...]

MOST_ROUNDS: Final = 60

_PASSES: Final = 12
"""How often each round is gone over; more changes little for clubs' sizes."""

_WORK: Final = 300
"""With how many beginnings a round is tried, times how many people play: large leagues must not take minutes."""


def table_sizes(entrants: int, largest: int, smallest: int = 2) -> tuple[int, ...]:
    """Return the sizes of a round's tables: as few tables as possible, as equal as possible.

    Who is left over has a bye.
    """
    if entrants < smallest or largest < smallest:
        return ()
    tables = -(-entrants // largest)
    if entrants // tables < smallest:
        tables = entrants // smallest
    playing = min(entrants, tables * largest)
    small, larger = divmod(playing, tables)
    return tuple(small + (number < larger) for number in range(tables))


def schedule(
    entrants: Sequence[int], largest: int, rounds: int, smallest: int = 2, before: Sequence[Round] = ()
) -> tuple[Round, ...]:
    """Return so many more rounds of a league.

    Everybody plays once in each round, but for byes, which go round. Who has met least meets next, small tables go
    round, and everybody sits on each seat about equally often.

    Args:
        entrants: Who plays.
        largest: How many sit at a table at most.
        rounds: How many rounds; 0 for as many as it takes until everybody has met everybody.
        smallest: How many sit at a table at least.
        before: Rounds that were played.
    """
    sizes = table_sizes(len(entrants), largest, smallest)
    if not sizes:
        return ()
    course = _Course(entrants, sizes)
    for one in before:
        course.note(one)
    made: list[Round] = []
    while len(made) < (rounds or MOST_ROUNDS) and (rounds or course.strangers()):
        robin = largest == 2 and not before  # noqa: PLR2004 - pairs
        made.append(_robin(entrants, len(made)) if robin else course.round(len(made)))
        course.note(made[-1])
    return _seated(made, before)


def _robin(entrants: Sequence[int], number: int) -> Round:
    """Return a round of a round robin: everybody meets everybody before anybody meets again."""
    first, *others = [*entrants] if len(entrants) % 2 == 0 else [-1, *entrants]
    by = number % len(others)
    turned = [first, *others[by:], *others[:by]]
    half = len(turned) // 2
    pairs = zip(turned[:half], reversed(turned[half:]), strict=True)
    # Whoever is paired with nobody has a bye.
    return tuple(pair for pair in pairs if first != -1 or first not in pair)


def _seated(made: Sequence[Round], before: Sequence[Round]) -> tuple[Round, ...]:
    """Return rounds with everybody on each seat about equally often."""
    had = Counter(
        (one, seat) for played in (*before, *made) for table in played for seat, one in enumerate(table)
    )
    rounds = [[list(table) for table in played] for played in made]
    for _ in range(_PASSES):
        # Every table is gone over in each pass, also after one was changed.
        changed = [_turned(table, had) for played in rounds for table in played]
        if not any(changed):
            break
    return tuple(tuple(map(tuple, played)) for played in rounds)


def _turned(table: list[int], had: Counter[tuple[int, int]]) -> bool:
    """Let people of a table exchange their seats where that makes them more equal; tell whether any did."""
    turned = False
    for one, other in combinations(range(len(table)), 2):
        mine, theirs = table[one], table[other]
        # Squares are summed: an exchange is good if both leave a seat that they had more often.
        if had[mine, one] + had[theirs, other] > had[mine, other] + had[theirs, one] + 2:
            had.subtract({(mine, one): 1, (theirs, other): 1})
            had.update({(mine, other): 1, (theirs, one): 1})
            table[one], table[other] = theirs, mine
            turned = True
    return turned


class _Course:
    """What has been so far: who met whom, who played how often, and who at small tables."""

    def __init__(self, entrants: Sequence[int], sizes: Sequence[int]) -> None:
        self.entrants = tuple(entrants)
        self._sizes = tuple(sizes)
        most = 1 + max(self.entrants)
        self._met = [[0] * most for _ in range(most)]
        self._small, self._played = [0] * most, [0] * most

    def note(self, played: Round) -> None:
        """Take note of a round; of those who play no more, too."""
        largest = max(map(len, played), default=0)
        for table in played:
            known = [one for one in table if one < len(self._met)]
            for one, other in combinations(known, 2):
                self._met[one][other] += 1
                self._met[other][one] += 1
            for one in known:
                self._played[one] += 1
                self._small[one] += len(table) < largest

    def strangers(self) -> bool:
        """Tell whether two have not met yet."""
        return any(not self._met[one][other] for one, other in combinations(self.entrants, 2))

    def round(self, number: int) -> Round:
        """Return a round in which few meet again, the best of several beginnings."""
        playing = self._playing()
        best: Round = ()
        least = -1
        for attempt in range(max(2, _WORK // len(playing))):
            order = [*playing]
            Random(f"{number} {attempt}").shuffle(order)  # noqa: S311 - nobody gains by guessing it
            tables = self._improved(list(self._dealt(order)))
            cost = sum(map(self._cost, tables))
            if least < 0 or cost < least:
                best, least = tuple(map(tuple, tables)), cost
            if not cost:
                break
        return best

    def _playing(self) -> list[int]:
        """Return who plays: who has played most rests, the last of the list first."""
        byes = len(self.entrants) - sum(self._sizes)
        by_rest = sorted(self.entrants, key=lambda one: (-self._played[one], -self.entrants.index(one)))
        resting = set(by_rest[:byes])
        return [one for one in self.entrants if one not in resting]

    def _dealt(self, order: Sequence[int]) -> Iterator[list[int]]:
        first = 0
        for size in self._sizes:
            yield [*order[first : first + size]]
            first += size

    def _improved(self, tables: list[list[int]]) -> list[list[int]]:
        for _ in range(_PASSES):
            # Every pair of tables is tried in each pass, also after one was improved.
            changed = [self._exchanged(one, other) for one, other in combinations(tables, 2)]
            if not any(changed):
                break
        return tables

    def _exchanged(self, one: list[int], other: list[int]) -> bool:
        """Exchange two people of two tables if fewer meet again by it; tell whether that was so."""
        present = self._cost(one) + self._cost(other)
        for mine in range(len(one)):
            for theirs in range(len(other)):
                one[mine], other[theirs] = other[theirs], one[mine]
                if self._cost(one) + self._cost(other) < present:
                    return True
                one[mine], other[theirs] = other[theirs], one[mine]
        return False

    def _cost(self, table: Sequence[int]) -> int:
        again = sum(self._met[one][other] ** 2 for one, other in combinations(table, 2))
        if len(table) == max(self._sizes):
            return again
        return again + sum(self._small[one] ** 2 for one in table)

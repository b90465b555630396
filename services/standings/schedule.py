"""Schedules of leagues: who plays whom in which round. Pure, and the same for the same entrants."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final

Table = tuple[str, ...]
Round = tuple[Table, ...]

_PASSES: Final = 12
"""How often each round is gone over; more changes little for clubs' sizes."""


def table_sizes(entrants: int, largest: int) -> tuple[int, ...]:
    """Return the sizes of a round's tables: as few tables as possible, as equal as possible, all at least 2.

    Who is left over, if one is, has a bye.
    """
    if largest < 2 or entrants < 2:  # noqa: PLR2004 - a table has two people
        return ()
    playing = entrants - 1 if largest == 2 and entrants % 2 else entrants  # noqa: PLR2004
    tables = -(-playing // largest)
    small, larger = divmod(playing, tables)
    return tuple(small + (number < larger) for number in range(tables))


def schedule(entrants: Sequence[str], largest: int, rounds: int) -> tuple[Round, ...]:
    """Return the rounds of a league.

    Everybody plays once in each round, but for a bye. Who has met least meets next, and byes go round.
    """
    met: Counter[frozenset[str]] = Counter()
    byes: Counter[str] = Counter()
    sizes = table_sizes(len(entrants), largest)
    made: list[Round] = []
    for number in range(rounds if sizes else 0):
        playing = _playing(entrants, sum(sizes), byes)
        made.append(_round(_turned(playing, number), sizes, met))
        for table in made[-1]:
            met.update(map(frozenset, combinations(table, 2)))
    return tuple(made)


def _playing(entrants: Sequence[str], seats: int, byes: Counter[str]) -> list[str]:
    resting = sorted(entrants, key=lambda one: (byes[one], -entrants.index(one)))[: len(entrants) - seats]
    byes.update(resting)
    return [one for one in entrants if one not in resting]


def _turned(entrants: Sequence[str], number: int) -> list[str]:
    """Return the entrants with all but the first moved on by some places, as in a round robin."""
    first, *others = entrants
    by = number % max(1, len(others))
    return [first, *others[by:], *others[:by]]


def _round(entrants: Sequence[str], sizes: Sequence[int], met: Counter[frozenset[str]]) -> Round:
    if all(size == 2 for size in sizes):  # noqa: PLR2004
        # Folding the turned row is the round robin itself: everybody meets everybody before anybody meets again.
        half = len(entrants) // 2
        return tuple(zip(entrants[:half], reversed(entrants[half:]), strict=True))
    tables = _dealt(entrants, sizes)
    for _ in range(_PASSES):
        # Every pair of tables is tried in each pass, also after one was improved.
        improved = [_improved(one, other, met) for one, other in combinations(tables, 2)]
        if not any(improved):
            break
    return tuple(map(tuple, tables))


def _dealt(entrants: Sequence[str], sizes: Sequence[int]) -> list[list[str]]:
    tables: list[list[str]] = [[] for _ in sizes]
    waiting = list(entrants)
    while waiting:
        for table, size in zip(tables, sizes, strict=True):
            if len(table) < size and waiting:
                table.append(waiting.pop(0))
    return tables


def _improved(one: list[str], other: list[str], met: Counter[frozenset[str]]) -> bool:
    """Exchange two people of two tables if fewer of those at one table have met before; tell whether that was so."""
    present = _cost(one, met) + _cost(other, met)
    for mine in range(len(one)):
        for theirs in range(len(other)):
            one[mine], other[theirs] = other[theirs], one[mine]
            if _cost(one, met) + _cost(other, met) < present:
                return True
            one[mine], other[theirs] = other[theirs], one[mine]
    return False


def _cost(table: Iterable[str], met: Counter[frozenset[str]]) -> int:
    return sum(met[frozenset(pair)] ** 2 for pair in combinations(table, 2))

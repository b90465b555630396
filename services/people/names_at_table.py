"""Names at one table: each means one person."""

from collections.abc import Collection, Iterator
from string import ascii_uppercase

from services.people.player_names import LONGEST_NAME


def free_name(wanted: str, taken: Collection[str]) -> str:
    """Return a name that nobody at a table has: the one that is wanted, or it with a letter, ``Anna B.``. Pure."""
    others = {name.casefold() for name in taken}
    return next(name for name in _offers(wanted) if name.casefold() not in others)


def _offers(wanted: str) -> Iterator[str]:
    yield wanted
    for letter in ascii_uppercase[1:]:
        yield _with(wanted, f" {letter}.")
    number = 2
    while True:
        yield _with(wanted, f" {number}")
        number += 1


def _with(wanted: str, more: str) -> str:
    return wanted[: LONGEST_NAME - len(more)].rstrip() + more

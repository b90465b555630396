"""Results: how a finished match ended, as far as standings ask. Pure."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Entrant(NamedTuple):
    """Somebody who sat at a match to its end.

    Attributes:
        person: Whose seat it was; empty for a bot, and for somebody who is not known any more.
        place: Their place, from 1; those who share one have the same.
        points: Their points in the game.
        is_bot: Whether a bot held the seat from the beginning.
        stood_in: Whether a bot moved for them.
        resigned: Whether they gave up.
    """

    person: str
    place: int
    points: int
    is_bot: bool = False
    stood_in: bool = False
    resigned: bool = False


class Result(NamedTuple):
    """How a match ended.

    Attributes:
        at: When, in milliseconds since the epoch.
        was_played: Whether there were cards; if not, it was decided by who came.
    """

    match: str
    game: str
    at: int
    entrants: tuple[Entrant, ...]
    was_played: bool = True

    @property
    def has_bots(self) -> bool:
        """Whether a bot sat at the table."""
        return any(entrant.is_bot for entrant in self.entrants)

    @property
    def has_stand_ins(self) -> bool:
        """Whether a bot moved for somebody."""
        return any(entrant.stood_in for entrant in self.entrants)


def in_order(results: Iterable[Result]) -> list[Result]:
    """Return results in the one order that everybody agrees on, however they were collected."""
    return sorted(results, key=lambda result: (result.at, result.match))


def among_people(result: Result) -> tuple[Entrant, ...]:
    """Return the people of a match with their places among themselves: bots, and who is not known, are left out."""
    people = [entrant for entrant in result.entrants if not entrant.is_bot and entrant.person]
    return tuple(
        entrant._replace(place=1 + sum(other.place < entrant.place for other in people)) for entrant in people
    )


def counts(result: Result) -> bool:
    """Tell whether a match counts: at least two people played it, and no bot for any of them."""
    return len(among_people(result)) > 1 and not result.has_stand_ins


def entrants_of(
    ranking: Sequence[Sequence[int]], totals: Sequence[int], seats: Sequence[Entrant]
) -> tuple[Entrant, ...]:
    """Return the entrants with their places and points, given a ranking by seat and who sat where."""
    places: dict[int, int] = {}
    for group in ranking:
        places |= dict.fromkeys(group, len(places) + 1)
    return tuple(
        entrant._replace(place=places.get(seat, len(seats)), points=totals[seat] if seat < len(totals) else 0)
        for seat, entrant in enumerate(seats)
    )

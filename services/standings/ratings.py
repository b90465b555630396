"""Ratings with their uncertainty, by the Plackett-Luce model of ``openskill``."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from openskill.models import PlackettLuce

from services.standings.results import Result, among_people, counts, in_order


class Rating(NamedTuple):
    """How strong somebody is thought to be.

    Attributes:
        strength: The estimate.
        doubt: Its standard deviation; it shrinks with every match.
    """

    strength: float
    doubt: float

    @property
    def at_least(self) -> float:
        """What they are almost surely worth: lists are sorted by it, so that one lucky match leads none."""
        return self.strength - 3 * self.doubt


@cache
def _model() -> PlackettLuce:
    return PlackettLuce()


def newcomer() -> Rating:
    """Return the rating of somebody who has not played yet."""
    rating = _model().rating()
    return Rating(rating.mu, rating.sigma)


def ratings_after(results: Iterable[Result], before: Mapping[str, Rating] | None = None) -> dict[str, Rating]:
    """Return the ratings of all people after results that count, which are taken in their order."""
    known = dict(before or {})
    for result in filter(counts, in_order(results)):
        known |= _rated(result, known)
    return known


def courses(results: Iterable[Result], most: int = 200) -> list[dict[str, Rating]]:
    """Return everybody's ratings after each of the results that count, or after some of them, evenly spread."""
    counted = list(filter(counts, in_order(results)))
    step = max(1, -(-len(counted) // most))
    known: dict[str, Rating] = {}
    found: list[dict[str, Rating]] = []
    for number, result in enumerate(counted, 1):
        known |= _rated(result, known)
        if number % step == 0 or number == len(counted):
            found.append(dict(known))
    return found


def _rated(result: Result, known: Mapping[str, Rating]) -> dict[str, Rating]:
    model, people = _model(), among_people(result)
    before = [known.get(entrant.person, newcomer()) for entrant in people]
    teams = [[model.rating(mu=rating.strength, sigma=rating.doubt)] for rating in before]
    rated = model.rate(teams, ranks=[entrant.place for entrant in people])
    return {
        entrant.person: Rating(rating.mu, rating.sigma)
        for entrant, (rating,) in zip(people, rated, strict=True)
    }

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
    model, known = _model(), dict(before or {})
    for result in in_order(results):
        if not counts(result):
            continue
        people = among_people(result)
        teams = [
            [model.rating(mu=rating.strength, sigma=rating.doubt)]
            for rating in (known.get(entrant.person, newcomer()) for entrant in people)
        ]
        rated = model.rate(teams, ranks=[entrant.place for entrant in people])
        for entrant, (rating,) in zip(people, rated, strict=True):
            known[entrant.person] = Rating(rating.mu, rating.sigma)
    return known

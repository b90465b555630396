"""A table of standings: what each person has done at the matches of one game, in one season. Pure."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from services.standings.ratings import Rating, newcomer, ratings_after
from services.standings.results import Entrant, Result, among_people, counts, in_order

FORM: Final = 5
"""How many of somebody's last places tell their form."""


class Standing(NamedTuple):
    """What somebody has done.

    Attributes:
        matches: How many of theirs count: people only moved for themselves, two of them at least.
        wins: How many they won alone.
        shared: How many they won with others.
        mean_points: The mean of their points.
        mean_place: The mean of their places among people, from 0 (always first) to 1 (always last).
        streak: How many they have won in a row, alone or with others, up to the last one.
        best_streak: The longest such row.
        form: Their last places, the newest last.
        apart: How many more they played in which bots moved for somebody, or with bots alone.
        rating: How strong they are thought to be.
    """

    person: str
    matches: int = 0
    wins: int = 0
    shared: int = 0
    mean_points: float = 0.0
    mean_place: float = 0.0
    streak: int = 0
    best_streak: int = 0
    form: tuple[int, ...] = ()
    apart: int = 0
    rating: Rating = Rating(0.0, 0.0)


class Meeting(NamedTuple):
    """How two people did against each other.

    Attributes:
        better: How often the first one came before the second one.
        worse: How often it was the other way round.
        level: How often they shared a place.
    """

    better: int = 0
    worse: int = 0
    level: int = 0


class _Played(NamedTuple):
    people: tuple[Entrant, ...]
    counts: bool


def standings(results: Iterable[Result]) -> list[Standing]:
    """Return the standings of all people, the best first."""
    ordered = in_order(results)
    ratings = ratings_after(ordered)
    played: dict[str, list[_Played]] = {}
    for result in ordered:
        one = _Played(among_people(result), counts(result))
        for person in {entrant.person for entrant in result.entrants if entrant.person}:
            played.setdefault(person, []).append(one)
    found = [_standing(person, theirs, ratings.get(person, newcomer())) for person, theirs in played.items()]
    return sorted(found, key=lambda one: (not one.matches, -one.rating.at_least, one.person))


def head_to_head(results: Iterable[Result], person: str) -> dict[str, Meeting]:
    """Return how somebody did against each of the others, at the matches that count."""
    found: dict[str, Meeting] = {}
    for result in filter(counts, in_order(results)):
        places = {entrant.person: entrant.place for entrant in among_people(result)}
        if person not in places:
            continue
        for other, place in places.items():
            if other != person:
                found[other] = _met(found.get(other, Meeting()), places[person], place)
    return found


def _met(before: Meeting, mine: int, theirs: int) -> Meeting:
    if mine == theirs:
        return before._replace(level=before.level + 1)
    if mine < theirs:
        return before._replace(better=before.better + 1)
    return before._replace(worse=before.worse + 1)


def _standing(person: str, played: Sequence[_Played], rating: Rating) -> Standing:
    counted = [one.people for one in played if one.counts]
    mine = [next(one for one in people if one.person == person) for people in counted]
    firsts = [[one.person for one in people if one.place == 1] for people in counted]
    won = [person in group for group in firsts]
    return Standing(
        person,
        matches=len(mine),
        wins=sum(group == [person] for group in firsts),
        shared=sum(person in group and len(group) > 1 for group in firsts),
        mean_points=_mean([one.points for one in mine]),
        mean_place=_mean(
            [(one.place - 1) / (len(people) - 1) for one, people in zip(mine, counted, strict=True)]
        ),
        streak=_last_run(won),
        best_streak=_longest_run(won),
        form=tuple(one.place for one in mine[-FORM:]),
        apart=len(played) - len(counted),
        rating=rating,
    )


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


def _last_run(won: Sequence[bool]) -> int:
    run = 0
    for one in reversed(won):
        if not one:
            break
        run += 1
    return run


def _longest_run(won: Sequence[bool]) -> int:
    longest = run = 0
    for one in won:
        run = run + 1 if one else 0
        longest = max(longest, run)
    return longest

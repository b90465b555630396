"""Standings as they are answered."""

from collections.abc import Iterable, Mapping

import msgspec

from services.standings.table import Meeting, Standing


class StandingShown(msgspec.Struct, frozen=True):
    """What somebody has done.

    Attributes:
        rank: Their rank, from 1; null for who has no match that counts.
        member: Their id in the club; empty for somebody who has left it.
        name: What they are called.
        matches: How many of their matches count: two people at least, and no bot moved for any of them.
        wins: How many they won alone.
        shared: How many they won with others.
        mean_points: The mean of their points.
        mean_place: The mean of their places among people, from 0 (always first) to 1 (always last).
        streak: How many they have won in a row up to the last one.
        best_streak: The longest such row.
        form: Their last places, the newest last.
        apart: How many more they played with bots alone, or with a bot that stood in for somebody.
        rating: How strong they are thought to be.
        doubt: How sure that is not: the standard deviation of the rating.
    """

    rank: int | None
    member: str
    name: str
    matches: int
    wins: int
    shared: int
    mean_points: float
    mean_place: float
    streak: int
    best_streak: int
    form: tuple[int, ...]
    apart: int
    rating: float
    doubt: float


class MeetingShown(msgspec.Struct, frozen=True):
    """How somebody did against another one.

    Attributes:
        member: The other one's id in the club; empty for somebody who has left it.
        name: What they are called.
        better: How often the first one came before them.
        worse: How often it was the other way round.
        level: How often they shared a place.
    """

    member: str
    name: str
    better: int
    worse: int
    level: int


class ClubStandings(msgspec.Struct, frozen=True):
    """The standings of a club in one game and season.

    Attributes:
        game: The game.
        season: The season.
        seasons: The seasons that have results, the newest first.
        matches: How many matches they are made of.
        standings: By rank; those without a match that counts come last.
        meetings: How the member that was asked for did against each of the others.
    """

    game: str
    season: str
    seasons: tuple[str, ...]
    matches: int
    standings: tuple[StandingShown, ...]
    meetings: tuple[MeetingShown, ...]


class Called(msgspec.Struct, frozen=True):
    """Somebody in a club's results.

    Attributes:
        member: Their id in the club; empty for somebody who has left it.
        name: What they are called.
    """

    member: str
    name: str


def shown_standings(found: Iterable[Standing], called: Mapping[str, Called]) -> tuple[StandingShown, ...]:
    """Return standings as they are answered, best first."""
    shown = []
    for number, one in enumerate(found, 1):
        who = called[one.person]
        shown.append(
            StandingShown(
                number if one.matches else None,
                who.member,
                who.name,
                one.matches,
                one.wins,
                one.shared,
                round(one.mean_points, 2),
                round(one.mean_place, 3),
                one.streak,
                one.best_streak,
                one.form,
                one.apart,
                round(one.rating.strength, 2),
                round(one.rating.doubt, 2),
            )
        )
    return tuple(shown)


def shown_meetings(found: Mapping[str, Meeting], called: Mapping[str, Called]) -> tuple[MeetingShown, ...]:
    """Return meetings as they are answered, by name."""
    shown = [MeetingShown(called[who].member, called[who].name, *met) for who, met in found.items()]
    return tuple(sorted(shown, key=lambda one: (one.name.casefold(), one.member)))

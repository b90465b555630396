"""What the API tells of leagues."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import msgspec

from api.parts import Parts
from domain.instants import EARLIEST, Instant
from services.people.clubs.club import Club
from services.people.clubs.league import League, LeagueRound, LeagueState, LeagueTable, LeagueTerms
from services.people.clubs.member_names import member_names
from services.people.persons import Persons
from services.standings.leagues.changes import may_run
from services.standings.leagues.reading import LeagueStanding
from services.standings.leagues.results import TableState, key_of, state_of
from services.standings.leagues.table import DecidedBy, LeagueRow, points_of
from services.standings.results import Result, among_people
from services.words.phrases import phrase, words_in

_FORMER = phrase("Former member {number}")


class LeagueEntrantShown(msgspec.Struct, frozen=True):
    """Somebody who takes part.

    Attributes:
        member: Their id in the club; empty for somebody who has left it.
        name: What they are called.
        left: Whether they have left the league: they get no more tables, and what they played stands.
    """

    member: str
    name: str
    left: bool


class LeagueTableShown(msgspec.Struct, frozen=True):
    """A table of a round.

    Attributes:
        match: The match; empty before the round opens.
        state: ``planned``, ``waiting`` (for people), ``playing``, ``finished``, ``unplayed`` (not all came in time: it
            counts for those who did) or ``without_result`` (it counts for nobody).
        seats: Who sits there, by their place in `entrants`, in the order of the seats. Bots have the seats after those.
        places: The place of each of them among people; empty without a result.
        points: What it counts for, for each of them; empty without a result.
    """

    match: str
    state: TableState
    seats: tuple[int, ...]
    places: tuple[int, ...]
    points: tuple[float, ...]


class LeagueRoundShown(msgspec.Struct, frozen=True):
    """A round.

    Attributes:
        opens: When it opens, or did.
        ends: Until when its tables begin; what has begun is played to its end.
        is_open: Whether it has opened.
        is_over: Whether all its tables are over.
        tables: Its tables.
        resting: Who has no table in it, by their place in `entrants`.
    """

    opens: Instant
    ends: Instant
    is_open: bool
    is_over: bool
    tables: tuple[LeagueTableShown, ...]
    resting: tuple[int, ...]


class LeagueRowShown(msgspec.Struct, frozen=True):
    """A row of a league's table of results.

    Attributes:
        rank: From 1; those who are level in everything share it.
        member: Their id in the club; empty for somebody who has left it.
        name: What they are called.
        points: What their tables counted for.
        played: At how many tables they have a result.
        wins: At how many of them nobody came before them.
        between: Their points against those alone who are level with them in points and wins.
        mean_place: The mean of their places among people, from 0 (always first) to 1 (always last, or not there); null
            before the first table.
        mean_points: The mean of their points in the games; null before the first one. It decides nothing.
        missed: To how many tables they did not come.
        stood_in: At how many a bot moved for them. It counts all the same.
        left: Whether they have left the league.
        decided_by: What puts them behind the one above, who has as many points: ``wins``, ``between``,
            ``placing`` (the mean of places), or ``nothing`` (they share the rank); empty where the points do.
    """

    rank: int
    member: str
    name: str
    points: float
    played: int
    wins: int
    between: float
    mean_place: float | None
    mean_points: float | None
    missed: int
    stood_in: int
    left: bool
    decided_by: DecidedBy


class LeagueInList(msgspec.Struct, frozen=True):
    """A league of a club, in their list.

    Attributes:
        entrants: How many take part.
        asked: Whether you were asked to take part and have not answered.
        takes_part: Whether you take part.
    """

    id: str
    name: str
    game: str
    state: LeagueState
    entrants: int
    asked: bool
    takes_part: bool


class LeagueList(msgspec.Struct, frozen=True):
    """The leagues of a club, those that were made last first."""

    leagues: tuple[LeagueInList, ...]


class LeagueShown(msgspec.Struct, frozen=True):
    """A league.

    Attributes:
        state: ``gathering`` (people sign up), ``running``, ``finished`` or ``called_off``.
        terms: What it is played by. What is left out is as usual.
        entrants: Who takes part, in the order in which they signed up.
        asked: Who was asked and has not answered.
        you: Your place in `entrants`; null if you never took part.
        may_run: Whether you may begin it, call it off and settle its tables.
        ended: When it was finished or called off; null before.
        rounds: The schedule.
        table: The table of results, the best first.
    """

    id: str
    name: str
    state: LeagueState
    terms: LeagueTerms
    entrants: tuple[LeagueEntrantShown, ...]
    asked: tuple[LeagueEntrantShown, ...]
    you: int | None
    may_run: bool
    ended: Instant | None
    rounds: tuple[LeagueRoundShown, ...]
    table: tuple[LeagueRowShown, ...]


def row_of_league(league: League, person: str) -> LeagueInList:
    """Return a league in the list of somebody of its club."""
    return LeagueInList(
        league.id,
        league.name,
        league.terms.game,
        league.state,
        len(league.playing),
        person in league.invited,
        league.takes_part(person),
    )


async def shown_league(parts: Parts, club: Club, league: League, person: str, language: str) -> LeagueShown:
    """Return a league as somebody of its club sees it."""
    standing = await parts.application.league_reader.standing(league)
    entrants, asked = await called(parts.application.persons, club, league, language)
    return LeagueShown(
        league.id,
        league.name,
        league.state,
        league.terms,
        entrants,
        asked,
        league.number_of(person),
        may_run(league, club, person),
        league.ended or None,
        tuple(_round(standing, number, one) for number, one in enumerate(league.rounds)),
        league_rows(standing, entrants),
    )


async def called(
    persons: Persons, club: Club, league: League, language: str
) -> tuple[tuple[LeagueEntrantShown, ...], tuple[LeagueEntrantShown, ...]]:
    """Return how those who take part and those who were asked are called."""
    names = await member_names(persons, club, language)
    known = {member.person: LeagueEntrantShown(member.id, names[member.id], False) for member in club.members}
    words, former, shown = words_in(language), 0, list[LeagueEntrantShown]()
    for one in league.entrants:
        found = known.get(one.person)
        if found is None:
            former += 1
            found = LeagueEntrantShown("", words.say(_FORMER, number=former), left=True)
        shown.append(msgspec.structs.replace(found, left=not one.plays or found.left))
    return tuple(shown), tuple(known[one] for one in league.invited if one in known)


def league_rows(
    standing: LeagueStanding, entrants: Sequence[LeagueEntrantShown]
) -> tuple[LeagueRowShown, ...]:
    """Return the table of results."""
    decided = zip(standing.table, standing.decided, strict=True)
    return tuple(_row(row, entrants[int(row.entrant)], by) for row, by in decided)


def _row(row: LeagueRow, who: LeagueEntrantShown, by: DecidedBy) -> LeagueRowShown:
    played_cards = row.played > row.missed
    return LeagueRowShown(
        row.rank,
        who.member,
        who.name,
        rounded(row.points),
        row.played,
        row.wins,
        rounded(row.between),
        rounded(1 - row.placing) if row.played else None,
        rounded(row.game_points) if played_cards else None,
        row.missed,
        row.stood_in,
        who.left,
        by,
    )


def rounded(points: Fraction) -> float:
    """Return points as they are shown; they are compared exactly."""
    return round(float(points), 3)


def _round(standing: LeagueStanding, number: int, one: LeagueRound) -> LeagueRoundShown:
    results = {result.match: result for result in standing.results[number]}
    seated = {who for table in one.tables for who in table.seats}
    return LeagueRoundShown(
        one.opens,
        one.ends,
        one.is_open,
        one.is_over,
        tuple(_table(standing, table, results) for table in one.tables),
        tuple(who for who in _expected(standing.league, one) if who not in seated),
    )


def _expected(league: League, one: LeagueRound) -> Sequence[int]:
    """Return who could have had a table in a round: those who had not left before it ended."""
    return [
        number
        for number, entrant in enumerate(league.entrants)
        if entrant.left == EARLIEST or entrant.left > one.ends
    ]


def _table(standing: LeagueStanding, table: LeagueTable, results: Mapping[str, Result]) -> LeagueTableShown:
    state, result = state_of(table, standing.rows), results.get(table.match)
    if result is None:
        return LeagueTableShown(table.match, state, table.seats, (), ())
    found = {one.person: one for one in among_people(result)}
    people = [found[key_of(who)] for who in table.seats]
    return LeagueTableShown(
        table.match,
        state,
        table.seats,
        tuple(one.place for one in people),
        tuple(rounded(points_of(one, result, standing.scoring)) for one in people),
    )

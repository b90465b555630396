"""What a league becomes, or why not. Pure.

Whoever acts is a person by their id. Each change may raise:

- ``Refused``: The league does not allow it now.
- ``NoSuchMember``: Somebody named does not take part, or is not in the club.
- ``ClubRoleNeeded``: They are neither the league's maker nor one who runs all leagues of the club.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from domain.errors import Refused
from domain.instants import EARLIEST, Instant, after, seconds_between
from services.errors import ClubRoleNeeded, NoSuchMember
from services.people.clubs.club import Club
from services.people.clubs.league import (
    LONGEST_LEAGUE_NAME,
    MOST_ENTRANTS,
    League,
    LeagueEntrant,
    LeagueRound,
    LeagueTable,
    LeagueTerms,
)
from services.people.clubs.roles import may
from services.people.player_names import readable
from services.standings.leagues.schedule import Round, schedule
from services.standings.leagues.terms import check_terms, smallest_table

_A_DAY: Final = 24 * 3600

ON_TIME_SECONDS: Final = 3600
"""A round that opens later than this, because the service was away, moves the dates of all that follow."""

Naming = Callable[[int, int, int], str]
"""Gives the match of a table by its round, its number there, and how often it was made anew."""


def may_run(league: League, club: Club, actor: str) -> bool:
    """Tell whether somebody may begin a league, call it off, and settle its tables."""
    role = club.role(actor)
    return may(role, "run_leagues") or (league.maker == actor and may(role, "make_leagues"))


def require_run(league: League, club: Club, actor: str) -> None:
    """Refuse what only those do who run a league."""
    if not may_run(league, club, actor):
        raise ClubRoleNeeded(club.role(actor) or "", "run_leagues")


def made(league: str, club: Club, maker: str, name: str, terms: LeagueTerms, now: Instant) -> League:
    """Return a new league that gathers people."""
    shown = readable(name, LONGEST_LEAGUE_NAME)
    if not shown:
        raise Refused("league.name_missing", "names", longest=LONGEST_LEAGUE_NAME)
    check_terms(terms)
    if terms.starts != EARLIEST and terms.starts <= now:
        raise Refused("league.starts_too_early", "dates")
    return League(league, club.id, shown, maker, now, terms)


def signed_up(league: League, person: str, now: Instant) -> League:
    """Let somebody take part. Who takes part already stays as they are."""
    _require_gathering(league)
    if league.takes_part(person):
        return league
    if league.terms.by_invitation and person not in (*league.invited, league.maker):
        raise Refused("league.by_invitation", "taking part")
    if len(league.entrants) >= MOST_ENTRANTS:
        raise Refused("league.full", "taking part", most=MOST_ENTRANTS)
    return replace(
        league,
        entrants=(*league.entrants, LeagueEntrant(person, now)),
        invited=tuple(one for one in league.invited if one != person),
    )


def asked(league: League, persons: Sequence[str]) -> League:
    """Ask people to take part. They answer by signing up or by declining."""
    _require_gathering(league)
    known = (*league.invited, *(one.person for one in league.entrants))
    fresh = [one for one in dict.fromkeys(persons) if one not in known]
    if len(league.invited) + len(league.entrants) + len(fresh) > MOST_ENTRANTS:
        raise Refused("league.full", "taking part", most=MOST_ENTRANTS)
    return replace(league, invited=(*league.invited, *fresh))


def withdrawn(league: League, person: str, now: Instant) -> League:
    """Take somebody out: before the beginning without a trace; later their results stay, and others get their places.

    Somebody who was only asked declines by it.
    """
    if league.is_over:
        raise Refused("league.over", "leagues")
    if person in league.invited:
        return replace(league, invited=tuple(one for one in league.invited if one != person))
    if not league.takes_part(person):
        raise NoSuchMember
    if league.state == "gathering":
        return replace(league, entrants=tuple(one for one in league.entrants if one.person != person))
    left = tuple(replace(one, left=now) if one.person == person else one for one in league.entrants)
    return rescheduled(replace(league, entrants=left))


def begun(league: League, now: Instant) -> League:
    """Begin a league: nobody signs up any more, and the schedule is made. The first round opens at once."""
    _require_gathering(league)
    league = replace(league, entrants=tuple(one for one in league.entrants if one.plays), invited=())
    fewest = smallest_table(league.terms)
    if len(league.entrants) < fewest:
        raise Refused("league.too_few", "taking part", fewest=fewest, count=len(league.entrants))
    return rescheduled(replace(league, state="running"), now)


def called_off(league: League, now: Instant) -> League:
    """End a league early. What was played stands; rounds that did not open are dropped."""
    if league.is_over:
        raise Refused("league.over", "leagues")
    opened = tuple(one for one in league.rounds if one.is_open)
    return replace(league, state="called_off", ended=now, rounds=opened, invited=())


def rescheduled(league: League, begins: Instant = EARLIEST) -> League:
    """Make the rounds that have not opened anew, with those who still take part."""
    terms, opened = league.terms, [one for one in league.rounds if one.is_open]
    before: list[Round] = [tuple(table.seats for table in one.tables) for one in opened]
    left = terms.rounds if begins else len(league.rounds) - len(opened)
    # A league of everybody against everybody has as many rounds as that takes, also when people have left.
    wanted = left if terms.rounds else 0
    following: Sequence[Round] = ()
    if wanted or (not terms.rounds and (begins or left)):
        following = schedule(league.playing, terms.seats, wanted, smallest_table(terms), before)
    opens = opened[-1].ends if opened else begins or next((one.opens for one in league.rounds), league.since)
    fresh = [LeagueRound(opens, opens, tuple(map(LeagueTable, tables))) for tables in following]
    return replace(league, rounds=(*opened, *_dated(fresh, opens, terms.days)))


def opened(league: League, number: int, name: Naming, now: Instant) -> League:
    """Open a round: from now on its tables have names. The same round opens once."""
    if league.state != "running" or number >= len(league.rounds) or league.rounds[number].is_open:
        return league
    rounds = list(league.rounds)
    planned = rounds[number].opens
    is_late = seconds_between(planned, now) > ON_TIME_SECONDS
    opens = now if is_late or now < planned else planned
    following = _dated(rounds[number:], opens, league.terms.days)
    tables = tuple(
        replace(table, match=name(number, which, table.attempt))
        for which, table in enumerate(rounds[number].tables)
    )
    following[0] = replace(following[0], tables=tables, is_open=True)
    return replace(league, rounds=(*rounds[:number], *following))


def settled(league: League, tables: Mapping[str, LeagueTable]) -> League:
    """Replace tables by what became of them, by match. One that somebody else has replaced meanwhile stays."""
    rounds = tuple(
        replace(
            one,
            tables=tuple(tables.get(table.match, table) if table.match else table for table in one.tables),
        )
        for one in league.rounds
    )
    return league if rounds == league.rounds else replace(league, rounds=rounds)


def again(league: League, match: str, name: Naming, now: Instant) -> League:
    """Have a table played again that ended without a result; it has as many days as a round."""
    number, which, table = place_of(league, match)
    if league.is_over:
        raise Refused("league.over", "leagues")
    if not table.is_over:
        raise Refused("league.table_not_over", "tables")
    fresh = made_anew(league, number, which, table, name)
    return settled(league, {match: replace(fresh, until=after(now, league.terms.days * _A_DAY))})


def made_anew(league: League, number: int, which: int, table: LeagueTable, name: Naming) -> LeagueTable:
    """Return a table once more, without those who have left the league.

    Where too few are left to play, those who are there have come, and the others have not.
    """
    seats = tuple(one for one in table.seats if league.entrants[one].plays)
    if len(seats) < smallest_table(league.terms):
        return replace(table, is_over=True, came=seats)
    attempt = table.attempt + 1
    return LeagueTable(seats, name(number, which, attempt), attempt)


def place_of(league: League, match: str) -> tuple[int, int, LeagueTable]:
    """Return the round of a match's table, its number there, and the table."""
    for number, one in enumerate(league.rounds):
        for which, table in enumerate(one.tables):
            if match and table.match == match:
                return number, which, table
    raise Refused("league.table_unknown", "tables")


def finished(league: League, now: Instant) -> League:
    """End a league whose rounds are all over."""
    if league.state != "running" or not all(one.is_over for one in league.rounds):
        return league
    return replace(league, state="finished", ended=now)


def reconciled(league: League, members: Collection[str], now: Instant) -> League:
    """Take out who is no longer in the club, or was erased."""
    if league.is_over:
        return league
    invited = tuple(one for one in league.invited if one in members)
    gone = [one for one in league.entrants if one.left == EARLIEST and one.person not in members]
    if not gone:
        return league if invited == league.invited else replace(league, invited=invited)
    if league.state == "gathering":
        entrants = tuple(one for one in league.entrants if one not in gone)
        return replace(league, invited=invited, entrants=entrants)
    entrants = tuple(replace(one, left=now) if one in gone else one for one in league.entrants)
    return rescheduled(replace(league, invited=invited, entrants=entrants))


def _dated(rounds: Sequence[LeagueRound], opens: Instant, days: int) -> list[LeagueRound]:
    dated = []
    for one in rounds:
        ends = after(opens, days * _A_DAY)
        dated.append(replace(one, opens=opens, ends=ends))
        opens = ends
    return dated


def _require_gathering(league: League) -> None:
    if league.is_over:
        raise Refused("league.over", "leagues")
    if league.state != "gathering":
        raise Refused("league.begun", "leagues")

"""A league as its page shows it: its state in a sentence, the table of results, the schedule, the terms."""

from collections.abc import Sequence
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from api.answering.leagues import LeagueEntrantShown, LeagueRoundShown, LeagueRowShown, LeagueShown
from api.pages.plots import DRAWN, Curve, curves
from domain.instants import Instant
from services.bootstrap import present_instant
from services.people.clubs.league import LeagueTerms
from services.standings.leagues.reading import LeagueStanding
from services.standings.leagues.results import key_of
from services.standings.leagues.table import courses_of
from services.words.leagues import DECIDED_NAMES, LEAGUE_TABLE_STATES, POINTS_NAMES
from services.words.names import game_name, level_name, option_name, option_value
from services.words.numbers import decimal
from services.words.phrases import counted, phrase, words_in
from services.words.times import duration, local_moment

_ROUNDS: Final = counted("{count} round", "{count} rounds", "count")
_DAYS: Final = counted("{count} day for each round", "{count} days for each round", "count")


class ResultRow(NamedTuple):
    """A row of the table of results, with numbers as the reader's language writes them.

    Attributes:
        why: What puts them behind the one above, who has as many points; empty where the points do.
    """

    rank: int
    name: str
    points: str
    played: int
    wins: int
    mean: str
    missed: int
    stood_in: int
    left: bool
    why: str


class SeatRow(NamedTuple):
    """Somebody at a table.

    Attributes:
        place: Their place among people; 0 without a result.
        points: What it counts for.
    """

    name: str
    place: int
    points: str
    is_reader: bool


class TableRow(NamedTuple):
    """A table of a round.

    Attributes:
        address: Where it is, for this reader; empty before the round opens.
        is_mine: Whether the reader has a seat there that waits or plays.
        does: What who runs the league may do there: ``end``, ``again`` or nothing.
    """

    number: int
    match: str
    address: str
    state: str
    seats: tuple[SeatRow, ...]
    is_mine: bool
    does: str


class RoundRow(NamedTuple):
    """A round.

    Attributes:
        when: From when to when, in the reader's time zone; of one that is over, when it opened.
        resting: Who has no table.
    """

    number: int
    when: str
    is_open: bool
    is_over: bool
    tables: tuple[TableRow, ...]
    resting: str


class Reader(NamedTuple):
    """Who reads: in which language, in which time zone."""

    language: str
    zone: ZoneInfo

    def moment(self, instant: Instant) -> str:
        """Return an instant as a clock on the reader's wall shows it."""
        said = local_moment(instant, self.zone, present_instant(), self.language)
        return f"{said} UTC" if self.zone.key == "UTC" else said

    def number(self, value: float) -> str:
        """Return a number with two digits at most behind the point."""
        return decimal(value, self.language)


def result_rows(rows: Sequence[LeagueRowShown], reader: Reader) -> list[ResultRow]:
    """Return the rows of the table of results."""
    words = words_in(reader.language)
    return [
        ResultRow(
            one.rank,
            one.name,
            reader.number(one.points),
            one.played,
            one.wins,
            "" if one.mean_place is None else reader.number(one.mean_place),
            one.missed,
            one.stood_in,
            one.left,
            # Before anything is played, all are level, and nobody wonders why.
            words.say(DECIDED_NAMES[one.decided_by]) if one.decided_by and one.played else "",
        )
        for one in rows
    ]


def round_rows(shown: LeagueShown, reader: Reader) -> list[RoundRow]:
    """Return the schedule."""
    words = words_in(reader.language)
    return [
        RoundRow(
            number + 1,
            reader.moment(one.opens)
            if one.is_over
            else words.say(
                phrase("{begins} to {ends}"), begins=reader.moment(one.opens), ends=reader.moment(one.ends)
            ),
            one.is_open,
            one.is_over,
            _tables(shown, one, reader),
            ", ".join(shown.entrants[who].name for who in one.resting),
        )
        for number, one in enumerate(shown.rounds)
    ]


def my_tables(rounds: Sequence[RoundRow]) -> list[TableRow]:
    """Return the reader's tables that wait for them or are played."""
    return [table for one in rounds for table in one.tables if table.is_mine]


def terms_said(terms: LeagueTerms, reader: Reader) -> list[str]:
    """Return what a league is played by, a line each."""
    words, language = words_in(reader.language), reader.language
    said = [
        words.say(
            phrase("{game}, up to {seats} at a table"),
            game=game_name(terms.game, language),
            seats=terms.seats,
        ),
        words.say(_ROUNDS, count=terms.rounds)
        if terms.rounds
        else words.say(phrase("as many rounds as it takes until everybody has met everybody")),
        words.say(_DAYS, count=terms.days),
        words.say(phrase("the next round waits for its date"))
        if terms.waits
        else words.say(phrase("the next round opens as soon as all tables are over")),
        words.say(phrase("a table counts: {rule}"), rule=_rule(terms, reader)),
        words.say(
            phrase("bots fill tables up: {level}; they count for nobody"),
            level=level_name(terms.bots, language),
        )
        if terms.bots
        else words.say(phrase("no bots sit at its tables")),
        words.say(
            phrase("time for each turn: {time}"),
            time=duration(terms.clock.per_turn, language)
            if terms.clock.per_turn
            else words.say(phrase("no limit")),
        ),
    ]
    for option, value in terms.options.items():
        name = option_name(terms.game, option, language)
        said.append(f"{name}: {option_value(terms.game, option, value, language)}")
    if terms.friendly:
        said.append(words.say(phrase("its results do not count in the club's standings")))
    return said


def points_curves(standing: LeagueStanding, entrants: Sequence[LeagueEntrantShown]) -> list[Curve]:
    """Return the points of the best after each round as lines of a plot."""
    keys = [key_of(number) for number in range(len(entrants))]
    best = [row.entrant for row in standing.table[:DRAWN]]
    courses = courses_of(keys, standing.results, standing.scoring)
    drawn = [{key: float(points) for key, points in one.items()} for one in courses]
    # All begin with nothing.
    start = [dict.fromkeys(keys, 0.0)] if drawn else []
    return curves(best, [*start, *drawn], {key: entrants[int(key)].name for key in keys})


def starts_said(terms: LeagueTerms, reader: Reader) -> str:
    """Return when a league begins by itself; empty if it does not, or would have if enough had taken part."""
    return reader.moment(terms.starts) if terms.starts > present_instant() else ""


def _rule(terms: LeagueTerms, reader: Reader) -> str:
    words = words_in(reader.language)
    if terms.points != "places":
        return words.say(POINTS_NAMES[terms.points])
    return words.say(phrase("by places, {points}"), points=", ".join(map(str, terms.places)))


def _tables(shown: LeagueShown, one: LeagueRoundShown, reader: Reader) -> tuple[TableRow, ...]:
    words = words_in(reader.language)
    rows = []
    for number, table in enumerate(one.tables, 1):
        is_mine = shown.you in table.seats and table.state in {"waiting", "playing"}
        people = tuple(
            SeatRow(
                shown.entrants[who].name,
                table.places[seat] if table.places else 0,
                reader.number(table.points[seat]) if table.points else "",
                who == shown.you,
            )
            for seat, who in enumerate(table.seats)
        )
        address = f"/m/{table.match}" if table.match else ""
        if is_mine and table.state == "waiting":
            address += "/sit"
        does = "end" if table.state in {"waiting", "playing"} else ""
        if table.state == "without_result" and shown.state == "running":
            does = "again"
        rows.append(
            TableRow(
                number,
                table.match,
                address,
                words.say(LEAGUE_TABLE_STATES[table.state]),
                people,
                is_mine,
                does if shown.may_run and shown.state == "running" else "",
            )
        )
    return tuple(rows)

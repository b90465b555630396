"""``tablee club leagues`` and ``tablee club league``: leagues of clubs, for the operator."""

import click
import msgspec

from api.answering.leagues import LeagueRowShown, called, league_rows
from api.answering.spreadsheets import spreadsheet
from api.command_line.call import Call, call_options
from api.command_line.group import CommandFailed
from api.command_line.output import say, say_json, say_table, tell
from services.bootstrap.log_parts import LogParts
from services.people.persons import Persons
from services.standings.leagues.reading import LeagueReader


class _Row(msgspec.Struct, frozen=True):
    """A league in the list.

    Attributes:
        people: How many take part.
        rounds: How many rounds its schedule has; 0 before it begins.
    """

    id: str
    name: str
    game: str
    state: str
    people: int
    rounds: int


class _Shown(msgspec.Struct, frozen=True):
    """A league with its table of results."""

    id: str
    name: str
    state: str
    table: tuple[LeagueRowShown, ...]


@click.command()
@click.argument("club_id", metavar="CLUB")
@call_options()
def leagues(*, club_id: str, call: Call) -> None:
    """List the leagues of a club, those that were made last first."""
    rows = call.work(lambda parts: _rows(parts, club_id))
    if call.as_json:
        for row in rows:
            say_json(row)
    elif not rows:
        tell("There is no league in this club. Its members make them on its page.")
    else:
        say_table(
            ("league", "name", "game", "state", "people", "rounds"),
            [(row.id, row.name, row.game, row.state, str(row.people), str(row.rounds)) for row in rows],
        )


@click.command()
@click.argument("league_id", metavar="LEAGUE")
@click.option("--csv", "as_csv", is_flag=True, help="Print the table as a spreadsheet.")
@call_options()
def league(*, league_id: str, as_csv: bool, call: Call) -> None:
    """Show the table of results of a league. `tablee club leagues CLUB` names the leagues."""
    shown = call.work(lambda parts: _shown(parts, league_id))
    if call.as_json:
        say_json(shown)
    elif as_csv:
        # The lines end as spreadsheets want them: nothing may be added to them.
        click.echo(spreadsheet(LeagueRowShown, shown.table), nl=False)
    else:
        say(f"{shown.name}: {shown.state}")
        say_table(
            ("rank", "name", "points", "tables", "won", "missed"),
            [
                (str(one.rank), one.name, f"{one.points:g}", str(one.played), str(one.wins), str(one.missed))
                for one in shown.table
            ],
        )


async def _rows(parts: LogParts, club_id: str) -> list[_Row]:
    if await parts.clubs.of(club_id) is None:
        raise CommandFailed(f"There is no club {club_id}: `tablee club list`.")
    return [
        _Row(one.id, one.name, one.terms.game, one.state, len(one.playing), len(one.rounds))
        for one in await parts.clubs.leagues.of_club(club_id)
    ]


async def _shown(parts: LogParts, league_id: str) -> _Shown:
    found = await parts.clubs.leagues.of(league_id)
    club = None if found is None else await parts.clubs.of(found.club)
    if found is None or club is None:
        raise CommandFailed(f"There is no league {league_id}: `tablee club leagues CLUB`.")
    entrants, _ = await called(Persons(parts.log_client), club, found, "en")
    standing = await LeagueReader(parts.rows).standing(found)
    return _Shown(found.id, found.name, found.state, league_rows(standing, entrants))

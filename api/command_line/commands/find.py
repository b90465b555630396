"""``tablee find``."""

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Final, Literal

import click

from api.command_line.call import Call, call_options, require_good
from api.command_line.found_matches import Found, found_matches
from api.command_line.many import spread_as_they_come
from api.command_line.options import jobs_option
from api.command_line.output import say, say_json, say_table, tell
from api.command_line.progress import show_progress
from api.command_line.remote import asked
from api.command_line.searching import Done, Search, searched
from api.command_line.values import REASON
from api.requests.instants import given_instant
from domain.games.registry import CURRENT
from domain.instants import Instant
from services.process.service_log import configure_logs
from services.projections.listing import MatchFilter
from services.projections.matches import STATES, MatchRow, State
from services.watch.finding.errors import BadExpression
from services.watch.finding.predicate import Predicate
from services.watch.finding.searching import Query, event_types

_PAGE: Final = 100
_HEAD: Final = ("MATCH", "GAME", "STATE", "VERSION", "CHANGED", "PLAYERS")
_ARCHIVED: Final = "archived"


@click.command()
@click.option("--player", metavar="NAME|ID", help="Only matches of this player, by name or opaque id.")
@click.option("--game", type=click.Choice(sorted(CURRENT)), help="Only matches of this game.")
@click.option("--state", type=click.Choice((*STATES, _ARCHIVED)), help="Only matches in this state.")
@click.option(
    "--since",
    metavar="INSTANT",
    help="Only matches last changed at this instant (2026-11-29T18:00Z) or day, or later.",
)
@click.option("--until", metavar="INSTANT", help="Only matches last changed before this instant or day.")
@click.option("--event", metavar="TYPE", help="Search the logs for events of this kind, such as RoundScored.")
@click.option(
    "--where",
    metavar="EXPRESSION",
    help="Search the logs for moments at which this is true; with --event, only at such events.",
)
@click.option(
    "--unseal",
    type=REASON,
    metavar="REASON",
    help="Let --where look into running matches, too. This reason is first recorded in each one's log.",
)
@jobs_option
@call_options(remote=True)
def find(
    *,
    player: str | None,
    game: str | None,
    state: State | Literal["archived"] | None,
    since: str | None,
    until: str | None,
    event: str | None,
    where: str | None,
    unseal: str | None,
    jobs: int,
    call: Call,
) -> None:
    """Find matches, or moments in their logs. Running, finished and archived matches are searched.

    Without --event and --where, the command lists matches. With them, it searches their logs and prints a line for each
    hit. EXPRESSION is a Python expression about one moment. It may use type, version, at, door, actor, match, phase,
    seats, options, event (the event's fields), game (the table after the event, with nothing hidden) and before (the
    table before it). Example: all rounds in which the closer's points were doubled because of a tie: --event
    RoundScored --where "event.doubled is not None and event.raw[event.doubled] == min(event.raw)".

    Without --event, a hit is a moment at which the expression becomes true. In running matches, --event finds what
    everybody may see. --where leaves running matches out and counts them, unless --unseal gives a reason.
    """
    # Finished and abandoned matches go to the archive: where a match is comes beside how far it is.
    reached = None if state == "archived" else state
    wanted = MatchFilter(None, game, reached, _instant("--since", since), _instant("--until", until))
    if wanted.since is not None and wanted.until is not None and wanted.since >= wanted.until:
        raise click.UsageError("--since must be earlier than --until.")
    if player is not None and not player.strip():
        raise click.UsageError("--player takes a name or an opaque id.")
    call.refuse_with_server("logs are searched in the store", event=event, where=where, unseal=unseal)
    if call.remote is not None:
        with asked(call.remote) as client:
            rows = client.matches(player=player, game=game, state=reached, since=since, until=until)
            _say_rows(call, _kept(state, _by_pages(rows)))
        return
    query = _query(game, event, where, unseal)
    # What the parts tell of their work goes where the service's log goes, and only what is wrong.
    configure_logs("console", "error", process="tablee")
    with call.log() as log:
        found = _kept(state, found_matches(log, wanted, player))
        if query is None:
            _say_rows(call, found)
            return
        good = _search(call, Search(log, query, unseal), found, jobs)
    require_good(good)


def _instant(option: str, given: str | None) -> Instant | None:
    if given is None:
        return None
    instant = given_instant(given)
    if instant is None:
        raise click.UsageError(
            f"{option} takes an instant with its zone (2026-11-29T18:00Z) or a day, not {given!r}."
        )
    return instant


def _by_pages(rows: Iterator[MatchRow]) -> Iterator[Found]:
    while some := tuple(islice(rows, _PAGE)):
        yield Found(some, {})


def _kept(state: str | None, found: Iterable[Found]) -> Iterator[Found]:
    """Leave out what is not in the archive, if only that is wanted: no event says so, and no filter knows."""
    for some in found:
        yield some._replace(rows=[row for row in some.rows if state != _ARCHIVED or row.archived])


def _query(game: str | None, event: str | None, where: str | None, unseal: str | None) -> Query | None:
    """Return what is to be searched for; None when matches are only to be listed."""
    if event is not None:
        _require_event(game, event)
    if unseal is not None and where is None:
        raise click.UsageError("--unseal is for --where: nothing else looks at what is sealed.")
    if where is not None:
        try:
            Predicate(where)
        except BadExpression as error:
            raise click.UsageError(str(error)) from error
    return None if event is None and where is None else Query(event, where)


def _require_event(game: str | None, event: str) -> None:
    if event in event_types(game):
        return
    if game is not None and event in event_types(None):
        own = ", ".join(sorted(event_types(game)))
        raise click.UsageError(f"No match of {game} has an event {event!r}. There are: {own}.")
    near = difflib.get_close_matches(event, sorted(event_types(game)), n=3)
    raise click.UsageError(f"There is no event {event!r}. {_perhaps(near)}")


def _perhaps(names: Sequence[str]) -> str:
    return f"Do you mean {' or '.join(names)}?" if names else "tablee log shows what events are called."


def _say_rows(call: Call, found: Iterable[Found]) -> None:
    """Print rows as they come."""
    listed = 0
    widths: tuple[int, ...] = ()
    for rows, names in found:
        # The line of the progress is the terminal's last one: a row must not be written behind it.
        show_progress("")
        if call.as_json:
            for row in rows:
                say_json(row)
        elif rows:
            widths = say_table(_HEAD, [_columns(row, names) for row in rows], widths)
        listed += len(rows)
        show_progress(f"{listed} matches found")
    show_progress("")
    if not listed and not call.as_json:
        say("No matches.")


def _columns(row: MatchRow, names: Mapping[str, str]) -> tuple[str, ...]:
    held = (seat.player for seat in row.players)
    players = ", ".join(f"{names[who]} ({who})" if who in names else who or "-" for who in held)
    state = f"{row.state}, archived" if row.archived else row.state
    return row.match, row.game, state, str(row.version), row.changed_at, players


def _search(call: Call, search: Search, found: Iterator[Found], jobs: int) -> bool:
    """Search logs and print what is found; tell whether all of it could be done."""
    done = Done()
    pieces = (tuple(row.match for row in rows) for rows, _ in found)
    for one in spread_as_they_come(partial(searched, search), pieces, jobs):
        if one.hits:
            show_progress("")
        for hit in one.hits:
            line = f"{hit.match}  {hit.version:>5}  {hit.at}  {hit.type:<16} {bytes(hit.data).decode()}"
            call.say(hit, line)
        done.add(one)
        if one.problem:
            tell(f"The match {one.match} could not be searched: {one.problem}")
        show_progress(f"{done.matches} matches searched, {done.hits} hits")
    show_progress("")
    done.sum_up()
    return not done.problems

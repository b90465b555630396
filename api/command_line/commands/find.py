"""``tablee find``."""

import difflib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, Literal

import click
from msgspec.structs import replace

from api.command_line.call import Call, call_options, require_good
from api.command_line.group import CommandFailed
from api.command_line.many import spread
from api.command_line.opening import work_on
from api.command_line.options import jobs_option
from api.command_line.output import number_of, say, say_json, say_table, tell
from api.command_line.progress import show_progress
from api.command_line.remote import asked
from api.command_line.searching import Search, searched
from api.command_line.values import REASON
from api.requests.instants import given_instant
from domain.games.registry import CURRENT
from domain.instants import Instant
from services.bootstrap.log_parts import LogParts
from services.people.player_names import PlayerNames
from services.process.service_log import configure_logs
from services.projections.listing import Listing, MatchFilter
from services.projections.matches import NAME, STATES, MatchRow, State
from services.projections.standing import dead_letters
from services.watch.finding.errors import BadExpression
from services.watch.finding.predicate import Predicate
from services.watch.finding.searching import EVENT_TYPES, Query, Searched

_PAGE = 500
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
            rows = list(client.matches(player=player, game=game, state=reached, since=since, until=until))
        _say_rows(call, [row for row in rows if state != _ARCHIVED or row.archived], {})
        return
    query = _query(event, where, unseal)
    # What the parts tell of their work goes where the service's log goes, and only what is wrong.
    configure_logs("console", "error", process="tablee")
    with call.log() as log:
        rows, names = work_on(log, lambda parts: _listed(parts, wanted, player))
        if state == _ARCHIVED:
            rows = [row for row in rows if row.archived]
        if query is None:
            _say_rows(call, rows, names)
            return
        search = Search(log, query, unseal)
        good = _search(call, search, [row.match for row in rows], jobs)
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


def _query(event: str | None, where: str | None, unseal: str | None) -> Query | None:
    """Return what is to be searched for; None when matches are only to be listed."""
    if event is not None and event not in EVENT_TYPES:
        near = difflib.get_close_matches(event, EVENT_TYPES, n=3)
        raise click.UsageError(f"There is no event {event!r}. {_perhaps(near)}")
    if unseal is not None and where is None:
        raise click.UsageError("--unseal is for --where: nothing else looks at what is sealed.")
    if where is not None:
        try:
            Predicate(where)
        except BadExpression as error:
            raise click.UsageError(str(error)) from error
    return None if event is None and where is None else Query(event, where)


def _perhaps(names: Sequence[str]) -> str:
    return f"Do you mean {' or '.join(names)}?" if names else "tablee log shows what events are called."


async def _listed(
    parts: LogParts, wanted: MatchFilter, player: str | None
) -> tuple[list[MatchRow], Mapping[str, str]]:
    """Return the rows of all matches that fit, newest change first, and the names of those who play there."""
    problem = await parts.keeper().catch_up()
    if problem:
        tell(f"The list may be old: {problem} See tablee rebuild.")
    put_aside = await dead_letters(parts.log_client, parts.store.shards)
    aside = [one for one in put_aside if one.projection == NAME]
    if aside:
        tell(
            f"{number_of(len(aside), 'match', 'matches')} cannot be read and may be missing: see tablee doctor."
        )
    filters = [wanted]
    if player is not None:
        players = sorted({player, *await parts.names.called(player)})
        filters = [replace(wanted, player=one) for one in players]
    found = {row.match: row for one in filters for row in await _all(parts.listing, one)}
    rows = sorted(found.values(), key=lambda row: (row.changed_at, row.match), reverse=True)
    people = sorted({held.player for row in rows for held in row.players if held.kind == "person"})
    return rows, await _named(parts.names, people)


async def _named(known: PlayerNames, people: Sequence[str]) -> dict[str, str]:
    names: dict[str, str] = {}
    for start in range(0, len(people), _PAGE):
        some = people[start : start + _PAGE]
        names |= {who: name for who, name in zip(some, await known.of(some), strict=True) if name}
    return names


async def _all(listing: Listing, wanted: MatchFilter) -> list[MatchRow]:
    found: list[MatchRow] = []
    after: str | None = None
    while True:
        page = await listing.page(wanted, after, _PAGE)
        found += page.rows
        after = page.next
        if after is None:
            return found


def _say_rows(call: Call, rows: Sequence[MatchRow], names: Mapping[str, str]) -> None:
    if call.as_json:
        for row in rows:
            say_json(row)
    elif rows:
        say_table(
            ("MATCH", "GAME", "STATE", "VERSION", "CHANGED", "PLAYERS"),
            [_columns(row, names) for row in rows],
        )
    else:
        say("No matches.")


def _columns(row: MatchRow, names: Mapping[str, str]) -> tuple[str, ...]:
    held = (seat.player for seat in row.players)
    players = ", ".join(f"{names[who]} ({who})" if who in names else who or "-" for who in held)
    state = f"{row.state}, archived" if row.archived else row.state
    return row.match, row.game, state, str(row.version), row.changed_at, players


def _search(call: Call, search: Search, matches: Sequence[str], jobs: int) -> bool:
    """Search logs and print what is found; tell whether all of it could be done."""
    done: list[Searched] = []
    hits = 0
    for one in spread(partial(searched, search), matches, jobs):
        if one.hits:
            # The line of the progress is the terminal's last one: a hit must not be written behind it.
            show_progress("")
        for hit in one.hits:
            hits += 1
            line = f"{hit.match}  {hit.version:>5}  {hit.at}  {hit.type:<16} {bytes(hit.data).decode()}"
            call.say(hit, line)
        done.append(replace(one, hits=()))
        if one.problem:
            tell(f"The match {one.match} could not be searched: {one.problem}")
        show_progress(f"{len(done)} of {len(matches)} matches searched, {hits} hits")
    show_progress("")
    _sum_up(done, hits)
    return not any(one.problem for one in done)


def _sum_up(done: Sequence[Searched], hits: int) -> None:
    """Tell what was done, and what was not."""
    left_out = sum(one.left_out for one in done)
    evaluated, failed = sum(one.evaluated for one in done), sum(one.failed for one in done)
    failure = next((one.failure for one in done if one.failure), "")
    if failed and failed == evaluated:
        raise CommandFailed(f"The expression could be evaluated nowhere; the first time, {failure}.")
    tell(f"{number_of(len(done) - left_out, 'match', 'matches')} searched, {number_of(hits, 'hit', 'hits')}.")
    if left_out:
        running = number_of(left_out, "running match", "running matches")
        tell(f"Left out: {running}, because --where looks at what is sealed. See --unseal.")
    if failed:
        tell(
            f"At {failed} of {evaluated} moments the expression could not be evaluated; the first: {failure}."
        )

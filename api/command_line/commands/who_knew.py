"""``tablee who-knew``."""

import click

from api.command_line.opening import log_address, work_on
from api.command_line.options import Location, json_option, location_options, unseal_option
from api.command_line.output import say, say_json
from api.command_line.seats import seats_called
from api.command_line.unsealing import open_log
from api.command_line.values import MatchId
from domain.match.fold import beginning, fold
from services.audit.knowledge import CardKnown
from services.audit.knowledge import who_knew as known_by
from services.bootstrap.parts import LogParts


@click.command("who-knew")
@click.argument("match", type=MatchId())
@click.argument("card")
@click.option("--at", type=click.IntRange(1), help="The version.  [default: the last one]")
@unseal_option
@json_option
@location_options
def who_knew(
    *,
    match: str,
    card: str,
    at: int | None,
    unseal: str | None,
    as_json: bool,
    location: Location,
) -> None:
    """Show which seats knew a card at a version, and since when.

    Write CARD as in the log, or in words: R8 or "red 8", 7, L or llama. If several cards have this name, each has its
    own line. Seats count from 0, as in the log.
    """
    with log_address(location, purpose="tablee who-knew") as log:
        rows, version, called = work_on(log, lambda parts: _look(parts, match, card, at, unseal))
    for number, row in enumerate(rows, 1):
        if as_json:
            say_json(
                {"match": match, "version": version, "card": row.card, "open": row.open, "seats": row.seats}
            )
        else:
            say(_line(number, len(rows), row, called))
    if not rows and not as_json:
        say(f"No card {card} was in play at version {version}.")


async def _look(
    parts: LogParts, match: str, card: str, at: int | None, unseal: str | None
) -> tuple[tuple[CardKnown, ...], int, tuple[str, ...]]:
    entries = await open_log(parts, match, unseal, "To tell who knows a card")
    version = at or len(entries)
    called = await seats_called(parts.names, fold(beginning(match), entries[:version]).state)
    return known_by(match, entries, card, version), version, called


def _line(number: int, count: int, row: CardKnown, called: tuple[str, ...]) -> str:
    which = f"{row.card}" if count == 1 else f"{row.card} ({number} of {count})"
    if row.open is not None:
        return f"{which}: open since version {row.open}"
    seats = ", ".join(f"seat {called[seat]} since version {version}" for seat, version in row.seats.items())
    return f"{which}: {seats or 'nobody'}"

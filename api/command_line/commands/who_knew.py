"""``tablee who-knew``."""

import click

from api.command_line.call import Call, call_options
from api.command_line.options import match_argument, unseal_option
from api.command_line.output import say
from api.command_line.seats import seats_called
from api.command_line.unsealing import open_log
from domain.match.fold import beginning, fold
from services.audit.knowledge import CardKnown
from services.audit.knowledge import who_knew as known_by
from services.bootstrap.log_parts import LogParts


@click.command("who-knew")
@match_argument
@click.argument("card")
@click.option("--at", type=click.IntRange(1), help="The version.  [default: the last one]")
@unseal_option
@call_options()
def who_knew(*, match: str, card: str, at: int | None, unseal: str | None, call: Call) -> None:
    """Show which seats knew a card at a version, and since when.

    Write CARD as in the log, or in words: R8 or "red 8", 7. If several cards have this name, each has its
    own line. Seats count from 0, as in the log.
    """
    rows, version, called = call.work(lambda parts: _look(parts, match, card, at, unseal))
    for number, row in enumerate(rows, 1):
        found = {"match": match, "version": version, "card": row.card, "open": row.open, "seats": row.seats}
        if row.former:
            found["former"] = row.former
        call.say(found, _line(number, len(rows), row, called))
    if not rows and not call.as_json:
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
    before = "".join(
        f"; before, on seat {called[seat]}: {player} since version {version}"
        for seat, players in row.former.items()
        for player, version in players.items()
    )
    return f"{which}: {seats or 'nobody'}{before}"

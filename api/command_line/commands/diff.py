"""``tablee diff``."""

from typing import Any

import click
import msgspec

from api.command_line.call import Call, call_options
from api.command_line.eyes import Looking, looking_options
from api.command_line.options import match_argument
from domain.match.fold import beginning, fold
from domain.match.view import match_view
from services.bootstrap.log_parts import LogParts
from services.errors import NoSuchVersion
from services.matches.replay import difference


@click.command()
@match_argument
@click.argument("before", type=click.IntRange(1))
@click.argument("after", type=click.IntRange(1), required=False)
@looking_options
@call_options(remote=True)
def diff(*, match: str, before: int, after: int | None, looking: Looking, call: Call) -> None:
    """Show what changes between two versions of a match. AFTER defaults to the last version.

    A running match is compared as spectators see it. To see hands takes --unseal REASON, which is recorded in the
    match's log.
    """
    looking.check(call)
    found = call.read(
        lambda client: client.difference(match, before, after, looking.eyes),
        lambda parts: _read(parts, match, before, after, looking),
    )
    lines = [
        f"{pointer}  {msgspec.json.encode(value[0]).decode() if value else '(gone)'}"
        for pointer, *value in found["changes"]
    ]
    call.say(found, *(lines or ["Nothing changes."]))


async def _read(
    parts: LogParts, match: str, before: int, after: int | None, looking: Looking
) -> dict[str, Any]:
    highest = max(before, after or before)
    entries, viewer = await looking.read(parts, match, None if after is None else highest, highest)
    last = after or len(entries)
    if max(before, last) > len(entries):
        raise NoSuchVersion(f"The match {match} has {len(entries)} versions.")
    views = [match_view(fold(beginning(match), entries[:version]), viewer) for version in (before, last)]
    return {"match": match, "before": before, "after": last, "changes": difference(views[0], views[1])}

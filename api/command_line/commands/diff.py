"""``tablee diff``."""

import asyncio
from pathlib import Path

import click
import msgspec

from api.command_line.opening import log_address, opened_log
from api.command_line.options import Place, json_option, place_options
from api.command_line.output import say, say_json
from domain.entries import StoredEntry
from domain.match.fold import beginning, fold
from domain.match.view import OVER, match_view
from domain.viewers import EVERYTHING, SPECTATOR
from services.errors import NoSuchMatch, NoSuchVersion
from services.matches.replay import difference


@click.command()
@click.argument("match")
@click.argument("before", type=click.IntRange(1))
@click.argument("after", type=click.IntRange(1), required=False)
@json_option
@place_options
def diff(
    *, match: str, before: int, after: int | None, as_json: bool, data: Path | None, redis: str | None
) -> None:
    """Show what changes between two versions of a match; AFTER is the last one unless it is named.

    A match that still runs is compared as a spectator sees it.
    """
    with log_address(Place(data, redis), purpose="tablee diff") as url:
        entries = asyncio.run(_read(url, match))
    last = after or len(entries)
    if max(before, last) > len(entries):
        raise NoSuchVersion(f"The match {match} has {len(entries)} versions.")
    head = fold(beginning(match), entries)
    viewer = EVERYTHING if head.state.lifecycle.phase in OVER else SPECTATOR
    views = [match_view(fold(beginning(match), entries[:version]), viewer) for version in (before, last)]
    row = difference(views[0], views[1])
    if as_json:
        say_json({"match": match, "before": before, "after": last, "changes": row})
        return
    for pointer, *value in row:
        say(f"{pointer}  {msgspec.json.encode(value[0]).decode() if value else '(gone)'}")


async def _read(url: str, match: str) -> list[StoredEntry]:
    async with opened_log(url) as store:
        entries = await store.read(match)
    if not entries:
        raise NoSuchMatch(f"There is no match {match} in this store.")
    return entries

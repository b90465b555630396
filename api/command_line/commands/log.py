"""``tablee log``."""

import asyncio
from pathlib import Path

import click

from api.command_line.desk import desk_at
from api.command_line.entries import print_entries
from api.command_line.opening import log_address
from api.command_line.options import Place, json_option, place_options, unseal_option
from api.command_line.unsealing import open_log
from domain.entries import StoredEntry
from services.errors import NoSuchMatch


@click.command()
@click.argument("match")
@click.option(
    "--after", default=0, show_default=True, type=click.IntRange(0), help="Skip events up to this version."
)
@unseal_option
@json_option
@place_options
def log(
    *, match: str, after: int, unseal: str | None, as_json: bool, data: Path | None, redis: str | None
) -> None:
    """Print the log of a match, as far as it is public.

    What is sealed shows as a commitment. With --json, each line is an event's stored envelope, byte for byte: the chain
    hashes exactly these bytes. With --unseal, what was sealed stands in its place.
    """
    place = Place(data, redis)
    with log_address(place, purpose="tablee log") as url:
        entries = asyncio.run(_read(url, place, match, after, unseal))
    print_entries(entries, as_json=as_json, opened=unseal is not None)


async def _read(url: str, place: Place, match: str, after: int, unseal: str | None) -> list[StoredEntry]:
    async with desk_at(url, place.settings().archive_address) as desk:
        if unseal is not None:
            return (await open_log(desk, match, unseal, ""))[after:]
        if await desk.log.meta(match) is None:
            raise NoSuchMatch(f"There is no match {match}.")
        return await desk.log.read(match, after=after)

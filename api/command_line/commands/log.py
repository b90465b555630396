"""``tablee log``."""

import asyncio
from pathlib import Path

import click

from api.command_line.entries import print_entries
from api.command_line.opening import log_address, opened_log
from api.command_line.options import Place, json_option, place_options
from services.errors import NoSuchMatch


@click.command()
@click.argument("match")
@click.option(
    "--after", default=0, show_default=True, type=click.IntRange(0), help="Skip events up to this version."
)
@json_option
@place_options
def log(*, match: str, after: int, as_json: bool, data: Path | None, redis: str | None) -> None:
    """Print the log of a match, as far as it is public.

    What is sealed shows as a commitment. With --json, each line is an event's stored envelope, byte for byte: the chain
    hashes exactly these bytes.
    """
    with log_address(Place(data, redis), purpose="tablee log") as url:
        asyncio.run(_print(url, match, after, as_json=as_json))


async def _print(url: str, match: str, after: int, *, as_json: bool) -> None:
    async with opened_log(url) as store:
        if await store.meta(match) is None:
            raise NoSuchMatch(f"There is no match {match}.")
        print_entries(await store.read(match, after=after), as_json=as_json)

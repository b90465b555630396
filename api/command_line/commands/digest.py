"""``tablee digest``."""

from typing import TYPE_CHECKING

import click

from api.command_line.call import Call, call_options
from api.command_line.output import say_stored, tell
from api.command_line.values import MATCH_ID
from domain.chain import genesis
from services.audit.digest_format import read_digest
from services.audit.errors import NoSuchDigest
from services.bootstrap.log_parts import LogParts
from services.process.service_log import configure_logs

if TYPE_CHECKING:
    from api.command_line.remote_client import RemoteClient


@click.command()
@click.argument("number", required=False, type=click.IntRange(1))
@click.option("--make", is_flag=True, help="Make a digest now, without waiting for the day to end.")
@click.option("--list", "as_list", is_flag=True, help="List all digests instead of printing one.")
@click.option(
    "--match",
    type=MATCH_ID,
    help="Of a digest with very many heads, print the piece with this match behind it.",
)
@call_options(remote=True)
def digest(*, number: int | None, make: bool, as_list: bool, match: str | None, call: Call) -> None:
    """Print a digest of heads for members to keep, so that nobody can rewrite history. NUMBER defaults to the last.

    Each digest names the matches that have moved since the one before it, with version and hash. `tablee verify
    --against FILE` compares the logs with a digest that somebody kept.

    A digest of more than 1,000 heads has them in pieces, and the hash of each. Then its own file is printed, which is
    all that needs to be kept; --match adds the piece that names a match.
    """
    if number is not None and (make or as_list):
        raise click.UsageError("Name a digest, or say --make or --list.")
    call.refuse_with_server("the service makes its own, once a day", make=make)
    # What the service tells of its work goes where its log goes, and only what is wrong.
    configure_logs("console", "warning", process="tablee")
    call.read(
        lambda client: _tell_shown(call, client, number, match, as_list=as_list),
        lambda parts: _tell(call, parts, number, match, make=make, as_list=as_list),
    )


def _tell_shown(
    call: Call, client: "RemoteClient", number: int | None, match: str | None, *, as_list: bool
) -> None:
    latest = client.latest_digest()
    if as_list:
        for each in range(1, latest + 1):
            _list(call, client.digest(each), each)
    elif number is None and not latest:
        raise NoSuchDigest("There is no digest yet.")
    else:
        _say_file(client.digest(number or latest, None if match is None else genesis(match).hex()))


async def _tell(
    call: Call, parts: LogParts, number: int | None, match: str | None, *, make: bool, as_list: bool
) -> None:
    if make:
        await parts.follower.follow()
        if await parts.digest_maker.make() is None:
            tell("Nothing has moved since the last digest.")
    latest = await parts.digests.latest()
    if as_list:
        for each in range(1, latest + 1):
            _list(call, await parts.digests.content(each), each)
        return
    content = await _content(parts, number or latest, match) if latest else None
    if content is None:
        raise NoSuchDigest(f"There is no digest {number or ''}".rstrip() + " yet.")
    _say_file(content)


async def _content(parts: LogParts, number: int, match: str | None) -> bytes | None:
    if match is None:
        return await parts.digests.content(number)
    return await parts.digests.excerpt(number, genesis(match).hex())


def _say_file(content: bytes) -> None:
    """Print a digest's file, byte for byte as far as it is one."""
    for line in content.splitlines():
        say_stored(line)


def _list(call: Call, content: bytes | None, number: int) -> None:
    if content is None:
        tell(f"tablee: digest {number} is missing.")
        return
    found = read_digest(content)
    call.say(
        {"digest": number, "at": found.line.at, "heads": found.line.heads, "sha256": found.sha256},
        f"{number:>6}  {found.line.at}  {found.line.heads:>7} heads  {found.sha256}",
    )

"""``tablee digest``."""

import click

from api.command_line.opening import log_address, work_on
from api.command_line.options import Location, json_option, location_options
from api.command_line.output import say, say_json, tell
from api.command_line.remote import Remote, asked, refuse_with_server, remote_options
from services.audit.digests import read_digest
from services.audit.errors import NoSuchDigest
from services.bootstrap.parts import LogParts
from services.process.service_log import configure_logs


@click.command()
@click.argument("number", required=False, type=click.IntRange(1))
@click.option("--make", is_flag=True, help="Make a digest now, without waiting for the day to end.")
@click.option("--list", "as_list", is_flag=True, help="List all digests instead of printing one.")
@json_option
@location_options
@remote_options
def digest(
    *,
    number: int | None,
    make: bool,
    as_list: bool,
    as_json: bool,
    location: Location,
    remote: Remote | None,
) -> None:
    """Print a digest of heads for members to keep, so that nobody can rewrite history. NUMBER defaults to the last.

    Each digest names the matches that have moved since the one before it, with version and hash. `tablee verify
    --against FILE` compares the logs with a digest that somebody kept.
    """
    if number is not None and (make or as_list):
        raise click.UsageError("Name a digest, or say --make or --list.")
    refuse_with_server(remote, "the service makes its own, once a day", make=make)
    if remote is not None:
        _told_by(remote, number, as_list=as_list, as_json=as_json)
        return
    # What the service tells of its work goes where its log goes, and only what is wrong.
    configure_logs("console", "warning", process="tablee")
    with log_address(location, purpose="tablee digest") as log:
        work_on(log, lambda parts: _told(parts, number, make=make, as_list=as_list, as_json=as_json))


def _told_by(remote: Remote, number: int | None, *, as_list: bool, as_json: bool) -> None:
    with asked(remote) as client:
        latest = client.latest_digest()
        if as_list:
            for each in range(1, latest + 1):
                _list(client.digest(each), each, as_json=as_json)
        elif number is None and not latest:
            raise NoSuchDigest("There is no digest yet.")
        else:
            click.echo(client.digest(number or latest), nl=False)


async def _told(parts: LogParts, number: int | None, *, make: bool, as_list: bool, as_json: bool) -> None:
    if make:
        await parts.follower.follow()
        if await parts.digest_maker.make() is None:
            tell("Nothing has moved since the last digest.")
    latest = await parts.digests.latest()
    if as_list:
        for each in range(1, latest + 1):
            _list(await parts.digests.content(each), each, as_json=as_json)
        return
    content = await parts.digests.content(number or latest) if latest else None
    if content is None:
        raise NoSuchDigest(f"There is no digest {number or ''}".rstrip() + " yet.")
    click.echo(content, nl=False)


def _list(content: bytes | None, number: int, *, as_json: bool) -> None:
    if content is None:
        tell(f"tablee: digest {number} is missing.")
        return
    found = read_digest(content)
    if as_json:
        say_json({"digest": number, "at": found.line.at, "heads": found.line.heads, "sha256": found.sha256})
    else:
        say(f"{number:>6}  {found.line.at}  {found.line.heads:>7} heads  {found.sha256}")

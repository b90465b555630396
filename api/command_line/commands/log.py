"""``tablee log``."""

import click

from api.command_line.entries import print_entries
from api.command_line.opening import log_address, work_on
from api.command_line.options import Location, json_option, location_options, unseal_option
from api.command_line.output import number_of, tell
from api.command_line.remote import NO_UNSEALING, Remote, asked, refuse_with_server, remote_options, shown
from api.command_line.unsealing import looked_through, open_log
from api.command_line.values import MatchId
from domain.entries import StoredEntry
from domain.match.verification import Verdict, verify
from services.bootstrap.parts import LogParts
from services.errors import NoSuchVersion
from services.log.proof import judged, read_what_can_be

_SOMETHING_WRONG = 1


@click.command()
@click.argument("match", type=MatchId())
@click.option(
    "--after", default=0, show_default=True, type=click.IntRange(0), help="Skip events up to this version."
)
@unseal_option
@json_option
@location_options
@remote_options
@click.pass_context
def log(
    ctx: click.Context,
    *,
    match: str,
    after: int,
    unseal: str | None,
    as_json: bool,
    location: Location,
    remote: Remote | None,
) -> None:
    """Print the public part of a match's log.

    Sealed values show as commitments; --unseal puts the values in their place. With --json, each line is an event's
    stored envelope, byte for byte: these are the bytes that the chain hashes. A broken log is printed as far as it can
    be read; the command names the first bad event and exits with 1.
    """
    refuse_with_server(remote, NO_UNSEALING, unseal=unseal)
    if remote is not None:
        with asked(remote) as client:
            entries = shown(client, match).entries
        chain = verify(match, entries, complete=False)
    else:
        with log_address(location, purpose="tablee log") as address:
            entries, chain = work_on(address, lambda parts: _read(parts, match, unseal))
    if after > len(entries) and chain.good:
        raise NoSuchVersion(
            f"The match {match} has {number_of(len(entries), 'event')}; there is none after {after}."
        )
    print_entries(entries[after:], as_json=as_json, opened=unseal is not None)
    if not chain.good:
        tell(f"tablee: event {chain.bad_version}: {chain.code}: {chain.detail}")
        ctx.exit(_SOMETHING_WRONG)


async def _read(parts: LogParts, match: str, unseal: str | None) -> tuple[list[StoredEntry], Verdict]:
    if unseal is not None:
        await open_log(parts, match, unseal, "")
    readable = await read_what_can_be(parts.store, match)
    return readable.entries, judged(match, readable, looked_through)

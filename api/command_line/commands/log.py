"""``tablee log``."""

from typing import TYPE_CHECKING

import click

from api.command_line.call import NO_UNSEALING, Call, call_options, require_good
from api.command_line.entries import print_entries
from api.command_line.options import match_argument, unseal_option
from api.command_line.output import number_of, tell
from api.command_line.remote import shown
from api.command_line.unsealing import looked_through, open_log
from domain.entries import StoredEntry
from domain.match.verification import Verdict, verify
from services.bootstrap.log_parts import LogParts
from services.errors import NoSuchVersion
from services.log.proof import judged, read_what_can_be

if TYPE_CHECKING:
    from api.command_line.remote_client import RemoteClient


@click.command()
@match_argument
@click.option(
    "--after", default=0, show_default=True, type=click.IntRange(0), help="Skip events up to this version."
)
@unseal_option
@call_options(remote=True)
def log(*, match: str, after: int, unseal: str | None, call: Call) -> None:
    """Print the public part of a match's log.

    Sealed values show as commitments; --unseal puts the values in their place. With --json, each line is an event's
    stored envelope, byte for byte: these are the bytes that the chain hashes. A broken log is printed as far as it can
    be read; the command names the first bad event and exits with 1.
    """
    call.refuse_with_server(NO_UNSEALING, unseal=unseal)
    entries, chain = call.read(
        lambda client: _shown(client, match), lambda parts: _read(parts, match, unseal)
    )
    if after > len(entries) and chain.good:
        raise NoSuchVersion(
            f"The match {match} has {number_of(len(entries), 'event')}; there is none after {after}."
        )
    print_entries(entries[after:], as_json=call.as_json, opened=unseal is not None)
    if not chain.good:
        tell(f"tablee: event {chain.bad_version}: {chain.code}: {chain.detail}")
    require_good(chain.good)


def _shown(client: "RemoteClient", match: str) -> tuple[list[StoredEntry], Verdict]:
    entries = shown(client, match).entries
    return entries, verify(match, entries, complete=False)


async def _read(parts: LogParts, match: str, unseal: str | None) -> tuple[list[StoredEntry], Verdict]:
    if unseal is not None:
        await open_log(parts, match, unseal, "")
    readable = await read_what_can_be(parts.store, match)
    return readable.entries, judged(match, readable, looked_through)

"""``tablee tail``."""

import sys

import click

from api.command_line.entries import print_entries
from api.command_line.opening import log_address, work_on
from api.command_line.options import Location, json_option, location_options
from api.command_line.remote import Remote, asked, remote_options, shown, stored
from api.command_line.values import MatchId
from services.errors import NoSuchMatch
from services.log.event_store.contract import EventStore, Meta, Status
from services.log.subscription import Subscription

_BLOCK_SECONDS = 5.0
_POINTERS = 500


@click.command()
@click.argument("match", type=MatchId())
@click.option(
    "-n", "--lines", default=10, show_default=True, type=click.IntRange(0), help="How many events to print."
)
@click.option(
    "-f", "--follow", is_flag=True, help="Print further events as they come, until the match is over."
)
@json_option
@location_options
@remote_options
def tail(
    *,
    match: str,
    lines: int,
    follow: bool,
    as_json: bool,
    location: Location,
    remote: Remote | None,
) -> None:
    """Print the last public events of a match. See also `tablee log`."""
    if remote is not None:
        _print_of(remote, match, lines, follow=follow, as_json=as_json)
        return
    with log_address(location, purpose="tablee tail") as log:
        work_on(log, lambda parts: _print(parts.store, match, lines, follow=follow, as_json=as_json))


def _print_of(remote: Remote, match: str, lines: int, *, follow: bool, as_json: bool) -> None:
    with asked(remote) as client:
        entries = shown(client, match).entries
        print_entries(entries[max(0, len(entries) - lines) :], as_json=as_json)
        if follow:
            for line in client.follow(match, len(entries)):
                print_entries([stored(line)], as_json=as_json)
                sys.stdout.flush()


async def _print(store: EventStore, match: str, lines: int, *, follow: bool, as_json: bool) -> None:
    meta = await _meta(store, match)
    version = max(0, meta.version - lines)
    subscription = Subscription(store, match=match)
    while True:
        # Begins at the feed's end before the log is read: what comes in between is then seen twice, never missed.
        await subscription.commit(await subscription.next(_POINTERS, _BLOCK_SECONDS))
        # The status first: a match that ends between the two questions is read to its end all the same.
        status = (await _meta(store, match)).status
        entries = await store.read(match, after=version)
        print_entries(entries, as_json=as_json)
        version = entries[-1].version if entries else version
        if not follow or status is not Status.OPEN:
            return


async def _meta(store: EventStore, match: str) -> Meta:
    meta = await store.meta(match)
    if meta is None:
        raise NoSuchMatch(match)
    return meta

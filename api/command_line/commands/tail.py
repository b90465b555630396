"""``tablee tail``."""

import sys
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

import click

from api.command_line.call import Call, call_options
from api.command_line.entries import print_entries
from api.command_line.opening import meta_of
from api.command_line.options import match_argument
from api.command_line.remote import shown, stored
from domain.entries import StoredEntry
from services.log.event_store.contract import EventStore, Status
from services.log.subscription import Subscription

if TYPE_CHECKING:
    from api.command_line.remote_client import RemoteClient

_BLOCK_SECONDS = 5.0
_POINTERS = 500

_Printer = Callable[[Iterable[StoredEntry]], None]


@click.command()
@match_argument
@click.option(
    "-n", "--lines", default=10, show_default=True, type=click.IntRange(0), help="How many events to print."
)
@click.option(
    "-f", "--follow", is_flag=True, help="Print further events as they come, until the match is over."
)
@call_options(remote=True)
def tail(*, match: str, lines: int, follow: bool, call: Call) -> None:
    """Print the last public events of a match. See also `tablee log`."""
    told = partial(print_entries, as_json=call.as_json)
    call.read(
        lambda client: _print_shown(client, match, lines, told, follow=follow),
        lambda parts: _print(parts.store, match, lines, told, follow=follow),
    )


def _print_shown(client: "RemoteClient", match: str, lines: int, told: _Printer, *, follow: bool) -> None:
    entries = shown(client, match).entries
    told(entries[max(0, len(entries) - lines) :])
    if follow:
        for line in client.follow(match, len(entries)):
            told([stored(line)])
            sys.stdout.flush()


async def _print(store: EventStore, match: str, lines: int, told: _Printer, *, follow: bool) -> None:
    meta = await meta_of(store, match)
    version = max(0, meta.version - lines)
    subscription = Subscription(store, match=match)
    while True:
        # Begins at the feed's end before the log is read: what comes in between is then seen twice, never missed.
        await subscription.commit(await subscription.next(_POINTERS, _BLOCK_SECONDS))
        # The status first: a match that ends between the two questions is read to its end all the same.
        status = (await meta_of(store, match)).status
        entries = await store.read(match, after=version)
        told(entries)
        version = entries[-1].version if entries else version
        if not follow or status is not Status.OPEN:
            return

"""``tablee operator-link``."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import click
from redis.exceptions import RedisError

from api.command_line.base_address import Known, base_address
from api.command_line.call import Call, call_options
from api.command_line.group import CommandFailed
from api.command_line.output import number_of, say, say_json, tell
from services.bootstrap import present_instant
from services.bootstrap.clients import COMMAND, client_of_log
from services.errors import StoreUnavailable
from services.log.event_store.keys import INSTALLATION
from services.people.operators import Ended, Operators


@click.command("operator-link")
@click.option(
    "--revoke", is_flag=True, help="End all operators' sessions and unused links, and print no link."
)
@click.option(
    "--first", is_flag=True, hidden=True, help="Print the address only, and only if no link was ever made."
)
@call_options()
def operator_link(*, revoke: bool, first: bool, call: Call) -> None:
    """Print a link that lets one browser into the operator's pages, under /ops.

    The link works once, within 24 hours. The browser then stays logged in for thirty days. The service may be running
    or not.
    """
    settings = call.location.settings()
    with call.log() as log:
        if revoke:
            _tell_ended(call, asyncio.run(_end_all(log.url)))
            return
        link = asyncio.run(_make(log.url, first=first))
    if link is None:
        return
    base, how = base_address(settings, log.url)
    address = f"{base}/ops/enter/{link}"
    if call.as_json:
        say_json({"link": address})
    elif first:
        say(address)
    else:
        _show(address, how)


def _show(address: str, how: Known) -> None:
    tell("Open this in a browser within 24 hours. It lets one browser in, once:")
    say(address)
    if how == "guessed":
        tell(
            "Whether the service listens there is a guess: none was found running on this data folder. "
            "If it is elsewhere, put its address in front of /ops; TABLEE_PUBLIC_URL makes that permanent."
        )
    elif how == "local":
        tell(
            "From another machine, put this one's name into the address; TABLEE_PUBLIC_URL makes that permanent."
        )


def _tell_ended(call: Call, ended: Ended) -> None:
    sessions = number_of(ended.sessions, "session of operators", "sessions of operators")
    call.say(ended._asdict(), f"Ended: {sessions}, {number_of(ended.links, 'unused link')}.")


async def _make(url: str, *, first: bool) -> str | None:
    async with _operators(url) as operators:
        now = present_instant()
        return await (operators.make_first_link(now) if first else operators.make_link(now))


async def _end_all(url: str) -> Ended:
    async with _operators(url) as operators:
        return await operators.end_all(present_instant())


@contextlib.asynccontextmanager
async def _operators(url: str) -> AsyncIterator[Operators]:
    """Open what knows the operators, and nothing else: the first start of a service waits for this."""
    try:
        opened = await client_of_log(url, COMMAND)
    except ValueError as error:
        raise CommandFailed(f"{url} cannot be used: {error}") from error
    async with opened as log_client:
        try:
            has_log = await log_client.exists(INSTALLATION)
        except (RedisError, OSError) as error:
            raise StoreUnavailable(f"The log's server at {url} does not answer: {error}") from error
        if not has_log:
            # A link that is kept where no service looks would open nothing.
            raise CommandFailed("There is no log here yet: `tablee up` begins one.")
        yield Operators(log_client)

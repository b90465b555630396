"""A service elsewhere, which commands ask over HTTP instead of reading the store: ``--server`` and ``--token``."""

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click
import msgspec

from api.command_line.group import CommandFailed
from api.command_line.options import Location
from api.command_line.values import SERVER_ADDRESS
from domain.entries import StoredEntry, encode_openings
from domain.match.state import OVER

if TYPE_CHECKING:
    from api.command_line.playing.client import EventLine
    from api.command_line.remote_client import RemoteClient

_PATIENCE: Final = 3.0
"""Seconds. Somebody looks on, and a mistyped address should be told soon."""


class Remote(NamedTuple):
    """A service elsewhere.

    Attributes:
        token: A seat's or a host's token: it is shown what that token may see; empty for what everybody may.
    """

    address: str
    token: str


class Shown(NamedTuple):
    """A match as a service shows it.

    Attributes:
        entries: Its log, with the openings that the asker may have.
    """

    view: dict[str, Any]
    entries: list[StoredEntry]

    @property
    def over(self) -> bool:
        """Whether the match is over, and everything open."""
        return self.view["lifecycle"]["phase"] in OVER


server_option = click.option(
    "--server",
    type=SERVER_ADDRESS,
    metavar="URL",
    help="Ask the service at this address over HTTP, such as https://cards.example.org.",
)


def _checked_token(_: click.Context, __: click.Parameter, token: str | None) -> str | None:
    if token and not (token.isascii() and token.isprintable()):
        raise click.BadParameter("a token has only letters, digits, - and _.")
    return token


token_option = click.option(
    "--token",
    metavar="TOKEN",
    callback=_checked_token,
    help="With --server: look as the seat or host whose token this is.  [default: $TABLEE_TOKEN]",
)


def refuse_redis(server: str | None, location: Location) -> None:
    """Refuse a store's address where a service is named.

    Raises:
        click.UsageError: Both were given.
    """
    if server is not None and location.redis is not None:
        raise click.UsageError("--server asks a service over HTTP: leave --redis out.")


@contextlib.contextmanager
def asked(remote: Remote) -> "Iterator[RemoteClient]":
    """Ask a service; what it refuses ends the command.

    Raises:
        CommandFailed: It does not answer, or not as asked.
    """
    # Imported here: who reads the store need not wait for an HTTP client.
    from api.command_line.playing.client import Answered
    from api.command_line.remote_client import RemoteClient

    with RemoteClient(remote.address, token=remote.token, patience=_PATIENCE, here=False) as client:
        try:
            yield client
        except Answered as problem:
            if not problem.code:
                raise _not_tablee(remote) from problem
            raise CommandFailed(problem.detail) from problem
        except (msgspec.MsgspecError, UnicodeDecodeError, LookupError, TypeError) as error:
            raise _not_tablee(remote) from error


def _not_tablee(remote: Remote) -> CommandFailed:
    return CommandFailed(f"What answers at {remote.address} is not a Tablée service of this release.")


def shown(client: "RemoteClient", match: str) -> Shown:
    """Return a match with its log, as the service shows it."""
    # The view first: a match that ends meanwhile is taken for one that runs, whose log holds more than it must.
    view = client.view(match)
    return Shown(view, [stored(line) for line in client.events(match)])


def stored(line: "EventLine") -> StoredEntry:
    """Return an event that a service gave, as stores keep it."""
    return StoredEntry(line.version, line.e.encode(), encode_openings(line.openings), bytes.fromhex(line.h))

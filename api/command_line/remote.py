"""A service elsewhere, which commands ask over HTTP instead of reading the store: ``--server`` and ``--token``."""

import contextlib
import functools
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import click
import msgspec

from api.command_line.group import CommandFailed
from api.command_line.options import Location
from api.command_line.values import ServerAddress
from domain.entries import StoredEntry, encode_openings
from domain.match.state import OVER

NO_UNSEALING: Final = "who looks behind seals is an operator, with the store"
"""Why ``--unseal`` takes the store."""

if TYPE_CHECKING:
    from api.command_line.playing.client import EventLine
    from api.command_line.remote_client import RemoteClient

F = TypeVar("F", bound=Callable[..., Any])

_PATIENCE: Final = 3.0
"""Seconds. Somebody looks on, and a mistyped address should be told soon."""


class Remote(NamedTuple):
    """A service elsewhere.

    Attributes:
        address: Where it answers.
        token: A seat's or a host's token: it is shown what that token may see; empty for what everybody may.
    """

    address: str
    token: str


class Shown(NamedTuple):
    """A match as a service shows it.

    Attributes:
        view: The view of its head.
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
    type=ServerAddress(),
    metavar="URL",
    help="Ask the service at this address over HTTP, such as https://cards.example.org.",
)
_token_option = click.option(
    "--token",
    metavar="TOKEN",
    help="With --server: look as the seat or host whose token this is.  [default: $TABLEE_TOKEN]",
)


def remote_options(command: F) -> F:
    """Add the options for a service elsewhere; the command gets it as ``remote``, None without ``--server``."""

    @functools.wraps(command)
    def asking(*given: Any, server: str | None, token: str | None, location: Location, **options: Any) -> Any:
        remote = _remote(server, token, location)
        return command(*given, remote=remote, location=location, **options)

    decorated: Any = server_option(_token_option(asking))
    return decorated  # type: ignore[no-any-return]


def _remote(server: str | None, token: str | None, location: Location) -> Remote | None:
    if server is None:
        if token is not None:
            raise click.UsageError("--token goes with --server URL.")
        return None
    if location != Location(None, None):
        raise click.UsageError("--server asks a service over HTTP: leave --data and --redis out.")
    return Remote(server, token or os.environ.get("TABLEE_TOKEN", ""))


def refuse_redis(server: str | None, location: Location) -> None:
    """Refuse a store's address where a service is named.

    Raises:
        click.UsageError: Both were given.
    """
    if server is not None and location.redis is not None:
        raise click.UsageError("--server asks a service over HTTP: leave --redis out.")


def refuse_with_server(remote: Remote | None, why: str, **given: object) -> None:
    """Refuse options that need the store.

    Args:
        remote: The service; None if the store is read.
        why: Why they need it, to end a sentence.
        **given: The options, by their names; None and False count as not given.

    Raises:
        click.UsageError: One was given.
    """
    named = [f"--{name}" for name, value in given.items() if value is not None and value is not False]
    if remote is not None and named:
        raise click.UsageError(f"With --server there is no {' and no '.join(named)}: {why}.")


def eyes_over_http(eyes: str | None) -> str | None:
    """Return whose eyes a service is asked for; None for the token's, to which all is open once the match is over.

    Raises:
        click.UsageError: Nobody has them over HTTP.
    """
    if eyes == "everything":
        raise click.UsageError(
            "With --server there is no --as everything: once a match is over, all of it is shown."
        )
    return eyes


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

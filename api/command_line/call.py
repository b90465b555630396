"""One call of a command: where it looks, and how it prints what it found."""

import functools
import os
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import click

from api.command_line.opening import LogAddress, log_address, work_on
from api.command_line.options import Location, data_option, json_option, redis_option
from api.command_line.output import say, say_json
from api.command_line.remote import Remote, asked, server_option, token_option

if TYPE_CHECKING:
    from api.command_line.remote_client import RemoteClient
    from services.bootstrap.log_parts import LogParts

T = TypeVar("T")

NO_UNSEALING: Final = "who looks behind seals is an operator, with the store"
"""Why ``--unseal`` takes the store."""


class Call(NamedTuple):
    """One call of a command, with the options that most commands have.

    Attributes:
        command: What is called: ``tablee find``.
        location: Where the service and its log are.
        as_json: Whether to print for programs.
        remote: The service to ask over HTTP; None to read the store.
    """

    command: str
    location: Location
    as_json: bool
    remote: Remote | None

    def log(self, *, make: bool = False) -> AbstractContextManager[LogAddress]:
        """Use the log. See :func:`log_address`."""
        return log_address(self.location, purpose=self.command, make=make)

    def work(self, work: "Callable[[LogParts], Awaitable[T]]") -> T:
        """Return what work on the log comes to. See :func:`work_on`."""
        with self.log() as log:
            return work_on(log, work)

    def read(
        self, over_http: "Callable[[RemoteClient], T]", from_store: "Callable[[LogParts], Awaitable[T]]"
    ) -> T:
        """Return what the service tells, if one is to be asked, else what the store holds."""
        if self.remote is None:
            return self.work(from_store)
        with asked(self.remote) as client:
            return over_http(client)

    def say(self, value: object, *lines: str) -> None:
        """Print a value for programs, or lines that tell the same to people."""
        if self.as_json:
            say_json(value)
        else:
            for line in lines:
                say(line)

    def refuse_with_server(self, why: str, **given: object) -> None:
        """Refuse options that need the store, where a service is asked.

        Args:
            why: Why they need it, to end a sentence.
            **given: The options, by their names; None and False count as not given.

        Raises:
            click.UsageError: One was given.
        """
        named = [f"--{name}" for name, value in given.items() if value is not None and value is not False]
        if self.remote is not None and named:
            raise click.UsageError(f"With --server there is no {' and no '.join(named)}: {why}.")


def require_good(good: bool) -> None:  # noqa: FBT001 - what is required is in the name
    """End the command with exit code 1 unless all that it looked at is good."""
    if not good:
        raise click.exceptions.Exit(1)


def call_options(
    *, json: bool = True, remote: bool = False
) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Add the options that say where to look and how to print; the command gets them as its ``call``."""
    options = [*[json_option] * json, data_option, redis_option, *[server_option, token_option] * remote]

    def decorated(command: Callable[..., T]) -> Callable[..., T]:
        @functools.wraps(command)
        def called(
            *,
            data: Path | None,
            redis: str | None,
            as_json: bool = False,
            server: str | None = None,
            token: str | None = None,
            **given: Any,
        ) -> T:
            location = Location(data, redis)
            name = f"tablee {click.get_current_context().info_name}"
            return command(call=Call(name, location, as_json, _remote(server, token, location)), **given)

        with_options: Callable[..., T] = called
        for option in reversed(options):
            with_options = option(with_options)
        return with_options

    return decorated


def _remote(server: str | None, token: str | None, location: Location) -> Remote | None:
    if server is None:
        if token is not None:
            raise click.UsageError("--token goes with --server URL.")
        return None
    if location != Location(None, None):
        raise click.UsageError("--server asks a service over HTTP: leave --data and --redis out.")
    return Remote(server, token or os.environ.get("TABLEE_TOKEN", ""))

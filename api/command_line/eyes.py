"""Through whose eyes a match is shown: ``--as``."""

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple, TypeVar

import click

from api.command_line.call import NO_UNSEALING, Call
from api.command_line.options import unseal_option
from api.command_line.unsealing import log_up_to, open_log
from api.command_line.values import EYES
from domain.entries import StoredEntry
from domain.match.fold import Position
from domain.match.state import OVER
from domain.viewers import EVERYTHING, SPECTATOR, Viewer, seat_viewer
from services.bootstrap.log_parts import LogParts

_eyes_option = click.option(
    "--as",
    "eyes",
    type=EYES,
    metavar="WHO",
    help="Who looks: spectator, seat0, seat1, ... or everything.  "
    "[default: everything once the match is over, else spectator]",
)


T = TypeVar("T")


class Looking(NamedTuple):
    """Who looks at a match.

    Attributes:
        eyes: What ``--as`` says, if it was given.
        unseal: Why what is sealed is looked at; None if it is not.
    """

    eyes: str | None
    unseal: str | None

    def check(self, call: Call) -> None:
        """Refuse what no match allows, whether a service is asked or the store is read.

        Raises:
            click.UsageError: Nobody has these eyes over HTTP, or what is sealed is looked at with no seat's eyes.
        """
        check_unsealing(call, self.eyes, self.unseal)
        if call.remote is not None and self.eyes == "everything":
            raise click.UsageError(
                "With --server there is no --as everything: once a match is over, all of it is shown."
            )

    async def read(
        self, parts: LogParts, match: str, last: int | None, highest: int | None
    ) -> tuple[list[StoredEntry], Viewer]:
        """Return entries up to a version, and whose eyes see them; nothing is unsealed if ``highest`` is not there."""
        entries, head = await log_up_to(parts, match, last)
        viewer = viewer_named(self.eyes, head)
        if viewer != SPECTATOR and (highest is None or highest <= len(entries)):
            entries = await open_log(parts, match, self.unseal, "To see hands", last)
        return entries, viewer


def looking_options(command: Callable[..., T]) -> Callable[..., T]:
    """Add ``--as`` and ``--unseal``; the command gets them as its ``looking``."""

    @wraps(command)
    def looked(*, eyes: str | None, unseal: str | None, **given: Any) -> T:
        return command(looking=Looking(eyes, unseal), **given)

    return _eyes_option(unseal_option(looked))


def check_unsealing(call: Call, eyes: str | None, reason: str | None) -> None:
    """Refuse a reason for looking at what is sealed where it is good for nothing.

    Raises:
        click.UsageError: A service is asked, or nothing is sealed for the eyes.
    """
    call.refuse_with_server(NO_UNSEALING, unseal=reason)
    if reason is not None and eyes in {None, "spectator"}:
        raise click.UsageError(
            "--unseal needs --as: say whose eyes are to look, seat0, seat1, ... or everything."
        )


def viewer_named(eyes: str | None, head: Position) -> Viewer:
    """Return whose eyes to use at a match, which is given at its head.

    Raises:
        click.UsageError: There are no such eyes.
    """
    if eyes is None:
        return EVERYTHING if head.state.lifecycle.phase in OVER else SPECTATOR
    viewer = viewer_of(eyes)
    last = len(head.state.seats) - 1
    if viewer.seat is not None and viewer.seat > last:
        raise click.UsageError(f"--as takes spectator, everything, or seat0 to seat{last} at this table.")
    return viewer


def viewer_of(eyes: str) -> Viewer:
    """Return whose eyes ``--as`` says; whether the table has such a seat is seen later."""
    if eyes == "everything":
        return EVERYTHING
    return SPECTATOR if eyes == "spectator" else seat_viewer(int(eyes.removeprefix("seat")))

"""Commands of operators that change a match."""

from collections.abc import Callable
from typing import Any, TypeVar

import click
import msgspec

from api.command_line.group import CommandFailed
from api.command_line.opening import log_address, work_on
from api.command_line.options import Location
from api.command_line.output import say, say_json
from api.command_line.seats import seat_called
from api.command_line.values import Reason
from domain.errors import Refused
from domain.match.commands import Command
from services.audit.operators import act_as_operator
from services.bootstrap.parts import LogParts
from services.errors import MatchClosed
from services.matches.service import Outcome
from services.words.refusals import refusal_text

F = TypeVar("F", bound=Callable[..., Any])

reason_option = click.option(
    "--reason",
    required=True,
    type=Reason(),
    help="Why you do this. Everybody at the table can read it, so name no people.",
)


class _Done(msgspec.Struct, frozen=True):
    match: str
    first: int
    last: int
    phase: str


def carry_out(
    location: Location, purpose: str, match: str, command: Command, *, as_json: bool, told: str = ""
) -> None:
    """Carry out an operator's command on a match, and tell what came of it.

    Args:
        location: Where the service and its log are.
        purpose: The command's name, for whoever wants the data folder meanwhile.
        match: The match's id.
        command: What is to be done.
        as_json: Tell it as JSON.
        told: A sentence to begin with, with a place for the ``seat`` of the command.

    Raises:
        CommandFailed: The match does not allow it.
    """
    with log_address(location, purpose=purpose) as log:
        outcome, seat = work_on(log, lambda parts: _carried_out(parts, match, command))
    phase = outcome.position.state.lifecycle.phase
    if as_json:
        say_json(_Done(match, outcome.first, outcome.last, phase))
    else:
        if told:
            say(told.format(seat=seat))
        say(f"Done: events {outcome.first} to {outcome.last} of {match} tell it. The match is {phase}.")


async def _carried_out(parts: LogParts, match: str, command: Command) -> tuple[Outcome, str]:
    try:
        outcome = await act_as_operator(parts.service, match, command)
        seat = getattr(command, "seat", None)
        called = "" if seat is None else await seat_called(parts.names, outcome.position.state, seat)
    except MatchClosed as error:
        raise CommandFailed(f"The match {match} is over: it stays as it is.") from error
    except Refused as error:
        arguments = dict(error.arguments)
        if isinstance(seat := arguments.get("seat"), int):
            # Operators count seats as the log does; a text is told as it is.
            state = (await parts.reader.head(match)).state
            arguments["seat"] = await seat_called(parts.names, state, seat)
        said = refusal_text(error.code, error.rule, arguments, "en")
        raise CommandFailed(" ".join(filter(None, (said.wrong, said.right)))) from error
    return outcome, called

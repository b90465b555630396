"""``tablee end``, ``tablee void`` and ``tablee hand-over``: what operators do to a match."""

import click
import msgspec

from api.command_line.call import Call, call_options
from api.command_line.group import CommandFailed
from api.command_line.options import level_option, match_argument
from api.command_line.seats import SeatNumber, seat_called
from api.command_line.values import REASON
from domain.errors import Refused
from domain.match.commands import Command, EndMatch, HandSeatOver, VoidMatch
from services.audit.operators import act_as_operator
from services.bootstrap.log_parts import LogParts
from services.errors import MatchClosed
from services.matches.service import Outcome
from services.words.refusals import refusal_text

_reason_option = click.option(
    "--reason",
    required=True,
    type=REASON,
    help="Why you do this. Everybody at the table can read it, so name no people.",
)


class _Done(msgspec.Struct, frozen=True):
    match: str
    first: int
    last: int
    phase: str


@click.command()
@match_argument
@_reason_option
@call_options()
def end(*, match: str, reason: str, call: Call) -> None:
    """End a match with its present ranking.

    For matches that cannot go on. The log names the operator and the reason, and everybody at the table reads both.
    """
    _carry_out(call, match, EndMatch(reason))


@click.command()
@match_argument
@_reason_option
@call_options()
def void(*, match: str, reason: str, call: Call) -> None:
    """End a match without a result.

    Everything sealed is opened, so that anybody can check the deals. The log names the operator and the reason.
    """
    _carry_out(call, match, VoidMatch(reason))


@click.command("hand-over")
@match_argument
@click.argument("seat", type=SeatNumber())
@_reason_option
@level_option("The level of the bot.")
@call_options()
def hand_over(*, match: str, seat: int, reason: str, level: str, call: Call) -> None:
    """Let a bot play for somebody who is away, until they come back and take their seat again.

    SEAT counts from 0, as in the log: seat0, or just 0, is the seat that pages call 1. The answer names the person.
    """
    _carry_out(call, match, HandSeatOver(seat, reason, level), "Seat {seat} is played by a bot now.")


def _carry_out(call: Call, match: str, command: Command, *told: str) -> None:
    """Carry out an operator's command on a match, and tell what came of it, first what may name the ``seat``."""
    outcome, seat = call.work(lambda parts: _carried_out(parts, match, command))
    phase = outcome.position.state.lifecycle.phase
    call.say(
        _Done(match, outcome.first, outcome.last, phase),
        *(sentence.format(seat=seat) for sentence in told),
        f"Done: events {outcome.first} to {outcome.last} of {match} tell it. The match is {phase}.",
    )


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

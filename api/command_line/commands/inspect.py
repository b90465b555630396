"""``tablee inspect``."""

import click
import msgspec

from api.command_line.call import Call, call_options, require_good
from api.command_line.options import match_argument
from api.command_line.output import say, say_json
from api.command_line.seats import seats_called
from domain.errors import BrokenLog
from services.bootstrap import present_instant
from services.bootstrap.log_parts import LogParts
from services.log.archive.healing import Act, acts_on
from services.watch.inspection.advice import advice_text
from services.watch.inspection.overview import (
    Overview,
    SeatNow,
    look_at,
    overview,
    place_in_index,
    refused_of,
)
from services.words.names import game_name, phase_name

"""The exit code."""


@click.command("inspect")
@match_argument
@call_options()
def inspect(*, match: str, call: Call) -> None:
    """Show the state of a match: who is to move and since when, whether its log is whole, and what can be done.

    Shows no cards, and leaves no trace. The command exits with 1 if something is wrong.
    """
    told, called, acts = call.work(lambda parts: _look(parts, match))
    if call.as_json:
        say_json({**_plain(told), "healed": acts})
    else:
        _say(told, called)
        for act in acts:
            say(f"Healed at {act.at} from event {act.first} on: {act.reason} ({act.found})")
    require_good(not any(advice.urgent for advice in told.advice))


async def _look(parts: LogParts, match: str) -> tuple[Overview, tuple[str, ...], tuple[Act, ...]]:
    looked = await look_at(parts.store, match)
    place = await place_in_index(parts.store, looked)
    refused = await refused_of(parts.store, match)
    told = overview(looked, refused, present_instant(), place)
    called = () if told.position is None else await seats_called(parts.names, told.position.state)
    return told, called, await acts_on(parts.store, match)


def _plain(told: Overview) -> dict[str, object]:
    """Return what a program gets: all but the folded match, which holds the cards."""
    state = None if told.position is None else told.position.state
    return {
        "match": told.match,
        "game": "" if told.meta is None else told.meta.game,
        "phase": None if state is None else state.lifecycle.phase,
        "status": None if told.meta is None else told.meta.status,
        "due": None if told.meta is None else told.meta.due,
        "last_event": None if told.position is None else told.position.at,
        "verdict": {"good": told.verdict.good, **msgspec.to_builtins(told.verdict)},
        "seats": msgspec.to_builtins(told.seats),
        "advice": msgspec.to_builtins(told.advice),
        "refused": len(told.refused),
    }


def _say(told: Overview, called: tuple[str, ...]) -> None:
    state = None if told.position is None else told.position.state
    game = "" if told.meta is None else game_name(told.meta.game, "en")
    phase = "unreadable" if state is None else phase_name(state.lifecycle.phase, "en")
    where = "no record" if told.meta is None else told.meta.status
    say(f"{told.match}: {game}, {phase}; {told.verdict.events} events, {where}.")
    if told.verdict.good:
        say(f"The log is whole and untouched; head {told.verdict.head}.")
    else:
        error = BrokenLog(told.verdict.code, told.verdict.bad_version, told.verdict.detail)
        say(f"THE LOG IS NOT WHAT IT WAS: {error}")
    for seat in told.seats:
        say(f"  seat {called[seat.seat]}: {_who(seat)}{_owes(seat)}")
    names = [f"seat {seat}" for seat in called]
    for advice in told.advice:
        since = f" Since {advice.since}." if advice.since else ""
        say(f"{'! ' if advice.urgent else ''}{advice_text(advice, names, 'en')}{since}")
        for command in advice.commands:
            say(f"    {command}")
    if told.refused:
        say(f"Refused lately: {len(told.refused)}; see tablee refusals {told.match}")


def _who(seat: SeatNow) -> str:
    if seat.kind == "open":
        return "nobody yet"
    if seat.kind == "bot":
        return "a bot"
    stands = ", a bot plays" if seat.stand_in or seat.resigned else ""
    return f"{seat.player}{stands}"


def _owes(seat: SeatNow) -> str:
    if not seat.asked_at:
        return ""
    until = f" until {seat.deadline}" if seat.deadline else ""
    return f", owes a move since {seat.since} (event {seat.asked_at}){until}"

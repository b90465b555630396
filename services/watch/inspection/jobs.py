"""Which jobs an event caused: derived by the rule by which they are sent, for the queue forgets those that are done."""

from collections.abc import Sequence

import msgspec

from domain.match.due import bots_to_act
from domain.match.fold import Position
from services.matches.bots import bot_command_id, bot_job_id
from services.watch.inspection.rows import EventRow, milliseconds_between


class CausedJob(msgspec.Struct, frozen=True):
    """The job that plays the bots' turns behind a command.

    Attributes:
        id: The id that its first attempt has in the queue; later ones count on: ``-1``, ``-2``, every ten seconds.
        seat: The bot whose turn is the first.
        command: The id of the command that plays it, whoever does.
        first: Version of the first event of that command; None if it has not been played.
        last: Version of its last one.
        took: Milliseconds until then; None if it has not been played, or cannot be told.
        door: Through which door it came: ``bot`` for the job, ``clock`` if the clock had to play it.
        note: Why it was not the bot's own choice, if so.
    """

    id: str
    seat: int
    command: str
    first: int | None = None
    last: int | None = None
    took: int | None = None
    door: str = ""
    note: str = ""


def caused_job(position: Position, door: str, later: Sequence[EventRow]) -> CausedJob | None:
    """Return the job that a command caused; None if no bot had to move, or a bot's own job plays on.

    Args:
        position: The match at the end of the command.
        door: Through which door the command came: behind a bot's turn its own job plays on.
        later: The events behind it.
    """
    waiting = bots_to_act(position.state)
    if not waiting or door == "bot":
        return None
    seat = waiting[0]
    command = bot_command_id(position.match, position.state.asked_at[seat], seat)
    played = next((row for row in later if row.command == command), None)
    job = bot_job_id(command, 0)
    if played is None:
        return CausedJob(job, seat, command)
    took = milliseconds_between(position.at, played.at)
    return CausedJob(job, seat, command, played.first, played.last, took, played.door, played.note)

"""``decide``: from a state and a command to events, or a refusal. Pure; the one place where intents become facts."""

from collections.abc import Callable, Mapping

from domain.errors import Refused
from domain.match.commands import Command, Context
from domain.match.decide_ends import abandon, hand_to_bot, reclaim, resign
from domain.match.decide_play import play, time_out
from domain.match.decide_table import be_ready, create, leave, sit, start
from domain.match.state import Match
from domain.sealing import Event

_DECIDERS: Mapping[str, Callable[..., tuple[Event, ...]]] = {
    "CreateMatch": create,
    "TakeSeat": sit,
    "BeReady": be_ready,
    "LeaveSeat": leave,
    "StartMatch": start,
    "PlayMove": play,
    "TimeOut": time_out,
    "HandSeatToBot": hand_to_bot,
    "ReclaimSeat": reclaim,
    "ResignSeat": resign,
    "AbandonMatch": abandon,
}


def decide(state: Match, command: Command, context: Context) -> tuple[Event, ...]:
    """Return the events that a command causes.

    Args:
        state: The match at its head.
        command: What is wanted.
        context: The present instant and the seats' allowances.

    Raises:
        Refused: The command is not allowed now; nothing happens.
    """
    if state.lifecycle.phase in ("finished", "abandoned"):
        raise Refused("match.over", "ended matches stay as they are", phase=state.lifecycle.phase)
    events = _DECIDERS[type(command).__name__](state, command, context)
    if not events:
        raise Refused("command.without_effect", "a command changes something")
    return events

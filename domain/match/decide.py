"""``decide``: from a state and a command to events, or a refusal. Pure; the only place where intents become facts."""

from collections.abc import Callable, Mapping

from domain.errors import Refused
from domain.match.clock import ADDS_UP_SINCE
from domain.match.commands import Command, Context
from domain.match.decide_clock import credit_outage, give_time, plan_rests, time_out
from domain.match.decide_ends import abandon, hand_to_bot, reclaim, resign
from domain.match.decide_gathering import announce, be_ready, followed_by_start, leave, open_seat, sit, start
from domain.match.decide_operator import end, hand_over, reissue, unseal, void
from domain.match.decide_play import play
from domain.match.decide_replacing import ask_for_seat, withdraw_asking
from domain.match.decide_requests import (
    answer,
    ask_to_end,
    ask_to_pause,
    ask_to_resume,
    lapse,
    lapsed_by,
    withdraw,
)
from domain.match.decide_table import create
from domain.match.decide_undo import redo, undo
from domain.match.events import (
    MATCH_EVENTS,
    MatchAbandoned,
    MatchFinished,
    MoveRedone,
    MoveUndone,
    RequestLapsed,
    SeatHandedToBot,
    SeatResigned,
)
from domain.match.expiry import announce_expiry, expire, keep
from domain.match.state import OVER, Match
from domain.sealing import Event

_DECIDERS: Mapping[str, Callable[..., tuple[Event, ...]]] = {
    "CreateMatch": create,
    "TakeSeat": sit,
    "BeReady": be_ready,
    "OpenSeat": open_seat,
    "LeaveSeat": leave,
    "AnnounceNonce": announce,
    "StartMatch": start,
    "AnnounceExpiry": announce_expiry,
    "KeepTable": keep,
    "ExpireTable": expire,
    "PlayMove": play,
    "TimeOut": time_out,
    "GiveTime": give_time,
    "CreditOutage": credit_outage,
    "PlanRests": plan_rests,
    "HandSeatToBot": hand_to_bot,
    "ReclaimSeat": reclaim,
    "ResignSeat": resign,
    "AbandonMatch": abandon,
    "UndoMove": undo,
    "RedoMove": redo,
    "AskForSeat": ask_for_seat,
    "WithdrawAsking": withdraw_asking,
    "AskToEnd": ask_to_end,
    "AskToPause": ask_to_pause,
    "AskToResume": ask_to_resume,
    "AnswerRequest": answer,
    "WithdrawRequest": withdraw,
    "LapseRequest": lapse,
    "UnsealLog": unseal,
    "EndMatch": end,
    "VoidMatch": void,
    "HandSeatOver": hand_over,
    "ReissueSeat": reissue,
}


_TABLE_EVENTS = frozenset(MATCH_EVENTS) - {MoveUndone, MoveRedone}
"""Events that leave the game as it is."""


def decide(state: Match, command: Command, context: Context) -> tuple[Event, ...]:
    """Return the events that a command causes.

    Raises:
        Refused: The command is not allowed now; nothing happens.
    """
    if state.lifecycle.phase in OVER:
        raise Refused("match.over", "ended matches stay as they are", phase=state.lifecycle.phase)
    events = _DECIDERS[type(command).__name__](state, command, context)
    if not events:
        raise Refused("command.without_effect", "a command changes something")
    if state.game is None:
        return followed_by_start(state, events, context)
    return _with_lapses(state, events)


def _with_lapses(state: Match, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Make open requests lapse when the match ends or somebody plays on: they were about another position."""
    if not state.requests or any(isinstance(event, RequestLapsed) for event in events):
        return events
    ends = next((event for event in events if isinstance(event, MatchFinished | MatchAbandoned)), None)
    if ends is not None:
        rest = tuple(event for event in events if event is not ends)
        return *rest, *lapsed_by(state, "ended"), ends
    absent_too = state.terms is not None and state.terms.table >= ADDS_UP_SINCE
    gone = (SeatResigned,) if absent_too else (SeatResigned, SeatHandedToBot)
    if any(isinstance(event, gone) for event in events):
        # Other people would have to agree now; whoever still wants it can ask again.
        return *events, *lapsed_by(state, "moved")
    plays_on = any(type(event) not in _TABLE_EVENTS for event in events)
    return (*events, *lapsed_by(state, "moved", "undo")) if plays_on else events

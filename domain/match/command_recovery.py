"""Recovering a command from the events that it caused, so that it can be decided again."""

from collections.abc import Callable, Mapping, Sequence

import msgspec

from domain.games.contract import GameState
from domain.games.registry import GAMES
from domain.instants import seconds_between
from domain.match.clock_events import ClockRested, ClockResumed, RestsPlanned, TimeGiven
from domain.match.commands import (
    AbandonMatch,
    AnnounceExpiry,
    AnnounceNonce,
    AnswerRequest,
    AskForSeat,
    AskToEnd,
    AskToPause,
    AskToResume,
    BeReady,
    Command,
    CreateMatch,
    CreditOutage,
    EndMatch,
    Fork,
    GiveTime,
    HandSeatOver,
    HandSeatToBot,
    KeepTable,
    LapseRequest,
    LeaveSeat,
    OpenSeat,
    PlanRests,
    PlayMove,
    ReclaimSeat,
    RedoMove,
    ReissueSeat,
    ResignSeat,
    SeatPlan,
    StartMatch,
    TakeSeat,
    TimeOut,
    UndoMove,
    UnsealLog,
    VoidMatch,
    WithdrawAsking,
    WithdrawRequest,
)
from domain.match.events import (
    ExpiryAnnounced,
    LogUnsealed,
    MatchAbandoned,
    MatchCreated,
    MatchForked,
    MatchStarted,
    MoveRedone,
    MoveUndone,
    NonceAnnounced,
    NonceShown,
    OperatorActed,
    RequestAnswered,
    RequestLapsed,
    RequestMade,
    SeatHandedToBot,
    SeatKept,
    SeatLeft,
    SeatOpened,
    SeatReady,
    SeatReclaimed,
    SeatResigned,
    SeatTaken,
    TableKept,
    TurnTimedOut,
)
from domain.match.evolve import game_of
from domain.match.say import REPLACE
from domain.match.state import Match
from domain.sealing import Event

Events = Sequence[Event]


def recover_command(state: Match, events: Events) -> Command | None:
    """Return the command that would cause all these events in a state; None if no command starts so.

    Raises:
        LookupError, TypeError, ValueError: The events hold what no command could cause.
    """
    recover = _RECOVER.get(type(events[0]))
    if recover is not None:
        return recover(state, events[0], events)
    if state.terms is None:
        return None
    move = game_of(state.terms).recover_move(events)
    return None if move is None else PlayMove(*move)


def _created(_: Match, event: MatchCreated, events: Events) -> Command:
    terms = event.terms
    bots = {taken.seat: taken.level for taken in events if isinstance(taken, SeatTaken)}
    kept = {one.seat: one.invitation for one in events if isinstance(one, SeatKept)}
    forked = next((fork for fork in events if isinstance(fork, MatchForked)), None)
    return CreateMatch(
        terms.game,
        terms.options,
        tuple(SeatPlan(bots.get(seat, ""), kept.get(seat, "")) for seat in range(terms.seats)),
        terms.host,
        event.seed,
        terms.clock,
        terms.undo,
        terms.visibility,
        terms.rematch_of,
        None if forked is None else _fork(event, forked),
        terms.rules,
        terms.start,
        terms.friendly,
    )


def _taken(state: Match, event: SeatTaken, events: Events) -> Command:
    ready = any(isinstance(other, SeatReady) for other in events)
    # Who had the invitation is known beside the log: whoever took a seat that was kept is believed to have had it.
    kept = state.seats[event.seat].kept
    return TakeSeat(event.player, event.seat, event.nonce_hash, ready, event.program, kept)


def _fork(created: MatchCreated, forked: MatchForked) -> Fork:
    terms = created.terms
    present: GameState = msgspec.convert(
        forked.position, GAMES[terms.game, terms.rules].state_type, str_keys=True
    )
    # The parent is in another log, so its position, and what was redealt in it, are taken on trust.
    return Fork(
        forked.parent,
        terms.game,
        forked.version,
        forked.head,
        terms.rules,
        terms.options,
        present,
        forked.entropy,
        same_cards=True,
    )


def _lapsed(state: Match, event: RequestLapsed, events: Events) -> Command | None:
    last = events[-1]
    if event.reason == "silent":
        return LapseRequest(event.id)
    if isinstance(last, MatchAbandoned):
        return AbandonMatch(last.reason)
    if event.reason == "expired":
        return LapseRequest(event.id)
    request = next((request for request in state.requests if request.id == event.id), None)
    if request is not None and request.kind == REPLACE:
        return WithdrawAsking(request.player)
    return WithdrawRequest(-1 if request is None else request.seat, event.id)


def _made(_: Match, event: RequestMade, __: Events) -> Command:
    if event.kind == REPLACE:
        return AskForSeat(event.player, event.seat, event.id)
    if event.kind == "undo":
        return UndoMove(event.seat, event.id, event.to)
    if event.kind == "pause":
        return AskToPause(event.seat, event.seconds, event.id)
    if event.kind == "resume":
        return AskToResume(event.seat, event.id)
    return AskToEnd(event.seat, event.id)


def _rested(_: Match, event: ClockRested, __: Events) -> Command:
    if event.seat is None:
        return CreditOutage(event.begins, event.ends)
    return AskToPause(event.seat, round(seconds_between(event.begins, event.ends)))


def _operated(_: Match, event: OperatorActed, events: Events) -> Command | None:
    if event.act == "end":
        return EndMatch(event.reason)
    if event.act == "void":
        return VoidMatch(event.reason)
    if event.act in {"reissue", "reissue_host"}:
        return ReissueSeat(event.seat, event.reason)
    handed = next((one for one in events if isinstance(one, SeatHandedToBot)), None)
    return None if handed is None else HandSeatOver(handed.seat, event.reason, handed.level)


_RECOVER: Mapping[type[Event], Callable[..., Command | None]] = {
    MatchCreated: _created,
    SeatTaken: _taken,
    SeatReady: lambda _, event, __: BeReady(event.seat, event.nonce),
    NonceShown: lambda _, event, __: BeReady(event.seat, event.nonce),
    NonceAnnounced: lambda _, event, __: AnnounceNonce(event.seat, event.nonce_hash),
    SeatOpened: lambda _, event, __: OpenSeat(event.seat),
    SeatLeft: lambda _, event, __: LeaveSeat(event.seat),
    MatchStarted: lambda *_: StartMatch(),
    ExpiryAnnounced: lambda *_: AnnounceExpiry(),
    TableKept: lambda *_: KeepTable(),
    TurnTimedOut: lambda _, event, __: TimeOut(event.seat),
    TimeGiven: lambda _, event, __: GiveTime(event.seat, event.to, event.seconds),
    ClockRested: _rested,
    ClockResumed: lambda _, event, __: AskToResume(event.seat),
    RestsPlanned: lambda _, event, __: PlanRests(event.seats, event.until, event.rests),
    SeatHandedToBot: lambda _, event, __: HandSeatToBot(event.seat, event.level),
    SeatReclaimed: lambda _, event, __: ReclaimSeat(event.seat),
    SeatResigned: lambda _, event, __: ResignSeat(event.seat),
    RequestMade: _made,
    RequestAnswered: lambda _, event, __: AnswerRequest(event.seat, event.id, event.agree),
    RequestLapsed: _lapsed,
    MoveUndone: lambda _, event, __: UndoMove(event.seat, to=event.to),
    MoveRedone: lambda _, event, __: RedoMove(event.seat),
    MatchAbandoned: lambda _, event, __: AbandonMatch(event.reason),
    LogUnsealed: lambda _, event, __: UnsealLog(event.reason, event.fork),
    OperatorActed: _operated,
}
"""By the class of a command's first event; the key guarantees that each function gets its own event."""

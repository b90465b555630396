"""How each of the match's own events changes its state. Called by ``evolve`` alone."""

from collections.abc import Callable, Mapping

import msgspec
from msgspec.structs import replace

from domain.games.registry import GAMES
from domain.instants import EARLIEST
from domain.match.apply_clock import asked_afresh, given, planned, rested, resumed, taken_over, timed_out
from domain.match.apply_undo import answered, lapsed, made, redone, undone
from domain.match.clock import ADDS_UP_SINCE, NOT_ASKED, Clock
from domain.match.clock_events import ClockRested, ClockResumed, RestsPlanned, TimeGiven
from domain.match.events import (
    ExpiryAnnounced,
    LogUnsealed,
    MatchAbandoned,
    MatchCreated,
    MatchFinished,
    MatchForked,
    MatchStarted,
    MoveRedone,
    MoveUndone,
    NonceAnnounced,
    NoncesAwaited,
    NonceShown,
    OperatorActed,
    ReadinessVoided,
    RequestAnswered,
    RequestLapsed,
    RequestMade,
    SeatGiven,
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
from domain.match.state import Entropy, Lifecycle, Match, Origin, Seat
from domain.sealing import Event

VISITORS_KEPT = 2
"""How many people who ever sat at a table are remembered: it matters only whether anybody else came."""


def _created(state: Match, event: MatchCreated) -> Match:
    seats, clock = event.terms.seats, Clock((EARLIEST,) * event.terms.seats)
    if event.terms.table >= ADDS_UP_SINCE and event.terms.clock.per_turn:
        clock = replace(
            clock,
            allowance=event.terms.clock.per_turn * 1000,
            bank=event.terms.clock.bank * 1000,
            turns=(None,) * seats,
        )
    return replace(
        state,
        terms=event.terms,
        entropy=Entropy(event.seed, ("",) * seats),
        lifecycle=Lifecycle("gathering"),
        seats=(Seat(),) * seats,
        asked_at=(0,) * seats,
        clock=clock,
    )


def _forked(state: Match, event: MatchForked) -> Match:
    entropy = event.entropy if event.entropy.seed else None
    return replace(state, origin=Origin(event.parent, event.version, event.position, entropy))


def _with_seat(state: Match, number: int, seat: Seat) -> Match:
    return replace(state, seats=(*state.seats[:number], seat, *state.seats[number + 1 :]))


def _taken(state: Match, event: SeatTaken) -> Match:
    is_bot = event.kind == "bot"
    seat = Seat(
        event.player,
        event.kind,
        event.level,
        ready=is_bot,
        nonce_hash=event.nonce_hash,
        program=event.program,
    )
    after = _with_seat(state, event.seat, seat)
    if is_bot or event.player in state.visitors or len(state.visitors) == VISITORS_KEPT:
        return after
    return replace(after, visitors=(*state.visitors, event.player))


def _kept(state: Match, event: SeatKept) -> Match:
    return _with_seat(state, event.seat, Seat(kept=event.invitation))


def _opened(state: Match, event: SeatOpened) -> Match:
    return _with_seat(state, event.seat, Seat())


def _ready(state: Match, event: SeatReady | NonceShown) -> Match:
    seat = replace(state.seats[event.seat], ready=True, nonce=event.nonce)
    nonces = state.entropy.nonces
    nonces = (*nonces[: event.seat], event.nonce, *nonces[event.seat + 1 :])
    return replace(_with_seat(state, event.seat, seat), entropy=Entropy(state.entropy.seed, nonces))


def _left(state: Match, event: SeatLeft) -> Match:
    nonces = state.entropy.nonces
    nonces = (*nonces[: event.seat], "", *nonces[event.seat + 1 :])
    freed = _with_seat(state, event.seat, Seat())
    return replace(freed, entropy=Entropy(state.entropy.seed, nonces), nonces_until=NOT_ASKED)


def _announced(state: Match, event: NonceAnnounced) -> Match:
    return _with_seat(state, event.seat, replace(state.seats[event.seat], nonce_hash=event.nonce_hash))


def _voided(state: Match, event: ReadinessVoided) -> Match:
    seats, nonces = list(state.seats), list(state.entropy.nonces)
    for number in event.seats:
        seats[number] = replace(seats[number], ready=event.still_ready, nonce="", nonce_hash="")
        nonces[number] = ""
    return replace(state, seats=tuple(seats), entropy=Entropy(state.entropy.seed, tuple(nonces)))


def _awaited(state: Match, event: NoncesAwaited) -> Match:
    return replace(state, nonces_until=event.until)


def _expiring(state: Match, event: ExpiryAnnounced) -> Match:
    return replace(state, expires=event.until)


def _started(state: Match, _: MatchStarted) -> Match:
    terms = state.terms
    if terms is None:
        return state
    game = GAMES[terms.game, terms.rules]
    if state.origin is not None:
        present = msgspec.convert(state.origin.position, game.state_type, str_keys=True)
        return replace(state, lifecycle=Lifecycle("playing"), game=present, nonces_until=NOT_ASKED)
    options = msgspec.convert(terms.options, game.options_type)
    present = game.initial(options, terms.seats)
    return replace(state, lifecycle=Lifecycle("playing"), game=present, nonces_until=NOT_ASKED)


def _handed(state: Match, event: SeatHandedToBot) -> Match:
    seat = replace(state.seats[event.seat], stand_in=True, covered=False, level=event.level)
    return asked_afresh(_with_seat(state, event.seat, seat), event.seat)


def _reclaimed(state: Match, event: SeatReclaimed) -> Match:
    return _with_seat(state, event.seat, replace(state.seats[event.seat], stand_in=False, missed=0, level=""))


def _resigned(state: Match, event: SeatResigned) -> Match:
    order = 1 + max(seat.resigned for seat in state.seats)
    seat = replace(state.seats[event.seat], stand_in=True, covered=False, level=event.level, resigned=order)
    return asked_afresh(_with_seat(state, event.seat, seat), event.seat)


def _given(state: Match, event: SeatGiven) -> Match:
    old = state.seats[event.seat]
    seat = replace(
        old,
        player=event.player,
        level="",
        resigned=0,
        stand_in=False,
        covered=False,
        missed=0,
        program=False,
        former=(*old.former, old.player),
    )
    return taken_over(_with_seat(state, event.seat, seat), event.seat)


def _finished(state: Match, event: MatchFinished) -> Match:
    lifecycle = Lifecycle("finished", event.ranking, event.totals, event.stalled)
    return replace(state, lifecycle=lifecycle, requests=(), undone=None)


def _abandoned(state: Match, event: MatchAbandoned) -> Match:
    return replace(state, lifecycle=Lifecycle("abandoned", reason=event.reason), requests=(), undone=None)


def _unchanged(state: Match, _: Event) -> Match:
    return state


APPLY: Mapping[type[Event], Callable[..., Match]] = {
    MatchCreated: _created,
    MatchForked: _forked,
    SeatTaken: _taken,
    SeatKept: _kept,
    SeatOpened: _opened,
    SeatReady: _ready,
    NonceShown: _ready,
    NoncesAwaited: _awaited,
    TurnTimedOut: timed_out,
    TimeGiven: given,
    ClockRested: rested,
    ClockResumed: resumed,
    RestsPlanned: planned,
    SeatLeft: _left,
    NonceAnnounced: _announced,
    ReadinessVoided: _voided,
    MatchStarted: _started,
    ExpiryAnnounced: _expiring,
    TableKept: _unchanged,
    SeatHandedToBot: _handed,
    SeatReclaimed: _reclaimed,
    SeatResigned: _resigned,
    MatchFinished: _finished,
    MatchAbandoned: _abandoned,
    MoveUndone: undone,
    MoveRedone: redone,
    RequestMade: made,
    SeatGiven: _given,
    RequestAnswered: answered,
    RequestLapsed: lapsed,
    LogUnsealed: _unchanged,
    OperatorActed: _unchanged,
}
"""By event class; the key guarantees that each function gets its own event."""

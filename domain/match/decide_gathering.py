"""Deciding what happens before the game begins: taking seats, getting ready, starting.

Players' nonces are committed and then revealed: who sits announces the hash of theirs, and shows the nonce once every
seat is taken. Any change of seats after that voids what was shown. So nobody chooses a nonce that counts after seeing
another that counts. Who is ready but away while the others wait is dealt without theirs.
"""

import hashlib
from typing import Final

import msgspec

from domain.errors import Refused
from domain.instants import after
from domain.match.clock import NOT_ASKED
from domain.match.commands import AnnounceNonce, BeReady, Context, LeaveSeat, OpenSeat, StartMatch, TakeSeat
from domain.match.decide_table import require_gathering, require_seat
from domain.match.events import (
    MatchStarted,
    NonceAnnounced,
    NoncesAwaited,
    NonceShown,
    ReadinessVoided,
    SeatLeft,
    SeatOpened,
    SeatReady,
    SeatTaken,
)
from domain.match.evolve import evolve_plain, game_of
from domain.match.state import Match, Seat
from domain.sealing import Event

VOIDS_SINCE: Final = 2
"""The number of the table's rules since which a change of seats voids nonces that were shown."""

AHEAD_SINCE: Final = 3
"""The number of the table's rules since which people may be ready before all sit, and are so without their nonce."""

NONCES_SECONDS: Final = 60
"""How long a table at which everybody is ready waits for nonces that were announced."""


def sit(state: Match, command: TakeSeat, _: Context) -> tuple[Event, ...]:
    """Seat a player on the seat they asked for, or on the first free one."""
    require_gathering(state)
    for number, seat in enumerate(state.seats):
        if seat.player == command.player:
            raise Refused("player.already_seated", "one seat for each player", seat=number)
    seat_number = _seat_for(state, command)
    if command.ready and not _ahead(state):
        raise Refused("ready.not_ahead", "ready in advance", seat=seat_number)
    taken = SeatTaken(
        seat_number, command.player, "person", nonce_hash=command.nonce_hash, program=command.program
    )
    ready = (SeatReady(seat_number),) if command.ready else ()
    return taken, *_voided(state), *ready


def _seat_for(state: Match, command: TakeSeat) -> int:
    free = open_seats(state)
    # Whoever has an invitation gets the seat that is kept for them before any other.
    theirs = tuple(seat for seat in free if state.seats[seat].kept == (command.invitation or None))
    may_take = (*theirs, *(seat for seat in free if not state.seats[seat].kept))
    if command.seat is None:
        if not may_take:
            raise Refused("seat.none_free", "one player on each seat")
        return may_take[0]
    require_seat(state, command.seat)
    if command.seat not in free:
        raise Refused("seat.taken", "one player on each seat", seat=command.seat, free=may_take)
    if command.seat not in may_take:
        raise Refused("seat.kept", "seats kept for people", seat=command.seat, free=may_take)
    return command.seat


def open_seat(state: Match, command: OpenSeat, _: Context) -> tuple[Event, ...]:
    """Let anybody take a seat that was kept for somebody who has not come."""
    require_gathering(state)
    require_seat(state, command.seat)
    if not state.seats[command.seat].kept:
        raise Refused("seat.not_kept", "seats kept for people", seat=command.seat)
    return (SeatOpened(command.seat),)


def be_ready(state: Match, command: BeReady, _: Context) -> tuple[Event, ...]:
    """Mark a person ready, or show the nonce of one who is; it must be the one they announced."""
    require_gathering(state)
    require_seat(state, command.seat)
    seat = state.seats[command.seat]
    if seat.kind != "person":
        raise Refused("seat.empty", "only people say that they are ready", seat=command.seat)
    if seat.ready and not (_ahead(state) and command.nonce and seat.owes_nonce):
        raise Refused("seat.already_ready", "ready once", seat=command.seat)
    _check_nonce(state, seat, command)
    return (
        NonceShown(command.seat, command.nonce) if seat.ready else SeatReady(command.seat, command.nonce),
    )


def _check_nonce(state: Match, seat: Seat, command: BeReady) -> None:
    if not seat.nonce_hash:
        if command.nonce:
            raise Refused("nonce.not_announced", "players' entropy", seat=command.seat)
        return
    # The hash came before any nonce was known, so nobody can choose their nonce last.
    if not command.nonce:
        if not _ahead(state):
            raise Refused("nonce.required", "players' entropy", seat=command.seat)
        return
    if hashlib.sha256(command.nonce.encode()).hexdigest() != seat.nonce_hash:
        raise Refused("nonce.mismatch", "players' entropy", seat=command.seat)
    if _ahead(state) and (free := open_seats(state)):
        # Whoever comes could choose theirs, knowing this one.
        raise Refused("nonce.too_early", "players' entropy", seat=command.seat, free=free)


def leave(state: Match, command: LeaveSeat, _: Context) -> tuple[Event, ...]:
    """Free a person's seat."""
    require_gathering(state)
    require_seat(state, command.seat)
    if state.seats[command.seat].kind != "person":
        raise Refused("seat.empty", "only people leave", seat=command.seat)
    return SeatLeft(command.seat), *_voided(state, command.seat)


def announce(state: Match, command: AnnounceNonce, _: Context) -> tuple[Event, ...]:
    """Announce a nonce again, after a change of seats has voided the one that was shown."""
    require_gathering(state)
    require_seat(state, command.seat)
    seat = state.seats[command.seat]
    if seat.kind != "person":
        raise Refused("seat.empty", "only people announce nonces", seat=command.seat)
    if seat.ready and not _ahead(state):
        raise Refused("seat.already_ready", "ready once", seat=command.seat)
    if seat.nonce_hash:
        raise Refused("nonce.already_announced", "players' entropy", seat=command.seat)
    if any(other.nonce for other in state.seats):
        # Whoever announces now could choose, knowing the others' nonces.
        raise Refused("nonce.too_late", "players' entropy", seat=command.seat)
    return (NonceAnnounced(command.seat, command.nonce_hash),)


def _voided(state: Match, leaver: int | None = None) -> tuple[ReadinessVoided, ...]:
    """Return what a change of seats voids once a nonce was shown: else somebody could leave, and choose theirs last."""
    terms = state.terms
    if terms is None or terms.table < VOIDS_SINCE or not any(seat.nonce for seat in state.seats):
        return ()
    if _ahead(state):
        shown = tuple(number for number, seat in enumerate(state.seats) if seat.nonce and number != leaver)
        return (ReadinessVoided(shown, still_ready=True),) if shown else ()
    ready = (number for number, seat in enumerate(state.seats) if seat.kind == "person" and seat.ready)
    voided = tuple(number for number in ready if number != leaver)
    return (ReadinessVoided(voided),) if voided else ()


def start(state: Match, _: StartMatch, context: Context) -> tuple[Event, ...]:
    """Begin the game, once every seat is taken and everybody is ready."""
    require_gathering(state)
    if free := open_seats(state):
        raise Refused("match.seats_open", "hands are dealt when all seats are taken", seats=free)
    if waiting := _not_ready(state):
        raise Refused("match.not_ready", "hands are dealt when everybody is ready", seats=waiting)
    if _awaits_nonces(state, context):
        until = state.nonces_until
        raise Refused("match.nonces_awaited", "players' entropy", seats=_owing(state), until=until)
    return _begun(state)


def followed_by_start(state: Match, events: tuple[Event, ...], context: Context) -> tuple[Event, ...]:
    """Return a command's events before the start, with what follows once everybody is ready.

    That is the first deal, where the table begins by itself; before it, if somebody still has to show a nonce, the
    instant until which the table waits for it.
    """
    for event in events:
        state = evolve_plain(state, event)
    terms = state.terms
    if terms is None or terms.table < AHEAD_SINCE or state.lifecycle.phase != "gathering":
        return events
    if open_seats(state) or _not_ready(state):
        return events
    if _owing(state) and state.nonces_until == NOT_ASKED:
        return *events, NoncesAwaited(after(context.now, NONCES_SECONDS))
    if terms.start != "ready" or _awaits_nonces(state, context):
        return events
    return *events, *_begun(state)


def _begun(state: Match) -> tuple[Event, ...]:
    terms = require_gathering(state)
    given = tuple(number for number, seat in enumerate(state.seats) if seat.nonce)
    started = MatchStarted(given if terms.table >= VOIDS_SINCE else (), _owing(state))
    if state.origin is not None:
        return (started,)
    game = game_of(terms)
    options = msgspec.convert(terms.options, game.options_type)
    return started, *game.start(game.initial(options, terms.seats), state.chance)


def open_seats(state: Match) -> tuple[int, ...]:
    """Return the seats that nobody has taken."""
    return tuple(number for number, seat in enumerate(state.seats) if not seat.player)


def _not_ready(state: Match) -> tuple[int, ...]:
    return tuple(number for number, seat in enumerate(state.seats) if not seat.ready)


def _owing(state: Match) -> tuple[int, ...]:
    """Return the seats that have announced a nonce and not shown it."""
    return tuple(number for number, seat in enumerate(state.seats) if seat.owes_nonce)


def _awaits_nonces(state: Match, context: Context) -> bool:
    return bool(_owing(state)) and not NOT_ASKED < state.nonces_until <= context.now


def _ahead(state: Match) -> bool:
    return state.terms is not None and state.terms.table >= AHEAD_SINCE

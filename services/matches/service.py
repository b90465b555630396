"""Commanding matches: load, decide, append, and once more when somebody else was quicker."""

from collections.abc import Callable
from time import perf_counter
from typing import Final

import msgspec
from msgspec.structs import replace

from domain.errors import Refused, TableeError
from domain.instants import Instant
from domain.match.command_handler import Act, Handled, handle
from domain.match.commands import AskToEnd, Command, CreateMatch, PlayMove, UndoMove
from domain.match.due import context_at, due_of
from domain.match.fold import Position, beginning
from domain.match.state import EVENTS_KEPT_FREE, EVENTS_LIMIT, Match
from domain.match.view import OVER
from services.errors import (
    CommandIdReused,
    Contended,
    MatchClosed,
    MatchFull,
    NoSuchMatch,
    SeatNotHeld,
    StaleVersion,
)
from services.log.event_store.contract import (
    Append,
    Appended,
    CommandReused,
    Conflict,
    Duplicate,
    EventStore,
    Gone,
    LimitReached,
    Status,
)
from services.matches.may_move import check_if_match, require_own_play
from services.matches.reader import MatchReader
from services.process.counted import APPEND_SECONDS, COMMANDS, CONFLICTS
from services.process.counts import Counts

ATTEMPTS = 20
"""How often a command is decided anew when others append first."""

OPERATOR: Final = "operator"
"""The actor, and the door, of everything that operators do."""

Refusal = Refused | StaleVersion | SeatNotHeld
"""What is answered only after a look at the head of the log and at the commands that were accepted."""


class Order(msgspec.Struct, frozen=True):
    """A command on its way to a match.

    Attributes:
        match: The match's id.
        command: What is wanted.
        act: Who wants it, and how.
        fingerprint: Digest of what it says; the same command id with another fingerprint is refused.
        if_match: The version that a move was based on; None for commands that name their object themselves.
        player: The player for whose seat the command is. The seat is then looked up in the very state on which the
            command is decided, and written into command and act: nobody commands a seat that he has left.
    """

    match: str
    command: Command
    act: Act
    fingerprint: str
    if_match: int | None = None
    player: str = ""


class Outcome(msgspec.Struct, frozen=True):
    """What became of a command.

    Attributes:
        first: Version of its first event.
        last: Version of its last event.
        duplicate: Whether it had been accepted before.
        position: The match at ``last``.
    """

    first: int
    last: int
    duplicate: bool
    position: Position


class MatchService:
    """The one door through which a match changes."""

    def __init__(
        self,
        store: EventStore,
        reader: MatchReader,
        now: Callable[[], Instant],
        counts: Counts | None = None,
    ) -> None:
        """Take the store, a reader on it, a clock, and where commands are counted."""
        self._store = store
        self._reader = reader
        self._now = now
        self._counts = counts or Counts()

    async def execute(self, order: Order) -> Outcome:
        """Carry a command out, once, however often it is sent.

        Raises:
            Refused: The rules or the table do not allow it.
            StaleVersion: ``if_match`` no longer holds.
            SeatNotHeld: The order's player holds no seat.
            CommandIdReused: The actor sent this id with another body before.
            NoSuchMatch: There is no such match.
            BrokenLog: Its log contradicts itself, as far as it had to be read; nothing has changed.
            MatchClosed: The match has ended.
            MatchFull: Its log is full.
            Contended: Others were quicker every time.
            StoreUnavailable: The store did not answer; nothing has changed.
            OutcomeUnknown: The store may or may not have taken it; sending it again tells.
        """
        result = "internal"
        try:
            outcome = await self._execute(order)
            result = "duplicate" if outcome.duplicate else "accepted"
        except TableeError as error:
            result = error.code
            if isinstance(error, CommandIdReused):
                await self._record(order, error)
            raise
        finally:
            self._counts.add(COMMANDS, order.act.door, result)
        return outcome

    async def _execute(self, order: Order) -> Outcome:
        if order.act.door == OPERATOR:
            # Rare, and meant for good: the log is read from its first event, and its chain followed.
            self._reader.forget(order.match)
        position = self._reader.remembered(order.match) or beginning(order.match)
        for _ in range(ATTEMPTS):
            try:
                order = _for_seat(order, position.state)
                handled = self._decide(order, position)
            except (Refused, StaleVersion, SeatNotHeld) as refusal:
                # Perhaps only our memory is old: what is refused is refused on the head of the log.
                fresh = await self._fresh(order)
                if fresh.version == position.version and fresh.head == position.head:
                    return await self._already_done(order, position, refusal)
                position = fresh
                continue
            outcome = await self._append(order, position, handled)
            if outcome is not None:
                return outcome
            position = await self._fresh(order)
        raise Contended(order.match)

    def _decide(self, order: Order, position: Position) -> Handled:
        if isinstance(order.command, PlayMove):
            if order.player:
                require_own_play(position.state, order.command.seat)
            check_if_match(position, order.command.seat, order.if_match)
        return handle(position, order.command, order.act, context_at(position.state, self._now()))

    async def _fresh(self, order: Order) -> Position:
        try:
            return await self._reader.head(order.match)
        except NoSuchMatch:
            return beginning(order.match)

    async def _append(self, order: Order, position: Position, handled: Handled) -> Outcome | None:
        after = handled.position
        begun = perf_counter()
        answer = await self._store.append(_append_of(order, position, handled))
        self._counts.observe(APPEND_SECONDS, perf_counter() - begun)
        match answer:
            case Appended(first, last):
                self._reader.remember(after)
                return Outcome(first, last, duplicate=False, position=after)
            case Duplicate(first, last):
                return await self._repeated(order, first, last)
            case CommandReused():
                raise CommandIdReused(order.act.command_id)
            case Conflict():
                self._counts.add(CONFLICTS)
                if answer.version <= position.version:
                    self._reader.forget(order.match)
                return None
            case Gone(status):
                raise MatchClosed(status)
            case LimitReached():
                raise MatchFull(order.match)

    async def _repeated(self, order: Order, first: int, last: int) -> Outcome:
        return Outcome(first, last, duplicate=True, position=await self._reader.at(order.match, last))

    async def _already_done(self, order: Order, position: Position, refusal: Refusal) -> Outcome:
        """Answer a retry of an accepted command with its first answer; otherwise raise the refusal."""
        known = await self._store.command(order.match, order.act.actor, order.act.command_id)
        if known is not None:
            if known.fingerprint != _kept_of(order.fingerprint):
                raise CommandIdReused(order.act.command_id)
            return await self._repeated(order, known.first, known.last)
        if position.version == 0 and not isinstance(order.command, CreateMatch):
            raise NoSuchMatch(order.match)
        if position.state.lifecycle.phase in OVER:
            raise MatchClosed(Status.CLOSED)
        await self._record(order, refusal)
        raise refusal

    async def _record(self, order: Order, refusal: Refusal | CommandIdReused) -> None:
        if isinstance(order.command, CreateMatch):
            return
        # What was asked is left out: it may name cards that only the asker knows.
        record = {
            "at": self._now(),
            "actor": order.act.actor,
            "door": order.act.door,
            "command": order.act.command_id,
            "kind": type(order.command).__name__,
            "code": refusal.code,
            "trace": order.act.trace,
        }
        await self._store.record_refusal(order.match, msgspec.json.encode(record))


def _for_seat(order: Order, state: Match) -> Order:
    if not order.player:
        return order
    seat = seat_of(state, order.player)
    if seat is None:
        raise SeatNotHeld(order.player)
    if order.act.seat == seat:
        return order
    command = replace(order.command, seat=seat)
    if isinstance(command, UndoMove | AskToEnd):
        # A request bears its command's id, and the seat's number: ids are told apart within one actor only.
        command = replace(command, request=f"{seat}-{order.act.command_id}")
    return replace(order, command=command, act=replace(order.act, seat=seat))


def seat_of(state: Match, player: str) -> int | None:
    """Return the seat that a player holds; None for none."""
    for number, seat in enumerate(state.seats):
        if seat.player == player:
            return number
    return None


def _kept_of(fingerprint: str) -> str:
    """Return what the store keeps of a fingerprint: 128 bits tell a retry from another command well enough.

    A record holds it for the last commands of everybody at the table, as long as the match is live.
    """
    return fingerprint[:32]


def _append_of(order: Order, position: Position, handled: Handled) -> Append:
    after = handled.position
    terms = after.state.terms
    limit = terms.limit if terms is not None else EVENTS_LIMIT
    closes = after.state.lifecycle.phase in OVER
    # The last events are kept for ending the match: people may not use them up, seated or not.
    keeps_free = not closes and order.act.door != OPERATOR
    return Append(
        match=order.match,
        actor=order.act.actor,
        command_id=order.act.command_id,
        fingerprint=_kept_of(order.fingerprint),
        expected_version=position.version,
        expected_head=position.head,
        entries=handled.entries,
        types=handled.types,
        status=Status.CLOSED if closes else Status.OPEN,
        game=terms.game if terms is not None else "",
        rules=terms.rules if terms is not None else 0,
        due=due_of(after),
        limit=limit - EVENTS_KEPT_FREE if keeps_free else limit,
    )

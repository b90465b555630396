"""Commands to matches: load, decide, append, and again if somebody else appended first."""

from collections.abc import Callable
from time import perf_counter
from typing import Concatenate, Final, ParamSpec

import msgspec
from msgspec.structs import replace

from domain.errors import Refused, TableeError
from domain.instants import Instant
from domain.match.clock import NOT_ASKED
from domain.match.command_handler import CommandMetadata, PreparedAppend, prepare_append
from domain.match.commands import (
    AskToEnd,
    AskToPause,
    AskToResume,
    Command,
    CreateMatch,
    PlayMove,
    SeatCommand,
    UndoMove,
)
from domain.match.due import context_at, due_of
from domain.match.fold import Position, beginning
from domain.match.state import EVENTS_KEPT_FREE, EVENTS_LIMIT, OVER, Match
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
"""How often a command is decided while others keep appending first."""

OPERATOR: Final = "operator"
"""The actor and the door of everything that operators do."""

CLOCK: Final = "clock"
"""The actor and the door of what happens because time has run out."""

P = ParamSpec("P")

Refusal = Refused | StaleVersion | SeatNotHeld
"""Not raised before a look at the log's head and at the commands accepted so far."""


class ForOwnSeat:
    """A command for the seat that its actor holds: ``ForOwnSeat(PlayMove, move)``.

    The seat is looked up in the state that the command is decided on, so nobody commands a seat that they have left.
    """

    def __init__(
        self, kind: Callable[Concatenate[int, P], SeatCommand], *content: P.args, **named: P.kwargs
    ) -> None:
        self.kind = kind
        self.at: Callable[[int], SeatCommand] = lambda seat: kind(seat, *content, **named)


class Submission(msgspec.Struct, frozen=True):
    """A command on its way to a match.

    Attributes:
        command: The command; one for the actor's own seat names no seat yet.
        metadata: Who commands, and how.
        fingerprint: Digest of what it says. The same command id with another fingerprint is refused.
        if_match: The version that a move is based on; for any other command, the only one on which it is carried out.
            None for commands that need none.
        not_before: The earliest instant at which it is carried out, for a match whose log is ahead of the clock.
    """

    match: str
    command: Command | ForOwnSeat
    metadata: CommandMetadata
    fingerprint: str
    if_match: int | None = None
    not_before: Instant = NOT_ASKED

    @property
    def kind(self) -> str:
        """The name of the command's class."""
        kind = self.command.kind if isinstance(self.command, ForOwnSeat) else type(self.command)
        return kind.__name__


class Outcome(msgspec.Struct, frozen=True):
    """The result of an accepted command.

    Attributes:
        duplicate: Whether it had been accepted before.
        position: The match at ``last``.
    """

    first: int
    last: int
    duplicate: bool
    position: Position


class MatchService:
    """The only way to change a match."""

    def __init__(
        self,
        store: EventStore,
        reader: MatchReader,
        now: Callable[[], Instant],
        counts: Counts | None = None,
    ) -> None:
        self._store = store
        self._reader = reader
        self._now = now
        self._counts = counts or Counts()

    async def execute(self, submission: Submission) -> Outcome:
        """Carry out a command, once, however often it is sent.

        Raises:
            Refused: The rules or the table do not allow it.
            StaleVersion: ``if_match`` no longer holds.
            SeatNotHeld: The command is for its actor's own seat, and they hold none.
            CommandIdReused: The actor has sent another command under this id.
            NoSuchMatch: There is no such match.
            BrokenLog: The part of its log that was read contradicts itself; nothing has changed.
            MatchClosed: The match has ended.
            MatchFull: Its log is full.
            Contended: Others appended first every time.
            StoreUnavailable: The store did not answer; nothing has changed.
            OutcomeUnknown: It may have been accepted or not; sending it again tells.
        """
        result = "internal"
        try:
            outcome = await self._execute(submission)
            result = "duplicate" if outcome.duplicate else "accepted"
        except TableeError as error:
            result = error.code
            if isinstance(error, CommandIdReused):
                await self._record(submission, error)
            raise
        finally:
            self._counts.add(COMMANDS, submission.metadata.door, result)
        return outcome

    async def _execute(self, submission: Submission) -> Outcome:
        if submission.metadata.door == OPERATOR:
            # Rare and final: read the log from its first event, and follow its chain.
            self._reader.forget(submission.match)
        position = self._reader.remembered(submission.match) or beginning(submission.match)
        for _ in range(ATTEMPTS):
            try:
                prepared = self._decide(submission, position)
            except (Refused, StaleVersion, SeatNotHeld) as refusal:
                # Perhaps our memory is old: refuse only on the head of the log.
                fresh = await self._fresh(submission)
                if fresh.version == position.version and fresh.head == position.head:
                    return await self._already_done(submission, position, refusal)
                position = fresh
                continue
            outcome = await self._append(submission, position, prepared)
            if outcome is not None:
                return outcome
            position = await self._fresh(submission)
        raise Contended(submission.match)

    def _decide(self, submission: Submission, position: Position) -> PreparedAppend:
        wish, state = submission.command, position.state
        command = _seated(wish, submission.metadata, state) if isinstance(wish, ForOwnSeat) else wish
        if isinstance(command, PlayMove):
            if command is not wish:
                require_own_play(state, command.seat)
            check_if_match(position, command.seat, submission.if_match)
        elif submission.if_match not in {None, position.version}:
            raise StaleVersion(submission.if_match or 0, position.version)
        now = max(self._now(), submission.not_before)
        return prepare_append(position, command, submission.metadata, context_at(state, now))

    async def _fresh(self, submission: Submission) -> Position:
        try:
            return await self._reader.head(submission.match, proven=True)
        except NoSuchMatch:
            return beginning(submission.match)

    async def _append(
        self, submission: Submission, position: Position, prepared: PreparedAppend
    ) -> Outcome | None:
        after = prepared.position
        begun = perf_counter()
        answer = await self._store.append(_append_of(submission, position, prepared))
        self._counts.observe(APPEND_SECONDS, perf_counter() - begun)
        match answer:
            case Appended(first, last):
                self._reader.remember(after)
                return Outcome(first, last, duplicate=False, position=after)
            case Duplicate(first, last):
                return await self._repeated(submission, first, last)
            case CommandReused():
                raise CommandIdReused(submission.metadata.command_id)
            case Conflict():
                self._counts.add(CONFLICTS)
                if answer.version <= position.version:
                    self._reader.forget(submission.match)
                return None
            case Gone(status):
                raise MatchClosed(status)
            case LimitReached():
                raise MatchFull(submission.match)

    async def _repeated(self, submission: Submission, first: int, last: int) -> Outcome:
        return Outcome(first, last, duplicate=True, position=await self._reader.at(submission.match, last))

    async def _already_done(self, submission: Submission, position: Position, refusal: Refusal) -> Outcome:
        """Answer a retry of an accepted command with its first answer; otherwise raise the refusal."""
        known = await self._store.command(
            submission.match, submission.metadata.actor, submission.metadata.command_id
        )
        if known is not None:
            if known.fingerprint != _kept_of(submission.fingerprint):
                raise CommandIdReused(submission.metadata.command_id)
            return await self._repeated(submission, known.first, known.last)
        if position.version == 0 and not isinstance(submission.command, CreateMatch):
            raise NoSuchMatch(submission.match)
        if position.state.lifecycle.phase in OVER:
            raise MatchClosed(Status.CLOSED)
        await self._record(submission, refusal)
        raise refusal

    async def _record(self, submission: Submission, refusal: Refusal | CommandIdReused) -> None:
        if isinstance(submission.command, CreateMatch):
            return
        # Without the command itself: it may name cards that only its sender knows.
        record = {
            "at": self._now(),
            "actor": submission.metadata.actor,
            "door": submission.metadata.door,
            "command": submission.metadata.command_id,
            "kind": submission.kind,
            "code": refusal.code,
            "trace": submission.metadata.trace,
        }
        await self._store.record_refusal(submission.match, msgspec.json.encode(record))


def _seated(wanted: ForOwnSeat, metadata: CommandMetadata, state: Match) -> SeatCommand:
    seat = seat_of(state, metadata.actor)
    if seat is None:
        raise SeatNotHeld(metadata.actor)
    command = wanted.at(seat)
    if isinstance(command, UndoMove | AskToEnd | AskToPause | AskToResume):
        # Command ids are unique within one actor only; the seat's number makes request ids unique in the match.
        return replace(command, request=f"{seat}-{metadata.command_id}")
    return command


def seat_of(state: Match, player: str) -> int | None:
    """Return the seat that a player holds, if any."""
    for number, seat in enumerate(state.seats):
        if seat.player == player:
            return number
    return None


def _kept_of(fingerprint: str) -> str:
    """Return what the store keeps of a fingerprint: 128 bits are enough to tell a retry from another command.

    The record of a live match keeps one for each of the last commands of everybody at the table.
    """
    return fingerprint[:32]


def _append_of(submission: Submission, position: Position, prepared: PreparedAppend) -> Append:
    after = prepared.position
    terms = after.state.terms
    limit = terms.limit if terms is not None else EVENTS_LIMIT
    closes = after.state.lifecycle.phase in OVER
    # The last room in a log is kept for ending the match; people may not use it up.
    keeps_free = not closes and submission.metadata.door != OPERATOR
    return Append(
        match=submission.match,
        actor=submission.metadata.actor,
        command_id=submission.metadata.command_id,
        fingerprint=_kept_of(submission.fingerprint),
        expected_version=position.version,
        expected_head=position.head,
        entries=prepared.entries,
        types=prepared.types,
        status=Status.CLOSED if closes else Status.OPEN,
        game=terms.game if terms is not None else "",
        rules=terms.rules if terms is not None else 0,
        due=due_of(after),
        limit=limit - EVENTS_KEPT_FREE if keeps_free else limit,
        holders=_holders(after.state),
    )


def _holders(state: Match) -> tuple[str, ...]:
    """Return a table's players, its host, and the actors that every table has."""
    host = state.terms.host if state.terms is not None else ""
    return tuple(filter(None, (host, OPERATOR, CLOCK, *(seat.player for seat in state.seats))))

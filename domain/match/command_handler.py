"""Handling a command: decide it, seal and chain its events, and return the resulting position."""

import msgspec
from msgspec.structs import replace

from domain.chain import link
from domain.entries import CommandMark, Envelope, StoredEntry, encode_envelope, encode_openings
from domain.errors import Refused
from domain.instants import EARLIEST, Instant, seconds_between
from domain.instants import after as later
from domain.match.clock import NOT_ASKED
from domain.match.commands import Command, Context, SeatCommand, TakeSeat
from domain.match.decide import decide
from domain.match.due import deadlines_of
from domain.match.events import MatchAbandoned, MatchCreated, MatchFinished, MoveRedone, MoveUndone
from domain.match.evolve import (
    Happened,
    evolve,
    evolve_plain,
    game_of,
    newly_timed,
    seats_to_act,
)
from domain.match.fold import Position
from domain.match.ranking import ranked
from domain.match.state import EVENTS_KEPT_FREE, GATHERING_LIMIT, IDLE_LIMIT, Match
from domain.sealing import Event, seal

_ENCODER = msgspec.json.Encoder()


class CommandMetadata(msgspec.Struct, frozen=True):
    """Who sends a command, and how; goes into the envelopes.

    Attributes:
        actor: Opaque player id, ``bot-<seat>``, ``clock``, or an operator's id.
        door: ``page``, ``api``, ``bot``, ``clock`` or ``operator``.
        command_id: The command's id, unique per actor.
        trace: Correlation id.
        note: Why this is not the actor's own choice; empty if it is.
    """

    actor: str
    door: str
    command_id: str
    trace: str = ""
    note: str = ""


class PreparedAppend(msgspec.Struct, frozen=True):
    """A command's entries, ready to be appended.

    Attributes:
        entries: The new entries, sealed and chained.
        types: Their events' types.
        position: The match after them.
    """

    entries: tuple[StoredEntry, ...]
    types: tuple[str, ...]
    position: Position


def prepare_append(
    position: Position, command: Command, metadata: CommandMetadata, context: Context
) -> PreparedAppend:
    """Decide a command at a position and prepare its entries.

    Raises:
        Refused: The command is not allowed; nothing happens.
    """
    state = position.state
    seat = command.seat if isinstance(command, SeatCommand) else None
    now = max(context.now, position.at)
    context = replace(context, now=now)
    events = admitted(position, command, context)
    seed = state.entropy.seed or next(event.seed for event in events if isinstance(event, MatchCreated))
    mark = CommandMark(metadata.command_id, position.version + 1, position.version + len(events))
    head, entries = position.head, []
    for version, event in enumerate(events, mark.first):
        deadlines: dict[int, Instant] = {}
        ends = version == mark.last
        if ends and context.due:
            deadlines = _deadlines(position.state, evolve_plain(state, event), events, seat, context)
        happened = Happened(event, version, ends, seat, now, deadlines, metadata.door, metadata.trace)
        state = evolve(state, happened)
        if ends and state.clock.turns:
            deadlines = changed_deadlines(position.state, state)
        data, openings = seal(event, version, seed)
        envelope = Envelope(
            version,
            type(event).__name__,
            now,
            metadata.actor,
            metadata.door,
            mark,
            msgspec.Raw(_ENCODER.encode(data)),
            seat,
            metadata.trace,
            deadlines,
            metadata.note,
        )
        stored = encode_envelope(envelope)
        head = link(head, stored)
        entries.append(StoredEntry(version, stored, encode_openings(openings), head))
    types = tuple(type(event).__name__ for event in events)
    return PreparedAppend(
        tuple(entries),
        types,
        Position(position.match, mark.last, head, now, state, metadata.door, metadata.trace),
    )


def changed_deadlines(before: Match, after: Match) -> dict[int, Instant]:
    """Return the deadlines that a command has changed or given. They follow from the log; readers need not know how."""
    known, clock = deadlines_of(before), after.clock
    return {
        seat: deadline
        for seat, deadline in deadlines_of(after).items()
        if known.get(seat) != deadline or before.clock.turn_of(seat) != clock.turn_of(seat)
    }


def _deadlines(
    start: Match, after: Match, events: tuple[Event, ...], seat: int | None, context: Context
) -> dict[int, Instant]:
    """Return the deadlines that a command's last event records: those of people whose time starts now.

    A person who takes their seat back from a bot that owed a move without a deadline gets one, too.
    """
    moved = after.game is not start.game
    to_act = seats_to_act(after)
    timed = newly_timed(after.asked_at, to_act, seat if moved else None)
    untimed = (number for number in to_act if after.clock.deadline_of(number) == NOT_ASKED)
    given = {
        number: context.due[number]
        for number in (*timed, *untimed)
        if number in context.due and not after.seats[number].played_by_bot
    }
    step = next((event for event in events if isinstance(event, MoveUndone | MoveRedone)), None)
    if step is None:
        return given
    return {
        number: min(due, time_left(start, step, number, context.now) or due) for number, due in given.items()
    }


def time_left(state: Match, event: MoveUndone | MoveRedone, seat: int, now: Instant) -> Instant | None:
    """Return when a seat's time ends in a restored position, where it resumes with the time it had left there.

    Otherwise a seat could gain time by undoing and redoing. None if the seat had no limit there.
    """
    if isinstance(event, MoveUndone):
        node, left_at = state.past, EARLIEST
        while node is not None and node.version != event.to:
            left_at, node = node.at, node.before
    else:
        # The redone position was left when it was undone, which is when the present seats were asked.
        node, left_at = state.undone, max(state.clock.since)
        while node is not None and node.version != event.to:
            node = node.before
    deadline = node.clock.deadline_of(seat) if node is not None else EARLIEST
    if EARLIEST in (deadline, left_at):
        return None
    return later(now, seconds_between(left_at, deadline))


NO_WINNER_SINCE = 2
"""The number of the table's rules since which a match whose log is full ends without a winner."""


def admitted(position: Position, command: Command, context: Context) -> tuple[Event, ...]:
    """Return all events that a new command causes at a position.

    Stored commands are not asked again whether they were admitted: logs that grew before there was a limit stay good.

    Raises:
        Refused: The command is not allowed, or strangers have come and gone too often; nothing happens.
    """
    if position.state.game is None:
        # As the entries will say: a log may be ahead of the clock, and what follows from time must be seen in the log.
        context = replace(context, now=max(context.now, position.at))
    events = decided(position.state, position.version, command, context)
    # Who sits can get ready and leave once each, so nothing but sitting down has to be refused.
    if isinstance(command, TakeSeat) and position.version >= GATHERING_LIMIT:
        raise Refused("seats.closed", "coming and going has a limit", limit=GATHERING_LIMIT)
    if isinstance(command, SeatCommand) and type(command).__name__ in _IDLE_COMMANDS:
        _check_idle(position.state, command.seat)
    return events


def _check_idle(state: Match, seat: int) -> None:
    # In practice there is nobody whom it could harm, and one may step back through a whole match.
    if state.terms is not None and state.terms.undo == "practice":
        return
    if state.idle and state.idle[seat] >= IDLE_LIMIT:
        raise Refused("seat.idles", "commands between two moves", seat=seat, limit=IDLE_LIMIT)


_IDLE_COMMANDS = frozenset(
    {
        "AnswerRequest",
        "AskToEnd",
        "AskToPause",
        "AskToResume",
        "GiveTime",
        "HandSeatToBot",
        "ReclaimSeat",
        "RedoMove",
        "UndoMove",
        "WithdrawRequest",
    }
)
"""Commands of a seat that may leave the game as it is. A match that a seat may resign always has a way out."""


def decided(state: Match, version: int, command: Command, context: Context) -> tuple[Event, ...]:
    """Return all events that a command causes at a version, including the end of a match whose log is full.

    Raises:
        Refused: The command is not allowed; nothing happens.
    """
    return _ended_when_full(state, version, decide(state, command, context))


def _ended_when_full(state: Match, version: int, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Finish a match with its present ranking when its log is full, so that every match ends."""
    terms = state.terms
    if terms is None or state.lifecycle.phase != "playing":
        return events
    if version + len(events) < terms.limit - EVENTS_KEPT_FREE:
        return events
    for event in events:
        state = evolve_plain(state, event)
    if state.lifecycle.phase != "playing" or state.game is None:
        return events
    if terms.table >= NO_WINNER_SINCE:
        # Whoever fills the log while they lead must not win by it.
        return *events, MatchAbandoned("log_full")
    standing = game_of(terms).standing(state.game)
    return *events, MatchFinished(ranked(standing, state.seats), standing.totals, stalled=True)

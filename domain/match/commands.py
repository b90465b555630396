"""Commands: what somebody wants a match to do. A command may be refused; an event may not."""

import msgspec

from domain.games.contract import GameState, Move
from domain.instants import Instant
from domain.match.clock import ClockTerms, Rest
from domain.match.state import Entropy


class SeatPlan(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Who should take a seat.

    Attributes:
        bot: Level of the bot that takes it; empty for a seat that waits for a person.
        kept: The invitation with which alone the seat can be taken; empty for a seat that anybody may take.
    """

    bot: str = ""
    kept: str = ""


class Fork(msgspec.Struct, frozen=True):
    """Where a fork's first position comes from.

    Attributes:
        parent: The parent match's id.
        key: Its game's key.
        version: The version forked from.
        head: Its chain hash at that version, hexadecimal.
        rules: Its rules number.
        options: Its options.
        game: The game's state at that version.
        entropy: Its seed and nonces.
        same_cards: Whether the cards to come are the parent's; if not, the cards that a seat does not know are redealt.
        seat: That seat.
    """

    parent: str
    key: str
    version: int
    head: str
    rules: int
    options: dict[str, str | int]
    game: GameState
    entropy: Entropy
    same_cards: bool
    seat: int = 0


class CreateMatch(msgspec.Struct, frozen=True):
    """Make a table.

    Attributes:
        game: The game's key.
        options: Its options, as the table chose them.
        seats: Who should sit where.
        host: Opaque id of the player who makes the table.
        seed: From the operating system, through the service.
        clock: The time that seats have.
        undo: Undo policy; empty for the default.
        visibility: What spectators see.
        rematch_of: The match that this one repeats; empty for none.
        fork: The position to start from; None for the beginning of a game.
        rules: The rules number; 0 for the current one.
        start: What begins the match: ``ready``, once everybody is, or ``host``.
        friendly: Whether its result shall not count in any standings.
    """

    game: str
    options: dict[str, str | int]
    seats: tuple[SeatPlan, ...]
    host: str
    seed: str
    clock: ClockTerms = ClockTerms()
    undo: str = ""
    visibility: str = "public"
    rematch_of: str = ""
    fork: Fork | None = None
    rules: int = 0
    start: str = "host"
    friendly: bool = False


class TakeSeat(msgspec.Struct, frozen=True):
    """Take a given seat, or the first free one.

    Attributes:
        player: Opaque id of who sits down.
        seat: The seat; None for the first free one.
        nonce_hash: SHA-256 of the nonce that they will show; empty for none.
        ready: Whether they are ready at once.
        program: Whether a program of a person's sits down.
        invitation: The invitation that they have, if any; the service knows whose it is.
    """

    player: str
    seat: int | None = None
    nonce_hash: str = ""
    ready: bool = False
    program: bool = False
    invitation: str = ""


class OpenSeat(msgspec.Struct, frozen=True):
    """Let anybody take a seat that was kept for somebody."""

    seat: int


class AskForSeat(msgspec.Struct, frozen=True):
    """Ask, from outside, to take over a seat in play.

    Attributes:
        player: Opaque id of who asks.
        seat: The seat.
        request: Id of the request.
    """

    player: str
    seat: int
    request: str


class WithdrawAsking(msgspec.Struct, frozen=True):
    """Ask, from outside, for a seat no longer.

    Attributes:
        player: Opaque id of who asked.
    """

    player: str


class SeatCommand(msgspec.Struct, frozen=True):
    """Base of what is done for a seat: by whoever sits there, by its bot, or by the clock."""

    seat: int


class BeReady(SeatCommand, frozen=True):
    """Declare oneself ready, or show the nonce that was announced, or both."""

    nonce: str = ""


class AnnounceNonce(SeatCommand, frozen=True):
    """Announce a nonce by its SHA-256, after a change of seats has voided the one that was shown."""

    nonce_hash: str


class LeaveSeat(SeatCommand, frozen=True):
    """Leave the table before the start."""


class StartMatch(msgspec.Struct, frozen=True):
    """Begin the game."""


class AnnounceExpiry(msgspec.Struct, frozen=True):
    """The clock tells a table that has waited for long when it will end."""


class KeepTable(msgspec.Struct, frozen=True):
    """Let a table whose end was told wait on."""


class ExpireTable(msgspec.Struct, frozen=True):
    """The clock ends a table that never began."""


class PlayMove(SeatCommand, frozen=True):
    """Make a move of the game."""

    move: Move


class TimeOut(SeatCommand, frozen=True):
    """The clock asks whether a seat's time has run out."""


class GiveTime(SeatCommand, frozen=True):
    """Give another seat more time for its present turn.

    Attributes:
        to: That seat.
        seconds: How much.
    """

    to: int
    seconds: int


class CreditOutage(msgspec.Struct, frozen=True):
    """The clock gives back the time in which the service was away, or its store was put back."""

    begins: Instant
    ends: Instant


class PlanRests(msgspec.Struct, frozen=True):
    """The clock records when the clocks of some seats will rest.

    Attributes:
        seats: The seats.
        until: How far that is planned.
        rests: The intervals.
    """

    seats: tuple[int, ...]
    until: Instant
    rests: tuple[Rest, ...]


class HandSeatToBot(SeatCommand, frozen=True):
    """Let a bot play for a person."""

    level: str = ""


class ReclaimSeat(SeatCommand, frozen=True):
    """Take one's seat back from the bot that stands in."""


class ResignSeat(SeatCommand, frozen=True):
    """Give up the match for good."""


class AbandonMatch(msgspec.Struct, frozen=True):
    """End the match without a result."""

    reason: str


class UndoMove(SeatCommand, frozen=True):
    """Take back one's turn, or ask the others to allow it.

    Attributes:
        request: Id of the request, if one is needed.
        to: The version whose position to restore; None for the seat's last turn.
    """

    request: str = ""
    to: int | None = None


class RedoMove(SeatCommand, frozen=True):
    """Play again what was taken back."""


class AskToEnd(SeatCommand, frozen=True):
    """Ask the others to end the match without a result."""

    request: str = ""


class AskToPause(SeatCommand, frozen=True):
    """Ask the others to let all clocks rest for so many seconds."""

    seconds: int
    request: str = ""


class AskToResume(SeatCommand, frozen=True):
    """Ask the others to end a pause before its time."""

    request: str = ""


class AnswerRequest(SeatCommand, frozen=True):
    """Agree to a request, or refuse it."""

    id: str
    agree: bool


class WithdrawRequest(SeatCommand, frozen=True):
    """Withdraw one's own request."""

    id: str


class LapseRequest(msgspec.Struct, frozen=True):
    """The clock asks whether a request has expired, or whether only people who are away have not answered it."""

    id: str


class UnsealLog(msgspec.Struct, frozen=True):
    """Look at what is still sealed; the log records that, and why.

    Attributes:
        reason: Why, in the operator's words.
        fork: Whether it is the match's own player who goes on elsewhere with the same cards.
    """

    reason: str
    fork: bool = False


class EndMatch(msgspec.Struct, frozen=True):
    """End a match with its present ranking, as an operator."""

    reason: str


class VoidMatch(msgspec.Struct, frozen=True):
    """End a match without a result, as an operator."""

    reason: str


class HandSeatOver(msgspec.Struct, frozen=True):
    """Let a bot play for a person, as an operator."""

    seat: int
    reason: str
    level: str = ""


class ReissueSeat(msgspec.Struct, frozen=True):
    """Let somebody back on a seat that they have lost, as an operator.

    Attributes:
        seat: The seat; None for the host's place.
    """

    seat: int | None
    reason: str


Command = (
    CreateMatch
    | TakeSeat
    | SeatCommand
    | OpenSeat
    | AskForSeat
    | WithdrawAsking
    | StartMatch
    | AnnounceExpiry
    | KeepTable
    | ExpireTable
    | AbandonMatch
    | LapseRequest
    | CreditOutage
    | PlanRests
    | UnsealLog
    | EndMatch
    | VoidMatch
    | HandSeatOver
    | ReissueSeat
)


class Context(msgspec.Struct, frozen=True):
    """What a decision needs from outside.

    Attributes:
        now: The present instant.
        due: By seat: when its time would end if it were asked now; empty if the table has no clock.
    """

    now: Instant
    due: dict[int, Instant] = {}

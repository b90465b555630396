"""What the API and the pages submit to the match service: the same for the same wish, whichever way it came in."""

import secrets
from typing import Literal

import msgspec

from api.requests.bodies import CreateMatchBody, SitBody
from domain.canonical import digest
from domain.errors import Refused
from domain.games.contract import Move
from domain.match.command_handler import CommandMetadata, admitted
from domain.match.commands import Command, Context, CreateMatch, Fork, PlayMove, SeatPlan, TakeSeat
from domain.match.fold import Position, beginning
from domain.match.state import ClockTerms
from services.bootstrap import present_instant
from services.matches.service import ForOwnSeat, Submission
from services.people.identity import Issued
from services.process.service_log import current_correlation
from services.words.misfits import NUMBER_TOO_LARGE, Misfit

Door = Literal["api", "page"]


class Caller(msgspec.Struct, frozen=True):
    """Who submits something.

    Attributes:
        door: The way that they came in.
        player: Their opaque id.
        key: The id of their command.
    """

    door: Door
    player: str
    key: str


def issued_caller(door: Door, issued: Issued) -> Caller:
    """Return the caller that somebody becomes who gets a token by what they submit."""
    return Caller(door, issued.player, issued.command_id)


def metadata_of(caller: Caller) -> CommandMetadata:
    """Return who acts, and how, for the envelopes."""
    return CommandMetadata(caller.player, caller.door, caller.key, current_correlation() or "")


def submission(
    caller: Caller, match: str, command: Command | ForOwnSeat, fingerprint: str, if_match: int | None = None
) -> Submission:
    """Return a command on its way to a match."""
    return Submission(match, command, metadata_of(caller), fingerprint, if_match)


def fingerprint(kind: str, match: str, body: msgspec.Struct) -> str:
    """Return the digest of what a command says: the same command id with another digest is refused.

    It is taken of the body that the API would get, also where a form said it: the door makes no difference.

    Raises:
        Misfit: A number in it is too large.
    """
    try:
        return digest({"kind": kind, "match": match, "body": body})
    except (OverflowError, ValueError):
        raise Misfit("body.malformed", NUMBER_TOO_LARGE) from None


def creation(caller: Caller, match: str, body: CreateMatchBody, fork: Fork | None = None) -> Submission:
    """Return the wish to make a table, whose host its caller becomes.

    The seed and the match's id are no part of the fingerprint: a retry brings another seed, and the first one counts.
    """
    command = CreateMatch(
        game=body.game,
        options=fork.options if fork is not None else dict(body.options),
        seats=tuple(SeatPlan(seat.bot) for seat in body.seats),
        host=caller.player,
        seed=secrets.token_hex(32),
        clock=ClockTerms(body.clock.per_turn),
        undo=body.undo,
        visibility=body.visibility,
        rematch_of=body.rematch_of or "",
        fork=fork,
        rules=body.rules,
    )
    return submission(caller, match, command, fingerprint("create", "", body))


def sitting(caller: Caller, match: str, body: SitBody) -> Submission:
    """Return the wish to sit down at a table."""
    command = TakeSeat(caller.player, body.seat, body.nonce_hash or "")
    return submission(caller, match, command, fingerprint("sit", match, body))


def moving(caller: Caller, match: str, move: Move, if_match: int) -> Submission:
    """Return the wish to make a move for one's own seat."""
    command = ForOwnSeat(PlayMove, move)
    return submission(caller, match, command, fingerprint("move", match, move), if_match)


def check(submitted: Submission, head: Position | None = None) -> None:
    """Refuse at once what would be refused, before anything is kept of it.

    Raises:
        Refused: The match does not allow it as it stands.
    """
    if not isinstance(submitted.command, ForOwnSeat):
        admitted(head or beginning(submitted.match), submitted.command, Context(present_instant()))


def is_acceptable(submitted: Submission, head: Position | None = None) -> bool:
    """Tell whether a match allows it as it stands."""
    try:
        check(submitted, head)
    except Refused:
        return False
    return True

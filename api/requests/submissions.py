"""Submissions to the match service. The API and the pages make the same one for the same command."""

import secrets
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

import msgspec

from api.requests.bodies import AskForSeatBody, Body, ClockBody, CreateMatchBody, SitBody
from domain.canonical import digest
from domain.errors import Refused
from domain.games.contract import Move
from domain.match.clock import ClockTerms
from domain.match.clock_terms import ABSENT
from domain.match.command_handler import CommandMetadata, admitted
from domain.match.commands import (
    AskForSeat,
    Command,
    Context,
    CreateMatch,
    Fork,
    PlayMove,
    SeatPlan,
    TakeSeat,
    WithdrawAsking,
)
from domain.match.fold import Position, beginning
from services.bootstrap import present_instant
from services.matches.service import ForOwnSeat, Submission
from services.people.identity import Issued
from services.process.service_log import current_correlation
from services.words.misfits import NUMBER_TOO_LARGE, Misfit

Door = Literal["api", "page"]


class Caller(msgspec.Struct, frozen=True):
    """Who submits something.

    Attributes:
        door: The door that they came through.
        player: Their opaque id.
    """

    door: Door
    player: str
    key: str


def issued_caller(door: Door, issued: Issued) -> Caller:
    """Return the caller for somebody who gets a token by this submission."""
    return Caller(door, issued.player, issued.command_id)


def metadata_of(caller: Caller) -> CommandMetadata:
    """Return the command metadata of a caller."""
    return CommandMetadata(caller.player, caller.door, caller.key, current_correlation() or "")


def submission(
    caller: Caller, match: str, command: Command | ForOwnSeat, fingerprint: str, if_match: int | None = None
) -> Submission:
    """Return a command on its way to a match."""
    return Submission(match, command, metadata_of(caller), fingerprint, if_match)


def fingerprint(kind: str, match: str, body: msgspec.Struct) -> str:
    """Return the digest of what a command says. The same command id with another digest is refused.

    A command from a form is digested as the body that the API would get, so the door makes no difference.

    Raises:
        Misfit: A number in it is too large.
    """
    try:
        return digest({"kind": kind, "match": match, "body": body})
    except (OverflowError, ValueError):
        raise Misfit("body.malformed", NUMBER_TOO_LARGE) from None


class _WithKept(msgspec.Struct, frozen=True):
    """What a table with kept seats says, for its fingerprint."""

    body: CreateMatchBody
    kept: tuple[tuple[int, str], ...]


def creation(
    caller: Caller,
    match: str,
    body: CreateMatchBody,
    fork: Fork | None = None,
    kept: Mapping[int, str] = MappingProxyType({}),
) -> Submission:
    """Return the submission of a new table, whose host the caller becomes.

    By seat, ``kept`` has the invitation of whom it is kept for.

    The fingerprint leaves out the seed and the match's id: a retry brings another seed, and the first one counts.
    """
    command = CreateMatch(
        game=body.game,
        options=fork.options if fork is not None else dict(body.options),
        seats=tuple(SeatPlan(seat.bot, kept.get(number, "")) for number, seat in enumerate(body.seats)),
        host=caller.player,
        seed=secrets.token_hex(32),
        clock=clock_terms(body.clock),
        undo=body.undo,
        visibility=body.visibility,
        rematch_of=body.rematch_of or "",
        fork=fork,
        rules=body.rules,
        start=body.start,
        friendly=body.friendly,
    )
    said: msgspec.Struct = _WithKept(body, tuple(sorted(kept.items()))) if kept else body
    return submission(caller, match, command, fingerprint("create", "", said))


def clock_terms(body: ClockBody) -> ClockTerms:
    """Return the clock that a body asks for.

    Raises:
        Refused: There is nothing of that name that could happen to absent people.
    """
    absent = next((known for known in ABSENT if known == body.absent), None)
    if absent is None:
        raise Refused("clock.absent_unknown", "clock", absent=body.absent, known=ABSENT)
    return ClockTerms(body.per_turn, body.bank, absent, body.misses, body.rests)


def sitting(
    caller: Caller, match: str, body: SitBody, *, program: bool = False, invitation: str = ""
) -> Submission:
    """Return the submission of somebody, or of a program of theirs, who sits down at a table."""
    command = TakeSeat(caller.player, body.seat, body.nonce_hash or "", body.ready, program, invitation)
    return submission(caller, match, command, fingerprint("sit", match, body))


def asking_for_seat(caller: Caller, match: str, body: AskForSeatBody) -> Submission:
    """Return the submission of somebody from outside who asks to take over a seat."""
    command = AskForSeat(caller.player, body.seat, f"replace-{caller.key}")
    return submission(caller, match, command, fingerprint("ask-for-seat", match, body))


def asking_no_longer(caller: Caller, match: str) -> Submission:
    """Return the submission of somebody from outside who takes their request for a seat back."""
    # Who asked again since under another key takes that back: each time is a command of its own.
    again = Caller(caller.door, caller.player, f"no-{caller.key}")
    said = fingerprint("ask-no-longer", match, Body())
    return submission(again, match, WithdrawAsking(caller.player), said)


def moving(caller: Caller, match: str, move: Move, if_match: int) -> Submission:
    """Return the submission of a move for the caller's own seat."""
    command = ForOwnSeat(PlayMove, move)
    return submission(caller, match, command, fingerprint("move", match, move), if_match)


def check(submitted: Submission, head: Position | None = None) -> None:
    """Refuse at once what the match would refuse, before anything is stored for it.

    Raises:
        Refused: The match does not allow it now.
    """
    if not isinstance(submitted.command, ForOwnSeat):
        admitted(head or beginning(submitted.match), submitted.command, Context(present_instant()))


def is_acceptable(submitted: Submission, head: Position | None = None) -> bool:
    """Tell whether the match allows it now."""
    try:
        check(submitted, head)
    except Refused:
        return False
    return True

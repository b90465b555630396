"""The referee: decides every command of a complete log again, and compares the outcome with the log.

What events record follows from the state before them: who was to act, which move was legal, what it scored, whose
turn came next, when a round and the match ended and how it was ranked. The referee has the match decide all that
again, under the match's rules number, with the same code that decided it at first.

It does not judge what the rest of the log cannot contradict: who sent a command, and through which door; at which
instant, and what time a seat was given (though it does judge whether that time had run out); which of its legal
moves a seat chose; the position that a fork starts from.
"""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.entries import FORMAT, Envelope
from domain.errors import BrokenLog, Refused
from domain.match.command_handler import decided
from domain.match.command_recovery import recover_command
from domain.match.commands import BeReady, Command, Context, LeaveSeat, SeatCommand
from domain.match.decide_undo import cards_learned, viewers_of
from domain.match.events import ExpiryAnnounced, MatchCreated, MatchForked, NoncesAwaited, RequestMade
from domain.match.evolve import Happened, game_of
from domain.match.fold import UNFOLDABLE, unfoldable
from domain.match.state import EMPTY, Match
from domain.match.upcasting import NewerRelease
from domain.sealing import Event, Opening, unseal

CODE = "rules.differs"
"""The code of everything the referee finds."""

_SORTED = msgspec.json.Encoder(order="sorted")
_PLAIN = msgspec.json.Encoder()


class Referee:
    """Follows a complete log.

    Attributes:
        judged: How many commands were decided again with the same outcome.
    """

    def __init__(self) -> None:
        self.judged = 0
        self._before: Match = EMPTY
        self._events: list[Event] = []
        self._seat: int | None = None

    def take(
        self, before: Match, happened: Happened, envelope: Envelope, openings: tuple[Opening, ...]
    ) -> None:
        """Take in the next event; if it ends its command, judge the command.

        Raises:
            BrokenLog: The rules give something else; names the first event that differs.
        """
        terms = happened.event.terms if isinstance(happened.event, MatchCreated) else before.terms
        if terms is not None and terms.format == FORMAT:
            _check_wording(happened, envelope, openings)
        if not self._events:
            self._before, self._seat = before, happened.seat
        self._events.append(happened.event)
        if happened.seat != self._seat:
            detail = f"it is recorded for seat {happened.seat}, but its command began for seat {self._seat}"
            raise BrokenLog(CODE, happened.version, detail)
        if not happened.ends:
            return
        events, self._events = tuple(self._events), []
        _judge(self._before, events, happened)
        self.judged += 1


def _check_wording(happened: Happened, envelope: Envelope, openings: tuple[Opening, ...]) -> None:
    """Check that an event is written as its type is, and holds nothing that decoding skips: that was never decided."""
    event, sealed = happened.event, happened.event.SEALED
    if not sealed and _PLAIN.encode(event) == bytes(envelope.data):
        return
    recorded = unseal(msgspec.json.decode(envelope.data), openings)
    # Sealed values are sorted by key; public fields come in the order of their type.
    if _SORTED.encode(recorded) != _SORTED.encode(event):
        if unknown := sorted(_unknown_fields(recorded, event)):
            raise unfoldable(happened.version, NewerRelease(f"{', '.join(unknown)} of {envelope.type}"))
        raise BrokenLog(CODE, happened.version, f"{envelope.type} holds more than such an event holds")
    public: dict[str, Any] = msgspec.json.decode(envelope.data)
    written = {**msgspec.to_builtins(event), **{name: public[name] for name in sealed}}
    if _PLAIN.encode(written) != bytes(envelope.data):
        raise BrokenLog(CODE, happened.version, f"{envelope.type} is not written as such an event is")


def _unknown_fields(recorded: object, read: object) -> set[str]:
    """Return the names that are recorded and that no release up to this one reads."""
    if isinstance(recorded, dict) and isinstance(read, msgspec.Struct):
        fields = {*read.__struct_fields__, *({"type"} if read.__struct_config__.tag else ())}
        inside = (_unknown_fields(recorded[name], getattr(read, name, None)) for name in recorded)
        return (recorded.keys() - fields).union(*inside)
    if isinstance(recorded, list) and isinstance(read, list | tuple):
        return set().union(*map(_unknown_fields, recorded, read))
    return set()


def _judge(before: Match, events: Sequence[Event], last: Happened) -> None:
    version = last.version - len(events)
    kind = type(events[0]).__name__
    try:
        command = recover_command(before, events)
        if command is None:
            raise BrokenLog(CODE, version + 1, f"no command begins with {kind}")
        _check_seat(command, last, version + 1)
        expected = decided(before, version, command, Context(last.at))
    except Refused as refused:
        raise BrokenLog(CODE, version + 1, f"the rules refuse {kind}: {refused.code}") from None
    except UNFOLDABLE as error:
        raise BrokenLog(CODE, version + 1, f"{kind} cannot be decided: {type(error).__name__}") from None
    if events != expected:
        _compare(before, events, expected, version)


def _check_seat(command: Command, last: Happened, version: int) -> None:
    # Before the start nothing follows from the seat in an envelope.
    if not isinstance(command, SeatCommand) or isinstance(command, BeReady | LeaveSeat):
        return
    if last.seat != command.seat:
        raise BrokenLog(CODE, version, f"seat {command.seat} acts in a command made for seat {last.seat}")


def _compare(before: Match, events: Sequence[Event], expected: Sequence[Event], version: int) -> None:
    for number, (found, right) in enumerate(zip_longest(events, expected), version + 1):
        if found is None:
            detail = f"the command ends here; by the rules {type(right).__name__} follows"
            raise BrokenLog(CODE, number - 1, detail)
        if right is None:
            raise BrokenLog(CODE, number, f"by the rules no {type(found).__name__} follows here")
        if type(found) is not type(right):
            detail = f"found {type(found).__name__}, the rules give {type(right).__name__}"
            raise BrokenLog(CODE, number, detail)
        if found != (right := _with_what_is_believed(before, found, right)):
            # Name the fields only: what one should hold may be sealed.
            fields = (
                field for field in found.__struct_fields__ if getattr(found, field) != getattr(right, field)
            )
            raise BrokenLog(
                CODE, number, f"the rules give {type(found).__name__} another {', another '.join(fields)}"
            )


def _with_what_is_believed(before: Match, found: Event, right: Event) -> Event:
    """Return what was decided, with the log's facts where they do not follow from what came before."""
    if isinstance(found, RequestMade) and isinstance(right, RequestMade):
        known = found.known if found.known == _known_to_anybody(before, found) else right.known
        return replace(right, expires=found.expires, known=known)
    if isinstance(found, NoncesAwaited | ExpiryAnnounced) and type(found) is type(right):
        return found
    if isinstance(found, MatchForked) and isinstance(right, MatchForked):
        return replace(right, redealt_for=found.redealt_for)
    if isinstance(found, MatchCreated) and isinstance(right, MatchCreated):
        written = found.terms
        terms = replace(
            right.terms,
            table=written.table,
            limit=written.limit,
            format=written.format,
            generator=written.generator,
        )
        # Releases up to 0.2.0 did not say how they dealt.
        return replace(right, terms=terms, chance=right.chance if found.chance else "")
    return right


def _known_to_anybody(before: Match, asked: RequestMade) -> int:
    """Return what requests to take turns back told up to release 0.2.0: how many cards anybody has learned since."""
    node = before.past
    while node is not None and node.version != asked.to:
        node = node.before
    if node is None or before.terms is None or before.game is None:
        return asked.known
    return cards_learned(game_of(before.terms), node.game, before.game, viewers_of(before))

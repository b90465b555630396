"""Occasions: what a log gives to tell. Pure: a match's position, or some of its events, and nothing else.

An occasion is named by match, player, kind and *turn*: the same thing asked of the same player has the same name
however often it is looked at, and is told once through each channel.
"""

from collections.abc import Iterable, Iterator
from typing import Final, Literal, NamedTuple

import msgspec

from domain.entries import StoredEntry, decode_envelope
from domain.instants import EARLIEST, Instant, after, milliseconds_of
from domain.match.fold import Position
from domain.match.say import REQUEST_SECONDS
from domain.match.state import OVER, Match, Seat
from services.projections.owed import HOST, Wait, waits_of

Kind = Literal[
    "turn",
    "answer",
    "ready",
    "invited",
    "ended",
    "reminder",
    "played",
    "happened",
    "nudge",
    "digest",
    "heads",
    "opened",
    "awaited",
    "result",
    "test",
]

STANDING_KINDS: Final[frozenset[Kind]] = frozenset({"turn", "answer", "ready", "invited"})
"""Kinds that are told only while somebody is still waited for."""

_DONE_TO: Final = frozenset({"SeatHandedToBot", "SeatResigned", "SeatLeft", "SeatGiven", "SeatOpened"})
"""Types of events that change a seat; its holder is told if somebody else made them."""


class Name(NamedTuple):
    """What an occasion is: the same however often it is looked at.

    Attributes:
        match: The match; empty for what is about none.
        player: The player; the person for what is about no match.
        turn: What it is about, within match, player and kind.
    """

    match: str
    player: str
    kind: Kind
    turn: str


class Occasion(NamedTuple):
    """Something that a player may be told.

    Attributes:
        since: From when on it is so.
        deadline: Until when the player may act; :data:`EARLIEST` for no limit.
    """

    name: Name
    since: Instant
    deadline: Instant = EARLIEST


def standing(position: Position) -> tuple[Occasion, ...]:
    """Return what people are waited for now, or that the match has ended."""
    state = position.state
    if state.lifecycle.phase in OVER:
        return tuple(
            Occasion(Name(position.match, seat.player, "ended", "ended"), position.at)
            for seat in state.seats
            if seat.kind == "person"
        )
    asked = (_asked(position, one) for one in waits_of(position) if one.seat != HOST)
    invited = _invitations(position) if state.lifecycle.phase == "gathering" else ()
    return (*asked, *invited)


def does_something(entry: StoredEntry) -> bool:
    """Tell whether an event may do something to somebody."""
    kind = decode_envelope(entry.e).type
    return kind == "TurnTimedOut" or kind in _DONE_TO


def happened(match: str, before: Match, entries: Iterable[StoredEntry]) -> Iterator[Occasion]:
    """Yield what some events did to people who did not do it themselves.

    Args:
        match: The match.
        before: Its state before these events: it says who sat where.
        entries: The events.
    """
    holders = {number: _person(seat) or seat.kept for number, seat in enumerate(before.seats)}
    for entry in entries:
        envelope = decode_envelope(entry.e)
        kind: Kind | None = None
        if envelope.type == "TurnTimedOut":
            kind = "played"
        elif envelope.type in _DONE_TO:
            kind = "happened"
        if kind is None and envelope.type != "SeatTaken":
            continue
        event = _SEAT_EVENTS.decode(envelope.data)
        seat, newcomer = event.seat, event.player
        player = holders.get(seat, "")
        if newcomer:
            holders[seat] = "" if event.kind == "bot" else newcomer
        if kind is not None and player and player != envelope.actor:
            yield Occasion(Name(match, player, kind, f"v{envelope.v}"), envelope.at)


class _SeatEvent(msgspec.Struct, frozen=True):
    """What events about a seat have in common.

    Attributes:
        player: Who sits there from now on; empty if that does not change.
        kind: Of who sits down, whether they are a person or a bot.
    """

    seat: int
    player: str = ""
    kind: str = ""


_SEAT_EVENTS: Final = msgspec.json.Decoder(_SeatEvent)


def _asked(position: Position, wait: Wait) -> Occasion:
    state, player = position.state, position.state.seats[wait.seat].player
    until = EARLIEST if wait.until is None else wait.until
    if wait.what == "move":
        # Not by the version that asked: whoever makes or answers a request on their turn is asked anew by that.
        since = state.clock.since[wait.seat]
        turn = f"turn-{milliseconds_of(since)}"
        return Occasion(Name(position.match, player, "turn", turn), since, until)
    if wait.request is not None:
        since = wait.request.made or after(wait.request.expires, -REQUEST_SECONDS)
        return Occasion(Name(position.match, player, "answer", wait.request.id), since, until)
    # The same people asked again, after somebody came and went, is the same question.
    together = "ready-" + "-".join(seat.player[:6] for seat in state.seats if seat.kind == "person")
    return Occasion(Name(position.match, player, "ready", together), position.at)


def _invitations(position: Position) -> Iterator[Occasion]:
    for seat in position.state.seats:
        if seat.kept and not seat.player:
            yield Occasion(Name(position.match, seat.kept, "invited", "kept"), position.at)


def _person(seat: Seat) -> str:
    return seat.player if seat.kind == "person" and not seat.resigned else ""

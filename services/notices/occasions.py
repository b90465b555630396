"""Occasions: what a log gives to tell. Pure: a match's position, or some of its events, and nothing else.

An occasion is named by match, player, kind and *turn*: the same thing asked of the same player has the same name
however often it is looked at, and is told once through each channel.
"""

from collections.abc import Iterable, Iterator
from typing import Final, Literal, NamedTuple

import msgspec

from domain.entries import StoredEntry, decode_envelope
from domain.instants import EARLIEST, Instant, after
from domain.match.evolve import seats_to_act
from domain.match.fold import Position
from domain.match.say import REQUEST_SECONDS, asked_by, due_at
from domain.match.state import OVER, Match, Seat
from domain.match.view import match_view
from domain.viewers import SPECTATOR

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

_DONE_TO: Final = frozenset({"SeatHandedToBot", "SeatResigned", "SeatLeft"})
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
    if state.lifecycle.phase == "gathering":
        return (*_ready_checks(position), *_invitations(position))
    return (*_turns(position), *_answers(position))


def happened(match: str, state: Match, entries: Iterable[StoredEntry]) -> Iterator[Occasion]:
    """Yield what some events did to people who did not do it themselves."""
    for entry in entries:
        envelope = decode_envelope(entry.e)
        kind: Kind | None = None
        if envelope.type == "TurnTimedOut":
            kind = "played"
        elif envelope.type in _DONE_TO:
            kind = "happened"
        if kind is None:
            continue
        seat = msgspec.json.decode(envelope.data, type=_SeatOnly).seat
        player = _person(state.seats[seat]) if seat < len(state.seats) else ""
        if player and player != envelope.actor:
            yield Occasion(Name(match, player, kind, f"v{envelope.v}"), envelope.at)


class _SeatOnly(msgspec.Struct, frozen=True):
    seat: int


def _turns(position: Position) -> Iterator[Occasion]:
    state, deadlines = position.state, match_view(position, SPECTATOR).deadlines
    for seat in seats_to_act(state):
        player = _person(state.seats[seat])
        if player and not state.seats[seat].played_by_bot:
            turn, deadline = f"turn-{state.asked_at[seat]}", deadlines.get(str(seat), EARLIEST)
            yield Occasion(Name(position.match, player, "turn", turn), state.clock.since[seat], deadline)


def _answers(position: Position) -> Iterator[Occasion]:
    state = position.state
    for request in state.requests:
        for seat in asked_by(state, request):
            player = _person(state.seats[seat])
            # Whoever is away is told, too: after a while their silence agrees.
            if player and seat not in request.agreed:
                since = request.made or after(request.expires, -REQUEST_SECONDS)
                until = due_at(state, request)
                yield Occasion(Name(position.match, player, "answer", request.id), since, until)


def _ready_checks(position: Position) -> Iterator[Occasion]:
    state = position.state
    if any(not seat.player for seat in state.seats):
        return
    # The same people asked again, after somebody came and went, is the same question.
    turn = "ready-" + "-".join(seat.player[:6] for seat in state.seats if seat.kind == "person")
    for seat in state.seats:
        if seat.kind == "person" and not seat.ready:
            yield Occasion(Name(position.match, seat.player, "ready", turn), position.at)


def _invitations(position: Position) -> Iterator[Occasion]:
    for seat in position.state.seats:
        if seat.kept and not seat.player:
            yield Occasion(Name(position.match, seat.kept, "invited", "kept"), position.at)


def _person(seat: Seat) -> str:
    return seat.player if seat.kind == "person" and not seat.resigned else ""

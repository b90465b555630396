"""What an expert makes of a turn: for those who learn, at their own practice table or when a match is over."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from domain.chance import Chance
from domain.games.contract import Allowance, Move
from domain.games.searching import Worth
from domain.match.command_recovery import recover_command
from domain.match.commands import PlayMove
from domain.match.evolve import game_of, seats_to_act
from domain.match.fold import Position, happened, positions
from domain.match.levels import allowance_of
from domain.match.view import match_view
from domain.sealing import Event
from domain.viewers import seat_viewer
from services.log.event_store.contract import EventStore
from services.matches.bots import SEARCH_SECONDS
from services.matches.hands import HANDS
from services.matches.reader import MatchReader
from services.matches.time_limit import at_most

EXPERT: Final = "expert"

_EVENTS_OF_A_COMMAND: Final = 60
"""More than any command causes."""


class Weighed(msgspec.Struct, frozen=True):
    """A move, and the chance to win the match after it, from 0 to 1, as the expert expects."""

    move: dict[str, Any]
    chance: float


class Advice(msgspec.Struct, frozen=True):
    """What an expert makes of a turn.

    Attributes:
        match: The match's id.
        version: The version at which the seat was asked.
        seat: The seat.
        moves: The moves that were compared, best first; empty where there is nothing to choose.
        made: The move that was made; None if none was yet, or it was taken back.
        cost: By how much less than the best move it promised, from 0 to 1.
    """

    match: str
    version: int
    seat: int
    moves: tuple[Weighed, ...] = ()
    made: dict[str, Any] | None = None
    cost: float | None = None


def seat_asked(position: Position) -> int | None:
    """Return the seat whose turn an expert can look at; None if nobody is asked."""
    asked = seats_to_act(position.state) if position.state.game is not None else ()
    return asked[0] if asked else None


async def advise(
    store: EventStore,
    reader: MatchReader,
    bot_seed: Callable[[str], str],
    match: str,
    version: int,
    allowance: Allowance | None = None,
) -> Advice | None:
    """Return what an expert makes of the turn at a version; None if nobody is asked there.

    Raises:
        NoSuchMatch: There is no such match.
        NoSuchVersion: It has no such version.
        TookTooLong: The expert did not come to an end.
    """
    position = await reader.at(match, version)
    seat, state = seat_asked(position), position.state
    if seat is None or state.terms is None:
        return None
    game, shown = game_of(state.terms), match_view(position, seat_viewer(seat))
    made = await _made(store, position, seat)
    # Through JSON and back, like a bot: the expert gets what this seat saw, and nothing more.
    view = msgspec.json.decode(msgspec.json.encode(shown.game), type=game.view_type)
    legal = msgspec.json.decode(msgspec.json.encode(shown.legal), type=game.legal_type)
    chance = Chance(bot_seed(f"advice-{match}-{version}-{seat}"))

    def considered() -> Sequence[Worth[Move]]:
        with at_most(SEARCH_SECONDS):
            return game.consider(view, legal, seat, chance, allowance or allowance_of(EXPERT), made)

    worths = await HANDS.get().think(considered)
    moves = tuple(Weighed(_wire(each.move), round(each.worth, 4)) for each in worths)
    told = None if made is None else _wire(made)
    chances = [each.chance for each in moves if same_move(each.move, told)]
    cost = round(max(0.0, moves[0].chance - chances[0]), 4) if chances else None
    return Advice(match, version, seat, moves, told, cost)


async def _made(store: EventStore, position: Position, seat: int) -> Move | None:
    """Return the move that the seat made next, if its command is what came next."""
    last = position.version + _EVENTS_OF_A_COMMAND
    entries = await store.read(position.match, after=position.version, last=last)
    before, events = position, list[Event]()
    for entry, after in zip(entries, positions(position, entries), strict=False):
        told = happened(before.state, entry)
        events.append(told.event)
        if told.ends:
            command = recover_command(position.state, tuple(events))
            is_theirs = isinstance(command, PlayMove) and command.seat == seat
            return command.move if isinstance(command, PlayMove) and is_theirs else None
        before = after
    return None


def _wire(move: Move) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(move))
    return told


def same_move(one: dict[str, Any], other: dict[str, Any] | None) -> bool:
    """Tell whether two moves are the same; the order of cards or slots, and a chip left out, make no other move."""
    return other is not None and _plain(one) == _plain(other)


def _plain(move: dict[str, Any]) -> dict[str, Any]:
    return {
        name: sorted(value, key=str) if isinstance(value, list) else value
        for name, value in move.items()
        if name != "chip"
    }

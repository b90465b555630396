"""Examples of answers, from a match that is played whenever the document is built."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import msgspec

from api.answering.answers import CommandDone, MatchCreated, SeatTaken, view_for
from api.answering.problems import Problem
from api.streams.messages import line_of
from domain.chance import Chance
from domain.games.contract import AnyGame, GameState, Move
from domain.games.registry import CURRENT, EXAMPLE
from domain.instants import Instant
from domain.match.command_handler import CommandMetadata, prepare_append
from domain.match.commands import (
    BeReady,
    Command,
    Context,
    CreateMatch,
    PlayMove,
    SeatPlan,
    TakeSeat,
)
from domain.match.evolve import seats_to_act
from domain.match.fold import Position, beginning
from domain.match.view import MatchView
from domain.viewers import Viewer
from services.matches.catalogue import describe
from services.projections.matches import match_row, read_row, row_of

_MATCH: Final = "vb56ltup7amwxyc4ab3n"
_TOKEN: Final = "vJ3cTz0m1gq5o8m2bq1QeI7l9tY4uXw6sKd0rPnAhEc"  # noqa: S105 - opens nothing
_HOST: Final = "hw3zq5dn4bcy7ltk2aex6"
_PLAYER: Final = "pk7m2vx5sqe4ngj6t3abd"
_CONTEXT: Final = Context(Instant("2026-11-29T19:46:23.123Z"))


@cache
def examples() -> Mapping[str, Any]:
    """Return an example of each answer, by the name of its struct."""
    # The deals differ by their seeds: one of them lets the person begin.
    begun = (_begun(f"{number:02x}" * 32) for number in range(256))
    made, seated, started = next(course for course in begun if seats_to_act(course[-1].state)[0] == 0)
    asked = prepare_append(
        started,
        PlayMove(0, _legal_moves(CURRENT[EXAMPLE], started.state.game)[0]),
        CommandMetadata(_PLAYER, "api", "move-1", "0d9a4c7be2f15836"),
        _CONTEXT,
    )
    moved = asked.position
    told: dict[str, msgspec.Struct] = {
        "MatchCreated": MatchCreated(_MATCH, made.version, _TOKEN, view_for(made, None)),
        "SeatTaken": SeatTaken(0, _TOKEN, seated.version, view_for(seated, 0)),
        "CommandDone": CommandDone(moved.version, moved.version, moved.version, False, view_for(moved, 0)),
        "MatchView": view_for(started, 0),
        "Problem": _problem(),
    }
    plain: dict[str, Any] = {name: _plain(struct) for name, struct in told.items()}
    lines = [_plain(line_of(entry, Viewer(0))) for entry in asked.entries]
    row = match_row(_MATCH, read_row(row_of(started, _CONTEXT.now)), archived=False)
    plain["MatchList"] = {"matches": [_plain(row)], "next": None}
    plain["EventList"] = {"match": _MATCH, "version": moved.version, "events": lines}
    return plain


def _begun(seed: str) -> tuple[Position, Position, Position]:
    """Return a match of a person and a bot as it is made, when the person sits, and when it has started."""
    creation = CreateMatch(EXAMPLE, {}, (SeatPlan(), SeatPlan("normal")), _HOST, seed, start="ready")
    made = _after(beginning(_MATCH), _HOST, creation)
    seated = _after(made, _PLAYER, TakeSeat(_PLAYER, 0))
    return made, seated, _after(seated, _PLAYER, BeReady(0))


def _legal_moves(game: AnyGame, state: GameState | None) -> list[Move]:
    """Return the moves of the first seat that owes one."""
    legal = None if state is None else game.legal_moves(state, game.to_act(state)[0])
    return [] if legal is None else list(game.expand(legal))


def example_moves() -> dict[str, Any]:
    """Return moves with which a match can begin, one of each type, of all games."""
    found: dict[str, Any] = {}
    for key, game in CURRENT.items():
        state = game.initial(game.options_type(), game.seats[0])
        for event in game.start(state, Chance("5d" * 32)):
            state = game.evolve(state, event)
        for move in map(msgspec.to_builtins, _legal_moves(game, state)):
            found.setdefault(f"{key}: {move['type']}", move)
    return found


def chosen_options(key: str) -> dict[str, str | int]:
    """Return options of a game, one of them another than usual."""
    return {option.name: option.allowed[-1] for option in describe(CURRENT[key]).options[:1]}


def _after(position: Position, actor: str, command: Command) -> Position:
    metadata = CommandMetadata(actor, "api", f"{type(command).__name__.lower()}-1", "0d9a4c7be2f15836")
    return prepare_append(position, command, metadata, _CONTEXT).position


def _problem() -> Problem:
    return Problem(
        type="urn:tablee:problem:not_your_turn",
        title="The rules do not allow it",
        status=422,
        detail="It is not your turn. A seat moves when it is asked to. Wait for seat 1.",
        code="not_your_turn",
        rule="turn",
        arguments={"seat": 0, "to_act": (1,)},
        version=7,
        trace="0d9a4c7be2f15836",
    )


def _plain(struct: msgspec.Struct | MatchView) -> Any:
    return msgspec.json.decode(msgspec.json.encode(struct))

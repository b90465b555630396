"""Scenes of matches that are played without a service, the same ones every time."""

import random
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from api.pages.offers import offers_of, open_requests
from api.pages.scene import Scene
from domain.entries import StoredEntry
from domain.instants import Instant
from domain.match.command_handler import CommandMetadata, prepare_append
from domain.match.commands import (
    BeReady,
    Command,
    Context,
    CreateMatch,
    PlayMove,
    SeatPlan,
    StartMatch,
    TakeSeat,
)
from domain.match.evolve import game_of, seats_to_act
from domain.match.fold import Position, beginning
from domain.match.view import match_view, viewer_of
from services.matches.history import lines_of

NOW = Instant("2026-11-29T12:00:00.000Z")
NAMES = ("Anna", "Bert", "Clara", "Dora", "Émile", "Farid", "Gudrun", "Hélène Fontaine")

Choose = Callable[[list[Any]], Any]


class Played:
    """A match in the making."""

    def __init__(self, game: str, seats: int = 3, seed: str = "5e" * 32, **more: Any) -> None:
        self.entries: list[StoredEntry] = []
        self.position: Position = beginning("golden")
        plans = tuple(SeatPlan() for _ in range(seats))
        options = more.pop("options", {})
        self.do(CreateMatch(game, options, plans, "host", seed, **more), "host")
        for seat in range(seats):
            self.do(TakeSeat(f"p{seat}", seat), f"p{seat}")

    def do(self, command: Command, actor: str) -> "Played":
        metadata = CommandMetadata(actor, "page", f"c{self.position.version}")
        prepared = prepare_append(self.position, command, metadata, Context(NOW))
        self.entries += prepared.entries
        self.position = prepared.position
        return self

    def begin(self) -> "Played":
        for seat in range(len(self.position.state.seats)):
            self.do(BeReady(seat), f"p{seat}")
        return self.do(StartMatch(), "host")

    @property
    def is_over(self) -> bool:
        return self.position.state.lifecycle.phase != "playing"

    def play(self, turns: int, choose: Choose | None = None, chance: random.Random | None = None) -> "Played":
        """Make some legal moves."""
        source = chance or random.Random(7)
        for _ in range(turns):
            if self.is_over:
                break
            state = self.position.state
            seat = source.choice(seats_to_act(state))
            assert state.terms is not None
            assert state.game is not None
            game = game_of(state.terms)
            legal = game.legal_moves(state.game, seat)
            assert legal is not None
            moves = list(game.expand(legal))
            self.do(PlayMove(seat, (choose or source.choice)(moves)), f"p{seat}")
        return self

    def scene(self, seat: int | None, language: str = "en", **more: Any) -> Scene:
        """Return what a seat, or a spectator, is shown."""
        state = self.position.state
        viewer = viewer_of(state, seat)
        assert state.terms is not None
        names = NAMES[: len(state.seats)]
        return Scene(
            view=match_view(self.position, viewer),
            names=names,
            language=language,
            lines=tuple(lines_of(self.entries[-30:], viewer, state.terms.game, names, language)),
            form_token="token",
            offers=offers_of(state, seat, NOW),
            requests=open_requests(state, seat),
            address="http://tablee.test/m/golden",
            **more,
        )

    def with_game(self, game: Any) -> "Played":
        """Return the same match with another state of its game behind what is seen."""
        other = object.__new__(Played)
        other.entries = self.entries
        other.position = replace(self.position, state=replace(self.position.state, game=game))
        return other

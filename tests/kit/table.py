"""A table for tests in given/when/then form.

::

    table.given(MatchCreated(...), SeatTaken(...))
    table.when(StartMatch())
    table.then(MatchStarted(), ...)            # exactly these events
    table.when(LeaveSeat(0)).refused("match.already_started")

``given`` writes facts into the log without asking anybody; ``when`` lets the match decide. ``then`` and ``refused``
check the outcome of the last command. The growing log is a real one: sealed, chained, readable.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Self

from domain.entries import Envelope, StoredEntry, decode_envelope
from domain.errors import Refused
from domain.games.contract import AnyGame, GameState, Move
from domain.games.registry import CURRENT
from domain.instants import Instant
from domain.match.clock import ClockTerms
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
from domain.match.due import context_at
from domain.match.evolve import game_of, seats_to_act
from domain.match.fold import Position, beginning, positions
from domain.match.state import Match
from domain.sealing import Event
from tests.kit.instants import NOON
from tests.kit.log import NO_DEADLINES, event_of, written

SEED = "5eed" * 16
"""The seed of most tables; 32 bytes."""


class Accepted(NamedTuple):
    """A command that the match accepted."""

    command: Command
    metadata: CommandMetadata
    context: Context


class Table:
    """A match under test."""

    def __init__(self, match: str = "m1") -> None:
        """Set up an empty table at noon."""
        self.position: Position = beginning(match)
        self.entries: list[StoredEntry] = []
        self.seed = SEED
        self.now: Instant = NOON
        self.due: Mapping[int, Instant] | None = None
        """The deadlines that decisions get; None for those that the service would pass."""
        self.happened: tuple[Event, ...] = ()
        self.refusal: Refused | None = None
        self.accepted: list[Accepted] = []
        self._commands = 0

    @property
    def state(self) -> Match:
        """The match at its head."""
        return self.position.state

    @property
    def game(self) -> AnyGame:
        """The game being played."""
        assert self.state.terms is not None
        return game_of(self.state.terms)

    @property
    def present(self) -> GameState:
        """The game's own state."""
        assert self.state.game is not None
        return self.state.game

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that owe a move."""
        return seats_to_act(self.state)

    @property
    def envelopes(self) -> list[Envelope]:
        """The public part of the whole log."""
        return [decode_envelope(entry.e) for entry in self.entries]

    def copy(self) -> "Table":
        """Return another table in the same position, with the same log."""
        twin = Table(self.position.match)
        twin.position, twin.entries, twin.seed = self.position, list(self.entries), self.seed
        twin.now, twin.due, twin._commands = self.now, self.due, self._commands
        twin.accepted = list(self.accepted)
        return twin

    def metadata(self, seat: int | None = None, actor: str = "", door: str = "api") -> CommandMetadata:
        """Return metadata for the next command, with an id of its own."""
        self._commands += 1
        who = actor or ("host" if seat is None else f"player-{seat}")
        return CommandMetadata(who, door, f"c{self._commands}")

    def given(
        self,
        *events: Event,
        metadata: CommandMetadata | None = None,
        seat: int | None = None,
        deadlines: Mapping[int, Instant] = NO_DEADLINES,
    ) -> Self:
        """Write one command's events into the log as facts."""
        entries, self.position = written(
            self.position,
            events,
            metadata or self.metadata(seat),
            self.now,
            seat=seat,
            seed=self.seed,
            deadlines=deadlines,
        )
        self.entries += entries
        return self

    def when(self, command: Command, *, metadata: CommandMetadata | None = None) -> Self:
        """Let the match decide a command."""
        seat = None if isinstance(command, TakeSeat) else getattr(command, "seat", None)
        self.happened, self.refusal = (), None
        context = context_at(self.state, self.now) if self.due is None else Context(self.now, dict(self.due))
        acting = metadata or self.metadata(seat)
        try:
            prepared = prepare_append(self.position, command, acting, context)
        except Refused as refusal:
            self.refusal = refusal
            return self
        # Read back from the stored bytes, so that a test sees what the log says.
        before = positions(self.position, prepared.entries)
        states = (self.state, *(position.state for position in before))
        self.happened = tuple(map(event_of, states, prepared.entries))
        self.position = prepared.position
        self.entries += prepared.entries
        self.accepted.append(Accepted(command, acting, context))
        return self

    def move(self, seat: int, move: Move | None = None) -> Self:
        """Make a move, by default the first legal one, and check that it is accepted."""
        chosen = move if move is not None else self.legal(seat)[0]
        self.when(PlayMove(seat, chosen))
        assert self.refusal is None, (self.refusal.code, self.refusal.arguments)
        return self

    def legal(self, seat: int) -> Sequence[Move]:
        """Return all legal moves of a seat."""
        legal = self.game.legal_moves(self.present, seat)
        assert legal is not None
        return tuple(self.game.expand(legal))

    def then(self, *events: Event) -> Self:
        """Check that the last command caused exactly these events."""
        assert self.refusal is None, (self.refusal.code, self.refusal.arguments)
        assert self.happened == events
        return self

    def then_types(self, *types: type[Event]) -> Self:
        """Check that the last command caused events of these types, in this order."""
        assert self.refusal is None, (self.refusal.code, self.refusal.arguments)
        assert tuple(map(type, self.happened)) == types
        return self

    def refused(self, code: str, **arguments: object) -> Self:
        """Check that the last command was refused, and that nothing happened."""
        assert self.refusal is not None, self.happened
        assert self.refusal.code == code
        assert self.refusal.rule
        for name, value in arguments.items():
            assert self.refusal.arguments[name] == value
        return self


def gathered(
    game: AnyGame | str,
    seats: int,
    *,
    bots: int = 0,
    options: Mapping[str, str | int] | None = None,
    nonces: bool = False,
    per_turn: int = 0,
    seed: str = SEED,
    undo: str = "",
    match: str = "m1",
    start: str = "host",
    ahead: bool = False,
) -> Table:
    """Return a table at which everybody sits and is ready; the bots have the last seats.

    People are ready when all sit, and show their nonces; or `ahead`, with sitting down, and show none.
    """
    table = Table(match)
    table.seed = seed
    plans = (SeatPlan(),) * (seats - bots) + (SeatPlan("steady"),) * bots
    rules = CURRENT[game] if isinstance(game, str) else game
    table.when(
        CreateMatch(
            rules.key,
            dict(options or {}),
            plans,
            "host",
            seed,
            ClockTerms(per_turn),
            undo,
            rules=rules.rules_number,
            start=start,
        )
    )
    for seat in range(seats - bots):
        table.when(TakeSeat(f"player-{seat}", seat, nonce_hash_of(seat) if nonces else "", ahead))
        assert table.refusal is None, table.refusal
    if ahead:
        return table
    for seat in range(seats - bots):
        table.when(BeReady(seat, nonce_of(seat) if nonces else ""))
        assert table.refusal is None, table.refusal
    return table


def started(
    game: AnyGame | str,
    seats: int,
    *,
    bots: int = 0,
    options: Mapping[str, str | int] | None = None,
    nonces: bool = False,
    per_turn: int = 0,
    seed: str = SEED,
    undo: str = "",
    match: str = "m1",
) -> Table:
    """Return a table at which the cards have been dealt."""
    table = gathered(
        game,
        seats,
        bots=bots,
        options=options,
        nonces=nonces,
        per_turn=per_turn,
        seed=seed,
        undo=undo,
        match=match,
    ).when(StartMatch())
    assert table.refusal is None, table.refusal
    return table


def nonce_of(seat: int) -> str:
    """Return the nonce that a seat's player adds."""
    return f"luck of {seat}"


def nonce_hash_of(seat: int) -> str:
    """Return the hash that they announce when they sit down."""
    return hashlib.sha256(nonce_of(seat).encode()).hexdigest()

"""Logs to measure with: real matches, played in memory by the games' own bots, always the same ones."""

from random import Random

from domain.entries import StoredEntry, decode_envelope
from domain.games.skyjo.legal import SkyjoLegal
from domain.games.skyjo.moves import Draw, Swap
from domain.games.skyjo.view import SkyjoView
from domain.match.fold import Position
from domain.viewers import SPECTATOR
from services.log.event_store.contract import Adoption, Status
from tests.kit.log import rechained
from tests.kit.play import Player
from tests.kit.table import Table, started

_DAWDLING = 1_700
"""Events during which the players of the longest match are in no hurry."""


def played(game: str, seats: int, seed: int, *, match: str = "m1", at_most: int | None = None) -> Table:
    """Return a table at which bots have played: to the end, or until there are enough events."""
    table = started(game, seats, seed=f"{seed:064x}", match=match)
    player = Player(table, Random(seed))
    while player.is_on and (at_most is None or table.position.version < at_most):
        player.bot_move()
    return table


def first_events(game: str, seats: int, events: int) -> list[StoredEntry]:
    """Return the first events of a match that has at least so many."""
    for seed in range(1, 100):
        table = played(game, seats, seed, at_most=events)
        if table.position.version >= events:
            return table.entries[:events]
    raise AssertionError(f"no match of {game} has {events} events")


def adoption(match: str, position: Position, entries: list[StoredEntry]) -> Adoption:
    """Return the adoption of a log under an id, as a match that is over or that nobody waits for."""
    terms, phase = position.state.terms, position.state.lifecycle.phase
    assert terms is not None
    chained = rechained(match, entries)
    return Adoption(
        match=match,
        entries=tuple(chained),
        version=position.version,
        head=chained[-1].h,
        status=Status.OPEN if phase in {"gathering", "playing"} else Status.CLOSED,
        game=terms.game,
        rules=terms.rules,
        due=None,
        types=tuple(sorted({decode_envelope(entry.e).type for entry in entries})),
    )


def longest(match: str, events: int = 2_200) -> Table:
    """Return a finished match of Skyjo with eight seats, about as long as the longest of thousands played by bots."""
    for seed in range(1, 100):
        table = _dawdled(match, seed)
        if events <= table.position.version <= events + 400:
            return table
    raise AssertionError(f"no match has about {events} events")


def _dawdled(match: str, seed: int) -> Table:
    """Play a match with long first rounds: drawn cards replace open cards, as long as that is allowed."""
    table, random = started("skyjo", 8, seed=f"{seed:064x}", match=match), Random(seed)
    player = Player(table, random)
    while player.is_on:
        seat = table.to_act[0]
        legal, view = table.game.legal_moves(table.present, seat), table.game.view(table.present, SPECTATOR)
        assert isinstance(legal, SkyjoLegal)
        assert isinstance(view, SkyjoView)
        lying_open = [slot for slot in legal.swap if slot not in legal.flip]
        in_no_hurry = table.position.version < _DAWDLING and view.turns_to_stall > 2 * len(view.boards)
        if in_no_hurry and legal.draw:
            table.move(seat, Draw())
        elif in_no_hurry and lying_open:
            table.move(seat, Swap(random.choice(lying_open)))
        else:
            player.bot_move()
    return table

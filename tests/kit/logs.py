"""Whole logs for tests: played quickly by bots, under any id, and put into a store as if played there."""

from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from random import Random

from domain.entries import StoredEntry, decode_envelope
from domain.games.registry import CURRENT
from domain.match.commands import BeReady, CreateMatch, SeatPlan, StartMatch, TakeSeat
from domain.match.due import due_of
from domain.match.fold import UNFOLDABLE, beginning, fold
from services.log.event_store.contract import Adoption, EventStore, Status
from tests.kit.log import rechained
from tests.kit.options import shortest
from tests.kit.play import Player
from tests.kit.table import Table, nonce_hash_of, nonce_of

Log = tuple[StoredEntry, ...]


@cache
def finished(game: str = "lama", seats: int = 2, number: int = 0, *, whole: bool = False) -> Log:
    """Return the log of a finished match between a person and bots; a single round unless ``whole``."""
    return _played(game, seats, number, {} if whole else dict(shortest(CURRENT[game])), ends=True)


@cache
def running(game: str = "lama", seats: int = 2, number: int = 0, visibility: str = "public") -> Log:
    """Return the log of a match after a few moves."""
    return _played(game, seats, number, {}, ends=False, visibility=visibility)


def _played(
    game: str,
    seats: int,
    number: int,
    options: dict[str, str | int],
    *,
    ends: bool,
    visibility: str = "public",
) -> Log:
    random = Random(f"{game} {seats} {number}")
    table = Table("m1")
    table.seed = random.randbytes(32).hex()
    plans = (SeatPlan(), *(SeatPlan("steady"),) * (seats - 1))
    table.when(CreateMatch(game, options, plans, "host", table.seed, visibility=visibility))
    table.when(TakeSeat("player-0", 0, nonce_hash_of(0))).when(BeReady(0, nonce_of(0))).when(StartMatch())
    assert table.refusal is None, table.refusal
    player = Player(table, random)
    while player.is_on and (ends or player.moves < 12):
        player.bot_move()
    return tuple(table.entries)


def ends_command(entry: StoredEntry) -> bool:
    """Tell whether an entry ends its command, so that a log cut after it is whole."""
    return decode_envelope(entry.e).command.last == entry.version


def named(match: str, log: Sequence[StoredEntry]) -> Log:
    """Return a log as it would be under another id, which the chain begins with."""
    return tuple(rechained(match, log))


def adoption(match: str, log: Log, status: Status, game: str = "lama", rules: int = 1) -> Adoption:
    """Return the adoption of a log that already has this id."""
    types = tuple(dict.fromkeys(decode_envelope(entry.e).type for entry in log))
    due = None
    with suppress(*UNFOLDABLE):
        # Logs that were broken on purpose are put into stores as well.
        due = due_of(fold(beginning(match), log)) if status is Status.OPEN else None
    return Adoption(match, log, len(log), log[-1].h, status, game, rules, due, types)


async def put(
    store: EventStore, match: str, log: Log, status: Status = Status.CLOSED, game: str = "lama"
) -> Log:
    """Put a log into a store under an id; return it as stored."""
    placed = named(match, log)
    assert await store.adopt(adoption(match, placed, status, game))
    return placed

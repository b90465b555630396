"""Folding a match of 200 events, also read cold from the embedded store; the same L.A.M.A. with `eventsourcing`.

`evolve` is the fold of decoded events. A cold read fetches the stream from the store over its socket, checks that it is
dense, decodes envelopes and openings, and folds. The peer does the same with its own repository. All in one process and
one run, so that the ratio holds on a busy machine too.
"""

import importlib.metadata
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from uuid import UUID

import uvloop

from domain.entries import StoredEntry
from domain.match.evolve import Happened, evolve
from domain.match.fold import Position, beginning, fold, happened
from domain.match.state import EMPTY, Match
from services.log.event_store.redis_store import RedisEventStore
from services.matches.reader import MatchReader
from tests.conformance.backends import patient
from tests.conformance.servers import running, valkey_program
from tests.kit.games import GAME_KEYS
from tests.kit.log import events_of
from tests.perf.logs import adoption, first_events
from tests.perf.peers.eventsourcing_lama import LamaMatch, Tables, recorded
from tests.perf.report import judged, median, number, show
from tests.perf.timing import cpu, wall_of

EVENTS = 200
TURNS = 5
_MS = 1000


class Cold(NamedTuple):
    """Loading a match, in milliseconds."""

    wall: float
    quickest: float
    cpu: float


def decoded(entries: list[StoredEntry]) -> list[Happened]:
    """Return what `evolve` needs of each entry."""
    state, steps = EMPTY, []
    for stored in entries:
        steps.append(happened(state, stored))
        state = evolve(state, steps[-1])
    return steps


def _folded(steps: list[Happened]) -> Match:
    state = EMPTY
    for step in steps:
        state = evolve(state, step)
    return state


def _in_memory() -> None:
    rows = []
    for game in GAME_KEYS:
        entries = first_events(game, 4, EVENTS)
        steps = decoded(entries)
        only = cpu(lambda: _folded(steps))  # noqa: B023 - called at once
        whole = cpu(lambda: fold(beginning("m1"), entries))  # noqa: B023
        for name, measured in (("evolve", only), ("decode and evolve", whole)):
            middle, quickest = measured.median * _MS, measured.quickest * _MS
            budget = judged(middle, 1) if measured is only else ""
            rows.append(
                (game, name, middle, budget, quickest, EVENTS / middle * _MS, EVENTS / quickest * _MS)
            )
    columns = ("200 events", "what", "median, ms CPU", "budget", "quickest, ms CPU")
    show((*columns, "events/s, median", "events/s, quickest"), rows)


async def _timed(work: Callable[[], Awaitable[Position]], repeats: int) -> Cold:
    times, used = [], time.process_time()
    for _ in range(repeats):
        begun = time.perf_counter()
        await work()
        times.append(time.perf_counter() - begun)
    return Cold(median(times) * _MS, min(times) * _MS, (time.process_time() - used) / repeats * _MS)


async def _ours(url: str, entries: list[StoredEntry], repeats: int = 40) -> Cold:
    store = await RedisEventStore.open(url, None, patient())
    await store.adopt(adoption("m1", fold(beginning("m1"), entries), entries))
    reader = MatchReader(store)

    async def cold() -> Position:
        reader.forget("m1")
        return await reader.head("m1")

    await cold()
    measured = await _timed(cold, repeats)
    await store.close()
    return measured


def _theirs(tables: Tables, match: UUID, repeats: int = 20) -> Cold:
    def load() -> object:
        return tables.repository.get(match)

    load()
    used = time.process_time()
    times = wall_of(load, repeats)
    return Cold(median(times) * _MS, min(times) * _MS, (time.process_time() - used) / (repeats + 1) * _MS)


def _peers(folder: str, entries: list[StoredEntry]) -> dict[str, tuple[Tables, UUID, float]]:
    """Return the peer's stores with the match in them, and how many events a second it took to write."""
    events = events_of("m1", entries)
    sqlite = {"PERSISTENCE_MODULE": "eventsourcing.sqlite"}
    environments = {
        "in memory": {},
        "SQLite in memory": {**sqlite, "SQLITE_DBNAME": ":memory:"},
        "SQLite on disk": {**sqlite, "SQLITE_DBNAME": str(Path(folder) / "peer.db")},
    }
    made = {}
    for name, environment in environments.items():
        tables = Tables(environment)
        begun = time.perf_counter()
        match = recorded(events, tables)
        made[name] = tables, match, len(events) / (time.perf_counter() - begun)
        _same(fold(beginning("m1"), entries), tables.repository.get(match))
    return made


def _same(ours: Position, theirs: object) -> None:
    """Check that both have folded the same match to the same state."""
    game = ours.state.game
    assert isinstance(theirs, LamaMatch)
    assert list(map(list, map(game.hand, range(game.seats)))) == theirs.hands  # type: ignore[union-attr]
    assert [game.totals, game.turn, game.pile_size] == [  # type: ignore[union-attr]
        tuple(theirs.totals), theirs.turn, len(theirs.pile),
    ]  # fmt: skip


def _cold() -> None:
    entries = first_events("lama", 4, EVENTS)
    with running(valkey_program()) as server, TemporaryDirectory() as folder:
        peers = _peers(folder, entries)
        turns: dict[str, list[Cold]] = {"": [], **{name: [] for name in peers}}
        for _ in range(TURNS):  # by turns, so that all meet the same machine
            turns[""].append(uvloop.run(_ours(server.url(), entries)))
            for name, (tables, match, _) in peers.items():
                turns[name].append(_theirs(tables, match))
    best = {name: Cold(*(median(part) for part in zip(*rows, strict=True))) for name, rows in turns.items()}
    ours, version = best.pop(""), importlib.metadata.version("eventsourcing")
    name, budget = "Tablée, embedded store, fsync always", judged(ours.wall, 2.5)
    rows: list[tuple[object, ...]] = [(name, ours.wall, budget, ours.quickest, ours.cpu, "1", "")]
    for kind, cold in best.items():
        name, times_ours = f"eventsourcing {version}, {kind}", number(cold.cpu / ours.cpu)
        rows.append((name, cold.wall, "", cold.quickest, cold.cpu, times_ours, peers[kind][2]))
    print()
    columns = ("L.A.M.A., 200 events, cold", "median, ms", "budget", "quickest, ms")
    show((*columns, "ms CPU", "CPU, times ours", "saves/s"), rows)


def main() -> None:
    """Measure."""
    _in_memory()
    _cold()


if __name__ == "__main__":
    main()

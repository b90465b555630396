"""Looking back in a long match: read from the last snapshot on, and never believed against the log."""

from random import Random

from msgspec.structs import replace

from domain.entries import StoredEntry
from domain.match.fold import beginning, fold, positions
from services.log.event_store.contract import Status
from services.matches.reader import MatchReader
from services.matches.snapshot_cache import DISTANCE, SnapshotCache
from tests.kit.logs import adoption
from tests.kit.memory_store import MemoryEventStore
from tests.kit.play import Player
from tests.kit.table import Table, started


class CountingStore(MemoryEventStore):
    """Counts the entries that are read from it."""

    read_entries = 0

    def become(self, other: MemoryEventStore) -> None:
        """Hold from now on what another store holds."""
        vars(self).update(vars(other))

    async def read(self, match: str, after: int = 0, last: int | None = None) -> list[StoredEntry]:
        found = await super().read(match, after, last)
        self.read_entries += len(found)
        return found


def long_match(seed: int = 1) -> Table:
    table = started("skyjo", 4, seed=f"{seed:064x}")
    player = Player(table, Random(seed))
    while table.position.version < 4 * DISTANCE:
        player.bot_move()
    return table


async def stored(table: Table) -> CountingStore:
    store = CountingStore()
    terms = table.state.terms
    assert terms is not None
    assert await store.adopt(adoption("m1", tuple(table.entries), Status.OPEN, terms.game, terms.rules))
    return store


async def test_every_version_is_what_the_log_folds_to_in_whatever_order_one_looks():
    table = long_match()
    reader = MatchReader(await stored(table))
    expected = list(positions(beginning("m1"), table.entries))
    order = list(range(1, len(expected) + 1))
    Random(2).shuffle(order)
    for version in order:
        assert await reader.at("m1", version) == expected[version - 1]
    assert await reader.head("m1") == expected[-1]


async def test_once_the_match_was_read_looking_back_reads_no_more_than_the_way_from_a_snapshot():
    table = long_match()
    store = await stored(table)
    reader = MatchReader(store)
    await reader.head("m1")
    for version in (1, DISTANCE - 1, DISTANCE, 3 * DISTANCE + 5, 200):
        store.read_entries = 0
        await reader.at("m1", version)
        assert store.read_entries <= DISTANCE


async def test_a_log_that_has_become_another_is_read_anew():
    table, other = long_match(1), long_match(3)
    first, second = await stored(table), await stored(other)
    reader = MatchReader(first)
    await reader.head("m1")
    first.become(second)
    version = 2 * DISTANCE + 3
    assert await reader.at("m1", version) == fold(beginning("m1"), other.entries[:version])


async def test_snapshots_of_so_many_matches_are_kept_and_no_more():
    snapshots = SnapshotCache(kept=2)
    position = next(
        found for found in positions(beginning("m1"), long_match().entries) if found.version == DISTANCE
    )
    for match in ("a", "b", "a", "c"):
        snapshots.keep(replace(position, match=match))
    assert [snapshots.before(match, None) is not None for match in "abc"] == [True, False, True]

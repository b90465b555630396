"""Somebody has altered an event in the store: nothing is built on it by who reads it anew."""

import pytest

from domain.errors import BrokenLog
from domain.match.commands import HandSeatOver, UnsealLog, VoidMatch
from domain.match.fold import beginning, fold, follow
from services.audit.operators import act_as_operator
from services.log.event_store.contract import Status
from services.matches.reader import MatchReader
from services.matches.service import MatchService
from services.matches.snapshot_cache import DISTANCE
from tests.kit.instants import FakeClock
from tests.kit.logs import Log, finished, put, running
from tests.kit.memory_store import MemoryEventStore
from tests.kit.tampering import changed

ALTERED = 5


def alter(store: MemoryEventStore, match: str, version: int) -> None:
    entries = store._matches[match].entries
    entries[version - 1] = changed(entries[version - 1], lambda plain: plain.update(actor="eve"))


@pytest.fixture
async def store():
    return MemoryEventStore()


@pytest.fixture
async def log(store) -> Log:
    found: Log = await put(store, "m1", running(), Status.OPEN)
    return found


def test_what_holds_folds_as_ever():
    log = finished("odin")
    assert follow(beginning("m1"), log) == fold(beginning("m1"), log)


async def test_a_reader_that_reads_anew_names_the_event(store, log):
    alter(store, "m1", ALTERED)
    for reading in (MatchReader(store).head("m1"), MatchReader(store).at("m1", len(log))):
        with pytest.raises(BrokenLog) as caught:
            await reading
        assert (caught.value.code, caught.value.version) == ("log.chain_broken", ALTERED)
    assert (await MatchReader(store).at("m1", ALTERED - 1)).version == ALTERED - 1


async def test_behind_a_snapshot_too(store):
    log = await put(store, "m1", finished("skyjo", 2, whole=True))
    assert len(log) > DISTANCE + ALTERED
    reader = MatchReader(store)
    await reader.at("m1", DISTANCE)
    alter(store, "m1", DISTANCE + ALTERED)
    with pytest.raises(BrokenLog) as caught:
        await reader.head("m1")
    assert caught.value.version == DISTANCE + ALTERED


@pytest.mark.parametrize(
    "command",
    [VoidMatch("stuck"), HandSeatOver(0, "gone"), UnsealLog("a look")],
    ids=lambda one: type(one).__name__,
)
async def test_an_operators_command_is_not_put_on_top_also_where_the_match_is_in_memory(store, log, command):
    reader = MatchReader(store)
    await reader.head("m1")
    alter(store, "m1", ALTERED)
    with pytest.raises(BrokenLog) as caught:
        await act_as_operator(MatchService(store, reader, FakeClock()), "m1", command)
    assert caught.value.version == ALTERED
    assert len(await store.read("m1")) == len(log)

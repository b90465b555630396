"""A sound copy heals a damaged match; one that contradicts what is good is refused."""

import os

import msgspec
import pytest

from domain.errors import BrokenLog
from services.log.archive.errors import ImportRefused
from services.log.archive.healing import Healer, acts_on
from services.log.archive.importing import Importer, Taken
from services.log.archive.shelf import DAMAGED, name_of
from services.log.event_store.contract import META_UNREADABLE, Status
from services.log.proof import prove
from tests.conformance.journal import everything
from tests.kit.log import rechained
from tests.kit.logs import finished, named, put, running
from tests.kit.tampering import changed, reopened, where_sealed
from tests.unit.services.log.archive.test_importing import document

REASON = "the disk had a bad sector"


def healer(house) -> Healer:
    return Healer(house.log, house.store, house.archive, house.clock, REASON)


def stored(house, match: str):
    """What the store in memory holds of a match, to be tampered with."""
    return house.store._matches[match]


async def refusal(house, copy) -> str:
    before = await everything(house.store), house.files()
    codes = set()
    for attempt in (healer(house).check, healer(house).take):
        with pytest.raises(ImportRefused) as caught:
            await attempt(copy)
        codes.add(caught.value.code)
    assert (await everything(house.store), house.files()) == before
    (code,) = codes
    return code


def altered(log, at: int):
    return [*log[:at], changed(log[at], lambda plain: plain.update(actor="eve")), *log[at + 1 :]]


def cut(log):
    return list(log[:-4])


def opened(log):
    at = where_sealed(log)[0]
    return [*log[:at], reopened(log[at], lambda one: one.update(value="x")), *log[at + 1 :]]


DAMAGES = {
    "first": lambda log: altered(log, 0),
    "middle": lambda log: altered(log, 9),
    "last": lambda log: altered(log, len(log) - 1),
    "cut": cut,
    "opening": opened,
    "all": lambda _: [],
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("status", [Status.OPEN, Status.CLOSED])
async def test_a_match_in_the_store(house, damage, status):
    plain = running() if status is Status.OPEN else finished()
    await put(house.store, "m1", plain, status)
    whole, before = named("m1", plain), await house.store.meta("m1")
    stored(house, "m1").entries = DAMAGES[damage](list(whole))
    copy = document("m1", whole)
    with pytest.raises(ImportRefused) as refused:
        await Importer(house.log, house.archive).take(copy)
    assert refused.value.code in {"import.damaged_here", "import.broken_here"}
    assert await healer(house).check(copy) is Taken.HEALED
    assert await healer(house).take(copy) is Taken.HEALED
    assert tuple(await house.store.read("m1")) == whole
    after = await house.store.meta("m1")
    assert msgspec.structs.replace(after, due=before.due) == before
    assert (await prove(house.log, "m1")).good
    (act,) = await acts_on(house.store, "m1")
    assert (act.reason, act.version) == (REASON, len(whole))
    assert act.found
    assert await healer(house).take(copy) is Taken.KNOWN
    assert len(await acts_on(house.store, "m1")) == 1


async def test_what_is_good_behind_the_copys_end_stays(house):
    whole = named("m1", running())
    await put(house.store, "m1", running(), Status.OPEN)
    stored(house, "m1").entries = altered(list(whole), 3)
    from domain.match.verification import verify

    size = next(size for size in range(5, len(whole)) if verify("m1", whole[:size], complete=True).good)
    assert await healer(house).take(document("m1", whole[:size])) is Taken.HEALED
    assert tuple(await house.store.read("m1")) == whole


async def test_a_copy_that_ends_before_the_damage_is_too_short(house):
    whole = named("m1", running())
    await put(house.store, "m1", running(), Status.OPEN)
    stored(house, "m1").entries = altered(list(whole), len(whole) - 1)
    from domain.match.verification import verify

    size = next(size for size in range(5, len(whole)) if verify("m1", whole[:size], complete=True).good)
    assert await refusal(house, document("m1", whole[:size])) == "import.too_short"


async def test_a_copy_that_contradicts_good_events_or_the_record_is_refused(house):
    await put(house.store, "m1", finished(number=1))
    other = document("m1", named("m1", finished()))
    assert await refusal(house, other) == "import.other_history"
    stored(house, "m1").entries = altered(list(named("m1", finished(number=1))), 12)
    assert await refusal(house, other) == "import.other_history"
    # Nothing good is left; the record still says how the log ended.
    stored(house, "m1").entries = []
    assert await refusal(house, other) == "import.other_history"


async def test_a_log_rewritten_from_some_event_on_is_no_damage(house):
    whole = named("m1", finished())
    await put(house.store, "m1", finished())
    rewritten = rechained("m1", altered(list(whole), 9))
    stored(house, "m1").entries = list(rewritten)
    assert await refusal(house, document("m1", whole)) == "import.other_history"


async def test_a_record_that_is_wrong_is_made_anew(house):
    whole = named("m1", finished())
    await put(house.store, "m1", finished())
    before = await house.store.meta("m1")
    stored(house, "m1").meta = msgspec.structs.replace(before, head=b"\1" * 32)
    assert await healer(house).take(document("m1", whole)) is Taken.HEALED
    assert await house.store.meta("m1") == before


async def test_a_record_that_cannot_be_read_is_made_anew(house, monkeypatch):
    whole = named("m1", finished())
    await put(house.store, "m1", finished())
    before = await house.store.meta("m1")

    async def unreadable(_match):
        raise BrokenLog(META_UNREADABLE, 1, "ValueError")

    with monkeypatch.context() as patch:
        patch.setattr(house.store, "meta", unreadable)
        house.log.meta = unreadable
        assert await healer(house).take(document("m1", whole)) is Taken.HEALED
    assert await house.store.meta("m1") == before


async def test_somebody_who_plays_meanwhile_loses_nothing(house, monkeypatch):
    whole = named("m1", running())
    await put(house.store, "m1", running(), Status.OPEN)
    stored(house, "m1").entries = altered(list(whole), 5)

    async def while_somebody_plays(self, copy):
        cure = await curing(self, copy)
        stored(house, "m1").entries.append(whole[-1])
        return cure

    curing = Healer._cure
    monkeypatch.setattr(Healer, "_cure", while_somebody_plays)
    with pytest.raises(ImportRefused) as refused:
        await healer(house).take(document("m1", whole))
    assert refused.value.code == "import.moved_meanwhile"


@pytest.fixture
async def archived(house):
    await put(house.store, "m1", finished())
    await house.archivist.archive("m1")
    return house


@pytest.mark.parametrize("size", [0, 700, 1200])
async def test_a_cut_file_of_the_archive(archived, size):
    file = archived.folder / name_of("m1")
    whole, content = named("m1", finished()), file.read_bytes()
    os.truncate(file, size)
    copy = document("m1", whole)
    with pytest.raises(ImportRefused) as refused:
        await Importer(archived.log, archived.archive).take(copy)
    assert refused.value.code in {"import.damaged_here", "import.broken_here"}
    assert await healer(archived).take(copy) is Taken.HEALED
    assert file.read_bytes() == content
    assert (await prove(archived.log, "m1")).good
    (kept,) = (archived.folder / DAMAGED).iterdir()
    assert kept.read_bytes() == content[:size]
    (act,) = await acts_on(archived.store, "m1")
    assert act.reason == REASON
    assert await healer(archived).take(copy) is Taken.KNOWN


async def test_a_file_of_the_archive_is_healed_by_no_other_history(archived):
    os.truncate(archived.folder / name_of("m1"), 0)
    assert await refusal(archived, document("m1", named("m1", finished(number=1)))) == "import.other_history"


async def test_a_damaged_file_that_the_store_knows_nothing_of(archived):
    os.truncate(archived.folder / name_of("m1"), 700)
    del archived.store._matches["m1"]
    assert await healer(archived).take(document("m1", named("m1", finished()))) is Taken.HEALED
    assert (await archived.store.meta("m1")).status is Status.ARCHIVED
    assert (await prove(archived.log, "m1")).good


async def test_a_restored_older_store_catches_up_with_a_longer_copy(house):
    from domain.match.verification import verify

    whole = named("m1", running())
    size = next(size for size in range(5, len(whole)) if verify("m1", whole[:size], complete=True).good)
    await Importer(house.log, house.archive).take(document("m1", whole[:size]))
    assert await healer(house).take(document("m1", whole)) is Taken.HEALED
    assert tuple(await house.store.read("m1")) == whole

"""A log that comes from elsewhere keeps its id, its hashes and its past, or is refused with the reason."""

import io

import msgspec
import pytest
from msgspec.structs import replace

from domain.match.command_handler import CommandMetadata
from domain.match.commands import CreateMatch, SeatPlan
from domain.match.fold import beginning, fold
from domain.match.hashing import state_hash
from domain.viewers import EVERYTHING, SPECTATOR, seat_viewer
from services.log.archive.documents import Document, MatchLine, document_of, documents, file_end
from services.log.archive.errors import ArchiveDiffers, ImportRefused
from services.log.archive.exporting import Exporter
from services.log.archive.importing import Importer, Taken
from services.log.archive.shelf import name_of
from services.log.event_store.contract import Status
from services.matches.forks import fork_of
from services.matches.reader import MatchReader
from services.matches.service import MatchService, Submission
from tests.conformance.journal import everything
from tests.kit.forging import forged
from tests.kit.games import every_key
from tests.kit.log import rechained
from tests.kit.logs import Log, adoption, ends_command, finished, named, put, running
from tests.kit.tampering import changed, reopened, where_sealed


def importer(house) -> Importer:
    return Importer(house.log, house.archive)


def read(content: bytes) -> Document:
    (document,) = documents(io.BytesIO(content + file_end(1)))
    return document


def document(match: str, log: Log, game: str = "lama", **line: object) -> Document:
    found = read(document_of(match, game, 1, log))
    return msgspec.structs.replace(found, line=msgspec.structs.replace(found.line, **line))


async def exported(house, match: str, viewer=EVERYTHING) -> bytes:
    return await Exporter(house.log, house.archive).document(match, viewer)


async def code_of(house, refused: Document) -> str:
    before = await everything(house.store), house.files()
    codes = set()
    for attempt in (importer(house).check, importer(house).take):
        with pytest.raises(ImportRefused) as caught:
            await attempt(refused)
        assert caught.value.match == refused.line.match
        codes.add(caught.value.code)
    assert (await everything(house.store), house.files()) == before
    (code,) = codes
    return code


@every_key
async def test_a_finished_match_moves_house_and_comes_out_the_same(house, other_house, game):
    log = await put(house.store, "m1", finished(game, 3), game=game)
    first = await exported(house, "m1")
    assert await importer(other_house).take(read(first)) is Taken.IN
    assert await exported(other_house, "m1") == first
    assert (await other_house.store.meta("m1")).status is Status.ARCHIVED
    assert await other_house.log.read("m1") == list(log)
    await house.archivist.archive("m1")
    assert await exported(house, "m1") == first


async def test_a_running_match_goes_on_elsewhere(house, other_house):
    log = await put(house.store, "m1", running(), Status.OPEN)
    first = await exported(house, "m1")
    assert await importer(other_house).take(read(first)) is Taken.IN
    assert await exported(other_house, "m1") == first
    assert await other_house.store.read("m1") == list(log)
    here, there = [await MatchReader(one.log).head("m1") for one in (house, other_house)]
    assert state_hash(here.state) == state_hash(there.state)
    (pointer,) = await other_house.store.feed(dict.fromkeys(range(16), 0), 5, 0)
    assert (pointer.match, pointer.first, pointer.last) == ("m1", 1, len(log))


@pytest.mark.parametrize("log", [finished(), running()], ids=["finished", "running"])
async def test_taking_it_in_again_changes_nothing(house, log):
    taken = document("m1", named("m1", log))
    assert await importer(house).check(taken) is Taken.IN
    assert await importer(house).take(taken) is Taken.IN
    before = await everything(house.store)
    assert await importer(house).check(taken) is Taken.KNOWN
    assert await importer(house).take(taken) is Taken.KNOWN
    assert await everything(house.store) == before


async def test_what_this_installation_has_more_of_is_known(house):
    log = named("m1", finished())
    await house.store.adopt(adoption("m1", log, Status.CLOSED))
    first_command = document("m1", log[:2]) if _whole_as("m1", log[:2]) else document("m1", log[:1])
    assert await importer(house).take(first_command) is Taken.KNOWN


async def test_another_history_or_less_of_the_same_is_not_replaced(house):
    await put(house.store, "m1", finished(number=1))
    assert await code_of(house, document("m1", named("m1", finished()))) == "import.other_history"
    log = named("m2", finished())
    part = next(log[:size] for size in range(4, len(log)) if _whole_as("m2", log[:size]))
    await house.store.adopt(adoption("m2", part, Status.OPEN))
    assert await code_of(house, document("m2", log)) == "import.behind"


def _whole_as(match: str, log: Log) -> bool:
    from domain.match.verification import verify

    return verify(match, log, complete=True).good


@pytest.mark.parametrize("viewer", [SPECTATOR, seat_viewer(0)])
async def test_a_redacted_log_of_a_running_match_is_refused(house, other_house, viewer):
    await put(house.store, "m1", running(), Status.OPEN)
    redacted = read(await exported(house, "m1", viewer))
    assert not redacted.line.complete
    assert redacted.line.seat == viewer.seat
    assert await code_of(other_house, redacted) == "import.redacted"
    lying = msgspec.structs.replace(redacted.line, complete=True)
    assert await code_of(other_house, msgspec.structs.replace(redacted, line=lying)) == "import.broken_log"


def broken_logs() -> dict[str, Log]:
    log = list(named("m1", finished()))
    opened = where_sealed(log)[1]
    edited = [*log[:7], changed(log[7], lambda plain: plain.update(actor="eve")), *log[8:]]
    return {
        "altered": tuple(edited),
        "rewritten": tuple(rechained("m1", edited[:5] + edited[6:])),
        "dropped": tuple(log[:5] + log[6:]),
        "doubled": tuple(log[:6] + log[5:]),
        "swapped": (*log[:5], log[6], log[5], *log[7:]),
        "torn": tuple(log[:-1]),
        "opening": (
            *log[:opened],
            reopened(log[opened], lambda one: one.update(value="x")),
            *log[opened + 1 :],
        ),
        "forged against the rules": tuple(forged(log, len(log), lambda event: replace(event, totals=(0, 0)))),
    }


@pytest.mark.parametrize("name", broken_logs())
async def test_a_broken_log_is_refused_and_the_first_bad_event_named(house, name):
    log = broken_logs()[name]
    refused = document("m1", log)
    assert await code_of(house, refused) == "import.broken_log"
    with pytest.raises(ImportRefused, match=r"event \d+: "):
        await importer(house).take(refused)


async def test_points_that_the_rules_do_not_give_are_refused_though_all_hashes_fit(house):
    log = named("m1", finished())
    last = len(log)
    refused = document(
        "m1", tuple(forged(log, last, lambda event: replace(event, ranking=((1,), (0,), (2,)))))
    )
    with pytest.raises(ImportRefused, match=rf"event {last}: rules\.differs: .* another ranking"):
        await importer(house).check(refused)


async def test_a_log_under_another_id_is_broken_from_its_first_event_on(house):
    refused = document("m2", named("m1", finished()))
    with pytest.raises(ImportRefused, match=r"event 1: log\.chain_broken"):
        await importer(house).take(refused)


async def test_what_this_release_does_not_know_is_refused(house):
    log = named("m1", finished())
    rules = changed(log[0], lambda plain: plain["data"]["terms"].update(rules=99))
    assert (
        await code_of(house, document("m1", tuple(rechained("m1", [rules, *log[1:]]))))
        == "import.rules_unknown"
    )
    later = changed(log[0], lambda plain: plain["data"]["terms"].update(format=9))
    assert (
        await code_of(house, document("m1", tuple(rechained("m1", [later, *log[1:]]))))
        == "import.newer_release"
    )


async def test_a_file_that_was_altered_beside_the_chain_is_refused(house):
    log = named("m1", finished())
    assert (
        await code_of(house, msgspec.structs.replace(document("m1", log), altered=True)) == "import.altered"
    )
    assert await code_of(house, document("m1", log, game="odin")) == "import.altered"
    assert await code_of(house, document("m1", log, rules=2)) == "import.altered"
    assert await code_of(house, document("m/1", named("m/1", finished()))) == "import.id_malformed"


async def test_a_lost_file_of_the_archive_comes_back_by_importing(house):
    log = await put(house.store, "m1", finished())
    content = await exported(house, "m1")
    await house.archivist.archive("m1")
    (house.folder / name_of("m1")).unlink()
    assert await importer(house.again()).take(read(content)) is Taken.RESTORED
    assert await house.again().log.read("m1") == list(log)


async def test_another_file_in_the_archive_is_not_overwritten(house):
    file = house.folder / name_of("m1")
    file.parent.mkdir(parents=True)
    file.write_bytes(b"somebody's")
    with pytest.raises(ArchiveDiffers):
        await importer(house).take(document("m1", named("m1", finished())))
    assert await house.store.meta("m1") is None


async def test_an_imported_match_can_be_forked(house, other_house):
    await put(house.store, "m1", finished("odin", 2), game="odin")
    await importer(other_house).take(read(await exported(house, "m1")))
    reader = MatchReader(other_house.log)
    log = await other_house.log.read("m1")
    at = next(
        version
        for version in range(9, len(log))
        if ends_command(log[version - 1])
        and fold(beginning("m1"), log[:version]).state.lifecycle.phase == "playing"
    )
    service = MatchService(other_house.log, reader, other_house.clock)
    nobody = CommandMetadata("", "api", "k1")
    fork = await fork_of(reader, service, "m1", at, caller=nobody, same_cards=True, seat=0)
    plans = (SeatPlan("steady"), SeatPlan("steady"))
    command = CreateMatch("odin", {}, plans, "host", "ab" * 32, fork=fork)
    outcome = await service.execute(Submission("m2", command, CommandMetadata("host", "api", "make"), "f"))
    assert outcome.position.state.origin is not None
    assert outcome.position.state.origin.parent == "m1"


def test_the_first_line_is_what_the_page_on_the_format_says():
    assert MatchLine.__struct_fields__ == (
        "export", "match", "game", "rules", "events", "head", "complete", "seat", "chance",
    )  # fmt: skip

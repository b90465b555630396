"""A match from elsewhere: brought by its file, marked as somebody's claim, played on from; or refused with a reason."""

import gzip
import random
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from domain.entries import StoredEntry
from domain.games.lama.state import LamaState
from domain.match.commands import AbandonMatch, BeReady, CreateMatch, SeatPlan, StartMatch, TakeSeat
from domain.match.fold import beginning, fold
from domain.match.levels import DEFAULT_LEVEL
from services.log.archive.documents import document_of, file_end
from services.log.archive.errors import ImportRefused
from services.log.archive.folder import FolderStorage
from services.log.archive.log_with_archive import LogWithArchive
from services.log.archive.shelf import Archive
from services.matches.forks import fork_at
from services.matches.imports import brought
from services.process.settings import Settings
from services.words.import_refusals import IMPORT_REFUSALS
from tests.conformance.journal import everything
from tests.integration.api.pages.conftest import Pages, running_pages
from tests.integration.api.pages.reader import Reader
from tests.kit.forging import forged
from tests.kit.games import every_key
from tests.kit.log import rechained
from tests.kit.logs import finished, named, running
from tests.kit.memory_store import MemoryEventStore
from tests.kit.table import Table
from tests.kit.tampering import changed


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[Pages]:
    archive = Archive(FolderStorage(tmp_path / "archive"))
    async with running_pages(LogWithArchive(MemoryEventStore(), archive), archive=archive) as pages:
        yield pages


def file_of(log: Sequence[StoredEntry], match: str = "elsewhere", game: str = "lama") -> bytes:
    return document_of(match, game, 1, log) + file_end(1)


def from_elsewhere(game: str = "lama", match: str = "elsewhere") -> bytes:
    return file_of(named(match, finished(game)), match, game)


def private(log: Sequence[StoredEntry], match: str = "elsewhere") -> list[StoredEntry]:
    return forged(
        named(match, log),
        1,
        lambda created: replace(created, terms=replace(created.terms, visibility="private")),
        match,
    )


async def somebody(pages: Pages, language: str = "en") -> Reader:
    reader = pages.reader(language)
    await reader.make_table("lama", "me", "bot", name="Anna")
    return reader


async def bring(reader: Reader, content: bytes, **fields: str) -> str:
    """Send a file by the form of the page; return what the answer says."""
    await reader.get("/me/imports")
    form = reader.form("/me/imports")
    given = dict(form["fields"]) | fields
    given.pop("file", None)
    reader.page = await reader.client.post(
        "/me/imports", data=given, files={"file": ("match.ndjson", content)}
    )
    return re.sub(r"<[^>]*>|\s+", " ", reader.page.text)


@every_key
async def test_a_match_from_elsewhere_is_watched_here_and_says_so(house: Pages, game: str):
    anna = await somebody(house)
    await bring(anna, from_elsewhere(game))
    assert anna.page.url.path == "/m/elsewhere/replay"
    for page in ("", "/replay", "/proof"):
        shown = (await anna.get(f"/m/elsewhere{page}")).text
        assert anna.page.status_code == 200
        assert "It does not prove who played" in shown, page
    kept = (await anna.get("/m/elsewhere/file")).content
    assert kept == from_elsewhere(game)
    assert "/m/elsewhere/replay" in (await anna.get("/me/imports")).text


async def test_the_page_that_somebody_took_along_is_taken_too(house: Pages):
    anna, bert = await somebody(house), await somebody(house)
    await bring(anna, from_elsewhere())
    page = (await anna.get("/m/elsewhere/keepsake")).content
    assert brought(page).document.entries == brought(from_elsewhere()).document.entries
    assert "is here already" in await bring(bert, gzip.compress(from_elsewhere()))
    assert "/m/elsewhere/replay" in (await bert.get("/me/imports")).text


async def test_a_private_match_is_shown_to_whoever_brought_it(house: Pages):
    anna, bert = await somebody(house), await somebody(house)
    await bring(anna, file_of(private(finished())))
    assert anna.page.status_code == 200
    assert (await anna.get("/m/elsewhere/proof")).status_code == 200
    assert (await bert.get("/m/elsewhere/replay")).status_code == 403
    assert (await house.reader().get("/m/elsewhere")).status_code == 403


async def test_one_plays_on_from_a_file_and_the_match_itself_stays_away(house: Pages):
    anna = await somebody(house)
    await bring(anna, from_elsewhere(), want="play", at="", seat="2", cards="anew")
    fork = anna.page.url.path.rpartition("/")[2]
    begun = (await house.application.reader.head(fork)).state
    assert begun.origin is not None
    assert begun.origin.parent == "elsewhere"
    assert begun.lifecycle.phase == "playing"
    assert [seat.kind for seat in begun.seats] == ["bot", "person"]
    assert (await anna.get("/m/elsewhere")).status_code == 404
    log = brought(from_elsewhere()).document.entries
    assert "has no position" in await bring(anna, from_elsewhere(), want="play", at=str(len(log) + 1))
    assert "nothing to play" in await bring(anna, from_elsewhere(), want="play", at="1")
    assert "no seat" in await bring(anna, from_elsewhere(), want="play", seat="9")


def renamed(log: Sequence[StoredEntry], player: str) -> bytes:
    """Write a match as if somebody had played it under an id that is known elsewhere."""
    return file_of(
        rechained("elsewhere", [replace(one, e=one.e.replace(b"player-0", player.encode())) for one in log])
    )


def with_impossible_position() -> bytes:
    """A match of two moves that begins with a hand of cards that are not there."""
    position = fold(beginning("m1"), running())
    assert isinstance(position.state.game, LamaState)
    game = replace(position.state.game, hands=((99,), (100,)))
    fork = replace(fork_at(position, same_cards=True, seat=0), game=game)
    table = Table("elsewhere")
    plans = (SeatPlan(), SeatPlan(DEFAULT_LEVEL))
    table.when(CreateMatch("lama", {}, plans, "host", table.seed, fork=fork, start="host"))
    table.when(TakeSeat("player-0", 0)).when(BeReady(0)).when(StartMatch()).when(AbandonMatch("host"))
    assert table.refusal is None, table.refusal
    return file_of(table.entries)


def _lines(change: Callable[[list[bytes]], list[bytes]]) -> bytes:
    return b"".join(change(from_elsewhere().splitlines(keepends=True)))


@cache
def refused_files() -> dict[str, tuple[bytes, str]]:
    first = from_elsewhere().splitlines(keepends=True)[0]
    first = re.sub(rb'"events":[0-9]+', b'"events":1000', first)
    big = b'{"version":1,"e":"%b","openings":[],"h":"00"}\n' % (b"x" * 8_000_000)
    log = list(named("elsewhere", finished()))
    edited = [*log[:7], changed(log[7], lambda plain: plain.update(actor="eve")), *log[8:]]
    several = (
        document_of("elsewhere", "lama", 1, log)
        + document_of("m2", "lama", 1, named("m2", log))
        + file_end(2)
    )
    return {
        "nothing": (b"", "There is no file"),
        "a picture": (bytes(range(256)) * 9, "This is no file of a match"),
        "another page": (b"<!doctype html><p>Hello", "This is no file of a match"),
        "cut": (from_elsewhere()[:-200], "cut off or damaged"),
        "cut when packed": (gzip.compress(from_elsewhere())[:-30], "cut off or damaged"),
        "huge when unpacked": (gzip.compress(first + big * 10), "larger than any match"),
        "changed": (file_of(edited), "does not hold"),
        "made up": (file_of(rechained("elsewhere", edited[:5] + edited[6:])), "does not hold"),
        "with another end": (
            _lines(lambda lines: [*lines[:-2], lines[-2].replace(b'sha256":"', b'sha256":"0'), lines[-1]]),
            "changed",
        ),
        "several": (several, "several matches"),
        "still played": (file_of(named("elsewhere", running())), "was not over"),
        "without hidden cards": (
            document_of("elsewhere", "lama", 1, [replace(one, s=b"") for one in log], complete=False)
            + file_end(1),
            "hidden cards are missing",
        ),
        "newer": (
            _lines(lambda lines: [lines[0].replace(b'"export":1', b'"export":2'), *lines[1:]]),
            "newer release",
        ),
        "by other rules": (
            file_of(
                forged(log, 1, lambda one: replace(one, terms=replace(one.terms, rules=99)), "elsewhere")
            ),
            "does not know",
        ),
        "from tomorrow": (file_of(tomorrow(log)), "has not come yet"),
        "of cards that are not there": (with_impossible_position(), "a position that cannot be"),
    }


def tomorrow(log: Sequence[StoredEntry]) -> list[StoredEntry]:
    later = [changed(one, lambda plain: plain.update(at="2999" + plain["at"][4:])) for one in log]
    return rechained("elsewhere", later)


async def test_a_file_that_does_not_hold_is_refused_in_plain_words_and_changes_nothing(house: Pages):
    anna = await somebody(house)
    before = await everything(house.application.store)
    for case, (content, said) in refused_files().items():
        for want in ("watch", "play"):
            if not (case == "from tomorrow" and want == "play"):
                assert said in await bring(anna, content, want=want), case
                assert anna.page.status_code == 422, case
    assert await everything(house.application.store) == before
    assert "What you have brought" not in (await anna.get("/me/imports")).text
    assert (await anna.get("/m/elsewhere")).status_code == 404


async def test_what_is_here_is_neither_overwritten_nor_told(house: Pages):
    anna, bert = await somebody(house), await somebody(house)
    await bring(anna, from_elsewhere())
    before = await everything(house.application.store)
    said = await bring(bert, file_of(named("elsewhere", finished(number=1))))
    assert "Another match is here under the same id" in said
    assert bert.page.status_code == 409
    assert not re.search(r"version|event|[0-9a-f]{64}", said)
    assert await everything(house.application.store) == before
    assert (await anna.get("/m/elsewhere/file")).content == from_elsewhere()


async def test_a_match_of_this_house_stays_its_people_s(house: Pages):
    anna, eve = await somebody(house), await somebody(house)
    match = await anna.make_table("lama", "me", "bot", visibility="private")
    await anna.get(f"/m/{match}/resign")
    await anna.submit("/resign")
    file = (await anna.get(f"/m/{match}/file")).content
    assert "is here already" in await bring(eve, file)
    assert (await eve.get(f"/m/{match}/replay")).status_code == 403
    player = (await house.application.reader.head(match)).state.seats[0].player
    assert "names players of matches that are played here" in await bring(eve, renamed(finished(), player))
    assert (await eve.get("/m/elsewhere")).status_code == 404


async def test_only_somebody_who_is_known_brings_files_and_only_by_our_form(house: Pages):
    nobody, anna = house.reader(), await somebody(house)
    assert 'type="file"' not in (await nobody.get("/me/imports")).text
    await anna.get("/me/imports")
    fields = dict(anna.form("/me/imports")["fields"])
    fields.pop("file")
    files = {"file": ("match.ndjson", from_elsewhere())}
    assert (await nobody.client.post("/me/imports", data=fields, files=files)).status_code == 403
    assert (
        await anna.client.post("/me/imports", data=fields | {"form": "x"}, files=files)
    ).status_code == 403
    assert (await anna.client.post("/me/imports", data=fields)).status_code == 400
    assert (await anna.client.post("/me/imports", data=fields, files=files)).url.path.endswith("/replay")


async def test_a_person_brings_only_so_many_and_none_where_that_is_switched_off(tmp_path: Path):
    archive = Archive(FolderStorage(tmp_path))
    log = LogWithArchive(MemoryEventStore(), archive)
    async with running_pages(log, archive=archive, settings=Settings(person_imports=1)) as pages:
        anna = await somebody(pages)
        await bring(anna, from_elsewhere())
        assert "as many matches as one person may" in await bring(anna, from_elsewhere(match="another"))
        assert "is here already" in await bring(anna, from_elsewhere())
    async with running_pages(log, archive=archive, settings=Settings(person_imports=0)) as pages:
        anna = await somebody(pages, "fr")
        assert "accueille aucune partie" in await bring(anna, from_elsewhere(match="another"))
        await bring(anna, from_elsewhere(match="another"), want="play")
        assert anna.page.url.path.startswith("/m/")


def test_no_file_whatever_brings_the_service_down():
    """What is changed at random is refused with its reason, or is a match; chained anew by a forger it may be one."""
    chance, outcomes = random.Random(20), Counter[str]()
    for number in range(240):
        file = (_flipped, _shuffled, _rewritten)[number % 3](chance)
        try:
            brought(file)
        except ImportRefused as refused:
            outcomes[refused.code] += 1
    assert outcomes.keys() <= IMPORT_REFUSALS.keys()
    assert {"export.truncated", "export.malformed", "import.broken_log"} <= outcomes.keys()


def _flipped(chance: random.Random) -> bytes:
    content = from_elsewhere()
    changed_one = bytearray(chance.choice((content, gzip.compress(content))))
    for _ in range(chance.randint(1, 4)):
        changed_one[chance.randrange(len(changed_one))] = chance.randrange(256)
    return bytes(changed_one[: chance.choice((len(changed_one), chance.randrange(len(changed_one))))])


def _shuffled(chance: random.Random) -> bytes:
    found = from_elsewhere().splitlines(keepends=True)
    for _ in range(chance.randint(1, 3)):
        one, other = chance.randrange(len(found)), chance.randrange(len(found))
        found[one] = chance.choice((b"", found[other], found[one] * 2, found[one].replace(b"1", b"-9e99")))
    return b"".join(found)


def _rewritten(chance: random.Random) -> bytes:
    """Change a field of an event, or leave events out, and chain all anew as a forger would."""
    log = list(named("elsewhere", finished()))
    at = chance.randrange(len(log))

    def change(plain: dict[str, Any]) -> None:
        where = chance.choice((plain, plain["data"] or plain, plain["command"]))
        where[chance.choice(list(where))] = chance.choice(ODD)

    rest = log[at + chance.randint(1, 2) :]
    return file_of(rechained("elsewhere", [*log[:at], changed(log[at], change), *rest]))


ODD: Final[tuple[Any, ...]] = (
    None,
    -1,
    2**70,
    0.5,
    "",
    "x" * 99,
    "\u0000",
    "../../etc",
    [],
    [[[]]],
    {},
    {"a": {}},
    True,
    "2026",
)

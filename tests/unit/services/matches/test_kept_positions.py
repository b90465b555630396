"""Positions that outlive a process save time and nothing else: a look back is the log's own, whatever happens."""

from functools import cache
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from domain.entries import StoredEntry
from domain.errors import BrokenLog
from domain.match.fold import beginning, positions
from domain.match.packing import packed
from services.log.event_store.contract import Status
from services.log.kept_files import KeptFiles
from services.matches.kept_positions import KeptPositions
from services.matches.reader import MatchReader
from tests.kit.logs import adoption
from tests.kit.memory_store import MemoryEventStore
from tests.kit.play import Player
from tests.kit.table import Table, started
from tests.kit.tampering import changed

FIRST, EVERY = 64, 64
EVENTS = 220
SECRET = b"the secret of this installation"


class CountingStore(MemoryEventStore):
    """Counts the entries that are read from it, and may have one that was altered.

    Attributes:
        altered: The one that was.
    """

    read_entries = 0
    altered: StoredEntry | None = None

    async def read(self, match: str, after: int = 0, last: int | None = None) -> list[StoredEntry]:
        found = await super().read(match, after, last)
        self.read_entries += len(found)
        altered = self.altered
        return [altered if altered and entry.version == altered.version else entry for entry in found]


@cache
def long_match(game: str, seed: int = 1) -> Table:
    """Return a running practice match in which much was taken back, and some of it played again."""
    table, random = started(game, 3, seed=f"{seed:064x}", undo="practice"), Random(seed)
    player = Player(table, random)
    while table.position.version < EVENTS:
        chosen = random.random()
        if chosen < 0.3:
            player.undo()
        elif chosen < 0.4:
            player.redo()
        else:
            player.bot_move()
        assert player.is_on
    return table


async def stored(table: Table) -> CountingStore:
    store, terms = CountingStore(), table.state.terms
    assert terms is not None
    assert await store.adopt(adoption("m1", tuple(table.entries), Status.OPEN, terms.game, terms.rules))
    return store


class House:
    """An installation whose processes come and go."""

    def __init__(self, folder: Path, store: MemoryEventStore) -> None:
        self.folder, self.store = folder, store

    def files(self, secret: bytes = SECRET, code: str = "this release", most: int = 1 << 30) -> KeptFiles:
        return KeptFiles(self.folder, secret, lambda: code, most)

    def kept(self, **other: str) -> KeptPositions:
        return KeptPositions(self.files(**other), FIRST, EVERY)  # type: ignore[arg-type]

    def reader(self, **other: str) -> MatchReader:
        """Return the reader of a process that has just started."""
        return MatchReader(self.store, positions=self.kept(**other))

    async def filled(self) -> list[Path]:
        """Read the match once from its first event; return what that leaves."""
        kept = self.kept()
        await MatchReader(self.store, positions=kept).head("m1")
        await kept.settled()
        return self.there()

    def there(self) -> list[Path]:
        return sorted(path for path in self.folder.rglob("*") if path.is_file())


@pytest.fixture
async def house(tmp_path):
    return House(tmp_path / "cache", await stored(long_match("skyjo")))


@pytest.mark.parametrize("game", ["lama", "odin", "skyjo"])
async def test_every_version_is_what_the_log_folds_to_whatever_became_of_the_files(game, tmp_path):
    table, random = long_match(game), Random(4)
    house = House(tmp_path / "cache", await stored(table))
    files = await house.filled()
    assert len(files) > 2
    expected = list(positions(beginning("m1"), table.entries))
    for version in range(1, len(expected) + 1):
        for file in files:
            _meet(file, files, random)
        # A process of its own for each look, as if all had just been started again.
        assert await house.reader().at("m1", version) == expected[version - 1]
        if not version % 40:
            files = await house.filled()
    reader = house.reader()
    for version in random.sample(range(1, len(expected) + 1), 60):
        assert await reader.at("m1", version) == expected[version - 1]
    assert await reader.head("m1") == expected[-1]


def _meet(file: Path, others: list[Path], random: Random) -> None:
    """Let something happen to a file, or nothing."""
    if not file.exists():
        return
    content = file.read_bytes()
    chosen = random.randrange(40)
    if chosen == 0:
        file.unlink()
    elif chosen == 1:
        file.write_bytes(content[: random.randrange(len(content))])
    elif chosen == 2:
        place = random.randrange(len(content))
        file.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
    elif chosen == 3:
        there = [other for other in others if other.exists()]
        file.write_bytes(random.choice(there).read_bytes())
    elif chosen == 4:
        file.write_bytes(random.randbytes(random.randrange(200)))


async def test_after_a_restart_a_look_back_reads_no_more_than_the_way_from_a_kept_position(house):
    await house.filled()
    for version in (FIRST, FIRST + EVERY - 1, 150, EVENTS):
        house.store.read_entries = 0
        await house.reader().at("m1", version)
        assert house.store.read_entries <= EVERY + 1
    house.store.read_entries = 0
    await house.reader().head("m1")
    assert house.store.read_entries <= EVERY + 1


async def test_a_match_that_grows_is_kept_as_it_grows(tmp_path):
    table = long_match("lama").copy()
    entries = tuple(table.entries)
    first = CountingStore()
    house = House(tmp_path / "cache", first)
    kept = house.kept()
    reader = MatchReader(first, positions=kept)
    for position in positions(beginning("m1"), entries):
        reader.remember(position)
        await kept.settled()
    assert len(house.there()) == len(entries) // EVERY - FIRST // EVERY + 1


@pytest.mark.parametrize(
    "other", [{"secret": b"the secret of somebody else"}, {"code": "the next release"}], ids=str
)
async def test_what_others_kept_does_not_count(house, other):
    await house.filled()
    house.store.read_entries = 0
    position = await house.reader(**other).at("m1", EVENTS)
    assert house.store.read_entries == EVENTS
    assert position == list(positions(beginning("m1"), long_match("skyjo").entries))[EVENTS - 1]


async def test_a_log_that_has_become_another_is_folded_anew(house):
    before = [file.name for file in await house.filled()]
    other = long_match("skyjo", 2)
    house.store = await stored(other)
    assert await house.reader().at("m1", 150) == list(positions(beginning("m1"), other.entries))[149]
    assert [file.name for file in house.there()] != before


async def test_what_lies_behind_a_kept_position_is_still_checked(house):
    await house.filled()
    last = long_match("skyjo").entries[-3]
    house.store.altered = changed(last, lambda plain: plain.update(trace="forged"))
    with pytest.raises(BrokenLog, match="chain"):
        await house.reader().head("m1")


async def test_no_command_is_decided_on_a_kept_position(house):
    """A forger with the secret can deceive a look, until the first command folds the log itself."""
    await house.filled()
    honest = await house.reader().head("m1")
    game = replace(honest.state.game, totals=tuple(total + 50 for total in honest.state.game.totals))
    forged = replace(honest, state=replace(honest.state, game=game))
    files = house.files()
    files.forget("m1")
    files.write("m1", f"at-{forged.version}", packed(forged))
    reader = house.reader()
    assert (await reader.head("m1")).state.game.totals != honest.state.game.totals
    assert reader.remembered("m1") is None
    proven = await reader.head("m1", proven=True)
    assert proven == honest
    assert await reader.head("m1") == honest
    assert files.read("m1", f"at-{forged.version}") is None


def test_so_much_is_kept_and_no_more(tmp_path):
    files = KeptFiles(tmp_path, SECRET, lambda: "x", most_bytes=20_000)
    noise = Random(1)
    for number in range(200):
        files.write(f"m{number}", "at-1", noise.randbytes(300))
    assert files.read("m199", "at-1") is not None
    assert files.read("m0", "at-1") is None
    assert sum(file.stat().st_size for file in tmp_path.rglob("*") if file.is_file()) < 45_000


def test_a_disk_that_takes_nothing_stops_nobody(tmp_path):
    (tmp_path / "file").write_text("in the way")
    files = KeptFiles(tmp_path / "file" / "cache", SECRET, lambda: "x")
    files.write("m1", "at-1", b"content")
    assert files.read("m1", "at-1") is None
    assert files.names("m1") == []

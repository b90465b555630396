"""A position comes back from its bytes as it was: equal, with the same parts shared, and it goes on in the same way."""

from functools import cache
from random import Random

import msgspec
import pytest

from domain.match.fold import Position, beginning, fold, positions
from domain.match.packing import NotPacked, Unpackable, _Packed, packed, unpacked
from domain.match.state import Past
from tests.golden.corpus import FOLDER, files, read
from tests.kit.play import Player
from tests.kit.table import started

every_file = pytest.mark.parametrize(
    "path", files(), ids=lambda path: path.relative_to(FOLDER).as_posix().removesuffix(".ndjson.gz")
)

kept = cache(read)


def shared(position: Position) -> list[bool]:
    """Tell of each node of the past whether it holds the very game of the one behind it, the present one first."""
    found, game, node = [], position.state.game, position.state.past
    while node is not None:
        found.append(node.game is game)
        game, node = node.game, node.before
    return found


@every_file
def test_a_recorded_match_goes_on_from_bytes_as_it_went_on(path):
    recorded = kept(path)
    entries, random = recorded.entries, Random(1)
    everything = list(positions(beginning(recorded.header.match), entries))
    for version in random.sample(range(1, len(entries)), k=min(4, len(entries) - 1)):
        here = everything[version - 1]
        again = unpacked(packed(here))
        assert again == here
        assert shared(again) == shared(here)
        assert packed(again) == packed(here)
        assert fold(again, entries[version:]) == everything[-1]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"nonsense",
        msgspec.msgpack.encode(_Packed([], [], [])),
        msgspec.msgpack.encode(_Packed([], ["x"], [])),
    ],
    ids=["nothing", "no such bytes", "nothing in it", "something else in it"],
)
def test_what_is_no_position_is_refused(content):
    with pytest.raises(NotPacked):
        unpacked(content)


def test_no_past_is_too_long():
    table = started("skyjo", 2)
    node = table.state.past
    for version in range(20_000):
        node = Past(version, table.present, node)
    long = msgspec.structs.replace(
        table.position, state=msgspec.structs.replace(table.state, past=node, undone=None)
    )
    again = unpacked(packed(long)).state.past
    for version in reversed(range(20_000)):
        assert again is not None
        assert again.version == version
        again = again.before
    with pytest.raises(Unpackable):
        packed(long, most=19_999)


def test_bytes_that_are_none_of_ours_are_told_from_a_position():
    table = started("lama", 3)
    content = packed(table.position)
    for wrong in (b"", b"\x80", content[:-1], content.replace(b"domain.match.fold", b"domain.match.fool")):
        with pytest.raises(NotPacked):
            unpacked(wrong)
    # A struct of somebody else is not made, whoever names it.
    foreign = msgspec.msgpack.encode(([("msgspec", "Struct"), ("subprocess", "Popen")], ["true"], [[4, 0]]))
    with pytest.raises(NotPacked):
        unpacked(foreign)


def test_what_cannot_be_packed_is_refused():
    class Odd:
        pass

    table = started("lama", 3)
    with pytest.raises(Unpackable):
        packed(msgspec.structs.replace(table.position, trace=Odd()))


def test_a_match_with_clocks_and_branches_comes_back():
    table, random = started("odin", 3, undo="practice"), Random(3)
    player = Player(table, random)
    for _ in range(120):
        if not player.is_on:
            break
        if random.random() < 0.4:
            player.undo()
        else:
            player.random_move()
    assert unpacked(packed(table.position)) == table.position

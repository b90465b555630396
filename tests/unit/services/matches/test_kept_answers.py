"""An answer made of a whole long log is there after a restart, and only for the very log that it was made of."""

from msgspec.structs import replace

from domain.match.fold import Position
from services.log.kept_files import KeptFiles
from services.matches.kept_answers import KeptAnswer
from services.matches.kept_positions import FIRST
from services.matches.whole_matches import WholeMatches
from tests.kit.table import started


def long_position() -> Position:
    return replace(started("lama", 3).position, version=FIRST)


def answer_of(position: Position) -> KeptAnswer[tuple[int, ...]]:
    return KeptAnswer(position, "stops", tuple[int, ...])


async def test_a_restart_makes_nothing_again_and_another_head_does(tmp_path):
    position, made = long_position(), []

    async def ask(position: Position) -> tuple[int, ...]:
        async def make() -> tuple[int, ...]:
            made.append(position.version)
            return 3, 5, position.version

        whole = WholeMatches(files=KeptFiles(tmp_path, b"a secret", lambda: "this release"))
        return await whole.made("key", "ann", make, len, answer_of(position))

    for _ in range(2):
        assert await ask(position) == (3, 5, FIRST)
    assert made == [FIRST]
    for other in (
        replace(position, version=FIRST + 1),
        replace(position, head=b"x" * 32),
        replace(position, match="m2"),
    ):
        assert await ask(other) == (3, 5, other.version)
    assert len(made) == 4


def test_what_is_short_or_damaged_is_not_there(tmp_path):
    files, position = KeptFiles(tmp_path, b"a secret", lambda: "this release"), long_position()
    short = answer_of(replace(position, version=FIRST - 1))
    short.write(files, (1,))
    assert files.names("m1") == []
    files.write("m1", "stops", b"\xc1")
    assert answer_of(position).read(files) is None

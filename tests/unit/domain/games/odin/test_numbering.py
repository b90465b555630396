"""A reader finds every ruling once in the code and at least once among the tests, by its number."""

import re
from collections import Counter
from pathlib import Path

import domain.games.odin.game

RULINGS = [f"O{number}" for number in range(1, 34)]
CODE = Path(domain.games.odin.game.__file__).parent
TESTS = Path(__file__).parent


def test_every_ruling_is_marked_once_in_the_code():
    marks: Counter[str] = Counter()
    for file in sorted(CODE.glob("*.py")):
        for comment in re.findall(r"#(.*)", file.read_text(encoding="utf-8")):
            marks.update(re.findall(r"\bO\d+\b", comment))

    assert marks == Counter(RULINGS)


def test_every_ruling_has_a_test_named_after_it():
    named = set()
    for file in sorted(TESTS.glob("test_*.py")):
        named.update(re.findall(r"def test_(o\d+)_", file.read_text(encoding="utf-8")))

    assert named == {ruling.lower() for ruling in RULINGS}

"""What a reader may rely on: every ruling is found by its number, and examples in docstrings are true."""

import doctest
import re
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from domain.games.odin import bot, cards

RULINGS = [f"O{number}" for number in range(1, 34)]
CODE = Path(cards.__file__).parent
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


@pytest.mark.parametrize("module", [cards, bot])
def test_examples_in_docstrings_hold(module: ModuleType):
    results = doctest.testmod(module)

    assert results.attempted > 0
    assert results.failed == 0

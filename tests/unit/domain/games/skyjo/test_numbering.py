"""Every ruling of the specification can be found by its number, in the code and among the tests."""

import re
from pathlib import Path

import pytest

import domain.games.skyjo

CODE = "".join(path.read_text() for path in Path(domain.games.skyjo.__path__[0]).glob("*.py"))
TESTS = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))


@pytest.mark.parametrize("number", range(1, 35))
def test_a_ruling_stands_in_the_code_and_has_a_test(number: int) -> None:
    assert re.search(rf"\bK{number}\b", CODE)
    assert f"def test_k{number}_" in TESTS

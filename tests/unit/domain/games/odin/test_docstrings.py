"""Examples in docstrings are true."""

import doctest
from types import ModuleType

import pytest

from domain.games.odin import cards, judgement


@pytest.mark.parametrize("module", [cards, judgement])
def test_examples_in_docstrings_hold(module: ModuleType):
    results = doctest.testmod(module)

    assert results.attempted > 0
    assert results.failed == 0

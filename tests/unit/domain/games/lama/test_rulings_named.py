"""Every ruling of the specification is found once in the code, by its number, and has a test that bears it."""

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import domain.games.lama.game

RULINGS = [f"M{number}" for number in range(1, 41)]
CODE = Path(domain.games.lama.game.__file__).parent
TESTS = Path(__file__).parent


def explanations(source: str) -> Iterator[str]:
    """Yield the comments and docstrings of a module."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield ast.get_docstring(node) or ""


def test_every_ruling_stands_once_in_the_code():
    found = Counter(
        number
        for path in CODE.glob("*.py")
        for text in explanations(path.read_text("utf-8"))
        for number in re.findall(r"\bM\d+\b", text)
    )

    assert found == Counter(RULINGS)


def test_every_ruling_has_its_test():
    tests = "".join(path.read_text("utf-8") for path in TESTS.glob("test_rulings_*.py"))

    assert [number for number in RULINGS if f"def test_{number.lower()}_" not in tests] == []

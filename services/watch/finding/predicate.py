"""Predicates: expressions that were read, and found to be made of nothing but what is allowed."""

import ast
from collections.abc import Iterator
from typing import Final

from services.watch.finding.errors import BadExpression
from services.watch.finding.evaluation import (
    ALLOWED,
    FUNCTIONS,
    METHODS,
    CannotTell,
    CostsTooMuch,
    Evaluation,
)
from services.watch.finding.moments import NAMES, Moment

LONGEST: Final = 2000
"""Characters."""

MOST_PARTS: Final = 500
"""Names, numbers, operators and the like."""

_DEEPEST: Final = 50


class Predicate:
    """An expression that is true or false of a moment."""

    def __init__(self, text: str) -> None:
        """Read an expression.

        Raises:
            BadExpression: It is none, or uses a name that stands for nothing.
        """
        self.text: Final = text
        if len(text) > LONGEST:
            raise BadExpression(f"The expression is longer than {LONGEST} characters.")
        try:
            self._parsed: Final = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            said = error.msg if isinstance(error, SyntaxError) else str(error)
            raise BadExpression(f"This is no expression: {said}.") from error
        self._check()

    def _check(self) -> None:
        """Make sure that every part is allowed, and every name stands for something.

        A slip would never be true, and never be noticed.
        """
        nodes = []
        for node, depth in _walked(self._parsed):
            nodes.append(node)
            if len(nodes) > MOST_PARTS or depth > _DEEPEST:
                raise BadExpression(f"It has more than {MOST_PARTS} parts, or is nested too deeply.")
            if type(node) not in ALLOWED:
                raise BadExpression(f"{type(node).__name__} has no place in these expressions.")
        called = [node for node in nodes if isinstance(node, ast.Call)]
        for node in called:
            _check_call(node)
        functions = {id(node.func) for node in called}
        names = [node for node in nodes if isinstance(node, ast.Name) and id(node) not in functions]
        own = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        for name in names:
            if name.id not in own and name.id not in NAMES:
                known = ", ".join(NAMES)
                raise BadExpression(f"{name.id!r} stands for nothing here. There are: {known}.")

    def holds(self, moment: Moment) -> bool:
        """Tell whether the expression is true of a moment.

        Raises:
            BadExpression: It takes too long or too much, here and so probably everywhere.
            CannotTell: It cannot be evaluated there.
        """
        try:
            return bool(Evaluation(moment.__getitem__).value(self._parsed))
        except CostsTooMuch as error:
            raise BadExpression(f"The expression costs too much: {error}.") from error
        except Exception as error:
            raise CannotTell(f"{type(error).__name__}: {error}") from error


def _walked(node: ast.AST, depth: int = 0) -> Iterator[tuple[ast.AST, int]]:
    yield node, depth
    if depth <= _DEEPEST:
        for child in ast.iter_child_nodes(node):
            yield from _walked(child, depth + 1)


def _check_call(node: ast.Call) -> None:
    if node.keywords:
        raise BadExpression("Functions take no named arguments here.")
    match node.func:
        case ast.Name(id=name) if name in FUNCTIONS:
            return
        case ast.Attribute(attr=name) if name in METHODS:
            return
    known = ", ".join((*FUNCTIONS, *(f".{name}" for name in METHODS)))
    raise BadExpression(f"That cannot be called here. There are: {known}.")

"""Expressions over moments: a small part of Python's, evaluated by a library that knows no way out of them."""

import ast
from collections.abc import Callable, Mapping
from typing import Any, Final

from simpleeval import EvalWithCompoundTypes

from services.watch.finding.errors import BadExpression
from services.watch.finding.moments import NAMES, Moment

FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "abs": abs,
    "all": all,
    "any": any,
    "len": len,
    "max": max,
    "min": min,
    "set": set,
    "sorted": sorted,
    "sum": sum,
}
"""What an expression may call, beside the methods of texts and lists."""

LONGEST: Final = 2000
"""Characters."""


class Predicate:
    """An expression that is true or false of a moment."""

    def __init__(self, text: str) -> None:
        """Read an expression.

        Raises:
            BadExpression: It is none, or uses a name that stands for nothing.
        """
        self.text: Final = text
        self._evaluator: Final = EvalWithCompoundTypes(functions=dict(FUNCTIONS))
        if len(text) > LONGEST:
            raise BadExpression(f"The expression is longer than {LONGEST} characters.")
        try:
            # By the language's own parser: the library's takes the first of several statements, with a warning.
            self._parsed: Final = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise BadExpression(f"This is no expression: {error}.") from error
        self._check()

    def _check(self) -> None:
        """Make sure that every part is known, and every name stands for something.

        A slip would never be true, and never be noticed.
        """
        for node in ast.walk(self._parsed):
            if isinstance(node, ast.expr) and type(node) not in self._evaluator.nodes:
                raise BadExpression(f"{type(node).__name__} has no place in these expressions.")
        names = [node for node in ast.walk(self._parsed) if isinstance(node, ast.Name)]
        own = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        for node in names:
            if node.id not in own and node.id not in NAMES and node.id not in FUNCTIONS:
                known = ", ".join(NAMES)
                raise BadExpression(f"{node.id!r} stands for nothing here. There are: {known}.")

    def holds(self, moment: Moment) -> bool:
        """Tell whether the expression is true of a moment.

        Raises:
            CannotTell: It cannot be evaluated there.
        """
        self._evaluator.names = moment
        try:
            return bool(self._evaluator.eval(self.text, self._parsed))
        except Exception as error:
            raise CannotTell(f"{type(error).__name__}: {error}") from error


class CannotTell(Exception):
    """An expression cannot be evaluated at a moment: the event has no such field, a list is too short."""

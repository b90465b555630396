"""Evaluating expressions over moments: a small part of Python's, by an allow list, within a budget.

What stands here by name may be used, and nothing else. Every step costs, and so does every element that a step looks
at; texts, lists and numbers stay small. So an expression ends soon, whatever it says.
"""

import ast
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

MOST_STEPS: Final = 20_000
"""What evaluating an expression at one moment may cost. The table of any game takes a few hundred."""

MOST_ELEMENTS: Final = 5_000
"""In a list, with all that is in it; and the characters of a text."""

GREATEST_NUMBER: Final = 2**63

_ELEMENTS_PER_STEP: Final = 16


class CannotTell(Exception):
    """An expression cannot be evaluated at a moment: the event has no such field, a list is too short."""


class CostsTooMuch(Exception):
    """An expression costs more than any that is meant well."""


def _total(numbers: Iterable[Any]) -> Any:
    # With lists, each step would copy all that came before.
    return sum(_number(one) for one in numbers)


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "abs": abs,
    "all": all,
    "any": any,
    "len": len,
    "max": max,
    "min": min,
    "set": set,
    "sorted": sorted,
    "sum": _total,
}
"""What an expression may call, beside :data:`METHODS`."""

METHODS: Final[Mapping[str, tuple[type, ...]]] = {
    "startswith": (str,),
    "endswith": (str,),
    "lower": (str,),
    "count": (str, tuple, list),
    "index": (str, tuple, list),
    "get": (dict,),
    "keys": (dict,),
    "values": (dict,),
    "items": (dict,),
}
"""The methods that an expression may call, and on what."""

_LISTS: Final = (tuple, list, set, frozenset)
_NUMBERS: Final = (int, float)


def _number(value: Any) -> Any:
    if not isinstance(value, _NUMBERS):
        raise TypeError(f"{type(value).__name__} is not a number")
    return value


def _of_numbers(compute: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda one, other: compute(_number(one), _number(other))


OPERATORS: Final[Mapping[type, Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    # A text or list times a number would be as long as somebody likes; a text modulo something is formatted.
    ast.Mult: _of_numbers(operator.mul),
    ast.Div: _of_numbers(operator.truediv),
    ast.FloorDiv: _of_numbers(operator.floordiv),
    ast.Mod: _of_numbers(operator.mod),
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
}

_COMPARISONS: Final[Mapping[type, Callable[[Any, Any], Any]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda one, other: one in other,
    ast.NotIn: lambda one, other: one not in other,
}

_UNARY: Final[Mapping[type, Callable[[Any], Any]]] = {
    ast.Not: operator.not_,
    ast.USub: lambda value: -_number(value),
}


class Evaluation:
    """Evaluates one expression at one moment."""

    def __init__(self, names: Callable[[str], Any]) -> None:
        self._names: Final = names
        self._own: dict[str, Any] = {}
        self._left = MOST_STEPS

    def value(self, node: ast.AST) -> Any:
        """Return what an expression comes to.

        Raises:
            CostsTooMuch: Its budget is used up.
            Exception: Whatever Python says of it.
        """
        self._spend(1)
        found = _NODES[type(node)](self, node)
        self._spend(_weight(found) // _ELEMENTS_PER_STEP)
        return found

    def _spend(self, steps: int) -> None:
        self._left -= steps
        if self._left < 0:
            raise CostsTooMuch(f"it takes more than {MOST_STEPS:,} steps")

    def values(self, nodes: Sequence[ast.AST]) -> list[Any]:
        """Return what several expressions come to."""
        return [self.value(node) for node in nodes]

    def name(self, node: ast.Name) -> Any:
        """Return what a name stands for: in a comprehension its own, else one of the moment."""
        return self._own[node.id] if node.id in self._own else self._names(node.id)

    def attribute(self, node: ast.Attribute) -> Any:
        """Return a field of a struct, or what a mapping has under a name."""
        held = self.value(node.value)
        if isinstance(held, dict) and node.attr in held:
            return held[node.attr]
        if isinstance(held, msgspec.Struct) and node.attr in held.__struct_fields__:
            return getattr(held, node.attr)
        raise AttributeError(f"{type(held).__name__} has no {node.attr}")

    def subscript(self, node: ast.Subscript) -> Any:
        """Return an element, or a piece of a list."""
        held = self.value(node.value)
        if isinstance(node.slice, ast.Slice):
            parts = (node.slice.lower, node.slice.upper, node.slice.step)
            return held[slice(*(None if part is None else self.value(part) for part in parts))]
        return held[self.value(node.slice)]

    def call(self, node: ast.Call) -> Any:
        """Call a function or a method that may be called."""
        arguments = self.values(node.args)
        # What is called looks at each element, and sorting more than once.
        self._spend(sum(map(_weight, arguments)))
        if isinstance(node.func, ast.Attribute):
            held = self.value(node.func.value)
            if not isinstance(held, METHODS[node.func.attr]):
                raise TypeError(f"{type(held).__name__} has no {node.func.attr}")
            self._spend(_weight(held))
            found = getattr(held, node.func.attr)(*arguments)
            return list(found) if node.func.attr in {"keys", "values", "items"} else found
        assert isinstance(node.func, ast.Name)  # noqa: S101 - the predicate has seen to that
        return FUNCTIONS[node.func.id](*arguments)

    def compare(self, node: ast.Compare) -> Any:
        """Compare each value with the next, until one does not hold."""
        held = self.value(node.left)
        for kind, right in zip(node.ops, node.comparators, strict=True):
            other = self.value(right)
            self._spend((_weight(held) + _weight(other)) // _ELEMENTS_PER_STEP)
            if not _COMPARISONS[type(kind)](held, other):
                return False
            held = other
        return True

    def all_or_any(self, node: ast.BoolOp) -> Any:
        """Return the first value that decides, as Python does."""
        decisive, found = isinstance(node.op, ast.Or), None
        for part in node.values:
            found = self.value(part)
            if bool(found) is decisive:
                break
        return found

    def comprehension(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp) -> list[Any]:
        """Return the elements of a comprehension."""
        kept = dict(self._own)
        try:
            return list(self._elements(node.elt, node.generators))
        finally:
            self._own = kept

    def _elements(self, element: ast.AST, generators: Sequence[ast.comprehension]) -> Iterator[Any]:
        if not generators:
            yield self.value(element)
            return
        first, *rest = generators
        for item in self.value(first.iter):
            self._spend(1)
            self._assign(first.target, item)
            if all(self.value(condition) for condition in first.ifs):
                yield from self._elements(element, rest)

    def _assign(self, target: ast.AST, item: Any) -> None:
        if isinstance(target, ast.Name):
            self._own[target.id] = item
            return
        assert isinstance(target, ast.Tuple)  # noqa: S101 - the predicate has seen to that
        for part, one in zip(target.elts, item, strict=True):
            self._assign(part, one)


def _weight(value: Any) -> int:
    """Return how much there is in a value."""
    if isinstance(value, str | bytes):
        weight = len(value)
    elif isinstance(value, dict):
        weight = _weight_of((*value, *value.values()))
    elif isinstance(value, _LISTS):
        weight = _weight_of(value)
    elif isinstance(value, int) and abs(value) > GREATEST_NUMBER:
        raise CostsTooMuch("a number is too big")
    else:
        return 1
    if weight > MOST_ELEMENTS:
        raise CostsTooMuch(f"there are more than {MOST_ELEMENTS:,} elements or characters")
    return weight


def _weight_of(values: Iterable[Any]) -> int:
    weight = 1
    for value in values:
        weight += _weight(value)
        if weight > MOST_ELEMENTS:
            break
    return weight


_NODES: Final[Mapping[type, Callable[[Evaluation, Any], Any]]] = {
    ast.Constant: lambda _, node: node.value,
    ast.Name: Evaluation.name,
    ast.Attribute: Evaluation.attribute,
    ast.Subscript: Evaluation.subscript,
    ast.Call: Evaluation.call,
    ast.Compare: Evaluation.compare,
    ast.BoolOp: Evaluation.all_or_any,
    ast.UnaryOp: lambda one, node: _UNARY[type(node.op)](one.value(node.operand)),
    ast.BinOp: lambda one, node: OPERATORS[type(node.op)](one.value(node.left), one.value(node.right)),
    ast.IfExp: lambda one, node: one.value(node.body if one.value(node.test) else node.orelse),
    ast.List: lambda one, node: one.values(node.elts),
    ast.Tuple: lambda one, node: tuple(one.values(node.elts)),
    ast.Set: lambda one, node: set(one.values(node.elts)),
    ast.Dict: lambda one, node: dict(zip(one.values(node.keys), one.values(node.values), strict=True)),
    ast.ListComp: Evaluation.comprehension,
    ast.GeneratorExp: Evaluation.comprehension,
    ast.SetComp: lambda one, node: set(one.comprehension(node)),
}

ALLOWED: Final = frozenset(
    (
        *_NODES,
        *OPERATORS,
        *_COMPARISONS,
        *_UNARY,
        ast.And,
        ast.Or,
        ast.Load,
        ast.Store,
        ast.Slice,
        ast.comprehension,
    )
)
"""The parts of which an expression may be made."""

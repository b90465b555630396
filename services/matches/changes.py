"""The difference of two views, as a short list of changes.

A change is ``[pointer, value]`` (now it is this) or ``[pointer]`` (it is gone); pointers are JSON Pointers (RFC 6901).
Applied in order to the first view, the changes give the second.
"""

from collections.abc import Iterator

import msgspec

_encoded = msgspec.json.Encoder(order="sorted").encode

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]
Change = list[JsonValue]


def changes(before: JsonValue, after: JsonValue, pointer: str = "") -> Iterator[Change]:
    """Yield what must be changed in ``before`` to get ``after``."""
    if _same(before, after):
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted(before.keys() - after.keys()):
            yield [_under(pointer, key)]
        for key, value in after.items():
            if key in before:
                yield from changes(before[key], value, _under(pointer, key))
            else:
                yield [_under(pointer, key), value]
    elif isinstance(before, list) and isinstance(after, list) and _item_by_item(before, after):
        for index, value in enumerate(after):
            if index < len(before):
                yield from changes(before[index], value, _under(pointer, str(index)))
            else:
                yield [_under(pointer, str(index)), value]
    else:
        yield [pointer, after]


def _same(before: JsonValue, after: JsonValue) -> bool:
    # Python takes 0 for False and 1 for True, inside of lists as well: JSON does not.
    return before == after and type(before) is type(after) and _encoded(before) == _encoded(after)


def _item_by_item(before: list[JsonValue], after: list[JsonValue]) -> bool:
    """Tell whether a list changed in its items or by growing; otherwise it is said anew as a whole."""
    if len(before) > len(after):
        return False
    if len(before) < len(after):
        return _same(before, after[: len(before)])
    return True


def _under(pointer: str, key: str) -> str:
    return f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}"

"""The difference between two views, as a short list of changes.

A change is ``[pointer, value]`` (a new value) or ``[pointer]`` (gone); pointers are JSON Pointers (RFC 6901).
Applied in order to the first view, the changes give the second.
"""

from collections.abc import Iterator

import msgspec

_encoded = msgspec.json.Encoder(order="sorted").encode

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]
Change = list[JsonValue]


def changes(before: JsonValue, after: JsonValue, pointer: str = "") -> Iterator[Change]:
    """Yield the changes that turn ``before`` into ``after``."""
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
    # In Python 0 == False and 1 == True, inside lists too; not in JSON.
    return before == after and type(before) is type(after) and _encoded(before) == _encoded(after)


def _item_by_item(before: list[JsonValue], after: list[JsonValue]) -> bool:
    """Tell whether to name the changed and added items of a list; otherwise it is sent whole."""
    if len(before) > len(after):
        return False
    if len(before) < len(after):
        return _same(before, after[: len(before)])
    return True


def _under(pointer: str, key: str) -> str:
    return f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}"

"""What a reader of a replay does with its changes: apply them to the view before."""

from services.matches.changes import Change, JsonValue


def apply(before: JsonValue, row: list[Change]) -> JsonValue:
    """Return a view after changes; the given one stays as it is."""
    after = _copy(before)
    for change in row:
        pointer = change[0]
        if not isinstance(pointer, str):
            raise TypeError(pointer)
        if not pointer:
            after = _copy(change[1])
            continue
        _apply_one(after, pointer, change)
    return after


def _apply_one(after: JsonValue, pointer: str, change: Change) -> None:
    *way, last = (part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/"))
    for part in way:
        after = after[int(part)] if isinstance(after, list) else _member(after, part)
    if isinstance(after, list):
        if int(last) == len(after):
            after.append(_copy(change[1]))
        else:
            after[int(last)] = _copy(change[1])
    elif isinstance(after, dict):
        if len(change) == 1:
            del after[last]
        else:
            after[last] = _copy(change[1])


def _member(value: JsonValue, key: str) -> JsonValue:
    if not isinstance(value, dict):
        raise TypeError(key)
    return value[key]


def _copy(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {key: _copy(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_copy(member) for member in value]
    return value

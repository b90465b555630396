"""Changes to bodies."""

import gzip
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from msgspec import UNSET

from tests.fuzz.crowd import Crowd
from tests.fuzz.odd import DEEP, Pairs, Verbatim, literal, text
from tests.fuzz.request import Request

Change = Callable[[Request, Crowd], None]

_LARGEST: Final = 64 * 1024

_ODD_FIELDS: Final = (
    *(
        "draw:draw",
        "reveal:99",
        "take:-1",
        "a:b:c",
        "play:",
        "return:gold",
        "//evil.example",
        "/\t/evil.example",
    ),
    *(
        "/\r\nX-Injected: 1",
        "/\x00",
        "/\u00e9\U0001f0a1",
        "/\\evil.example",
        "https://evil.example",
        "/a b?c=d#e",
    ),
)


def wrong_value(request: Request, crowd: Crowd) -> None:
    """Replace one value of a JSON body."""
    places = [(), *_places(request.json)]
    request.json = _with(request.json, crowd.chance.choice(places), literal(crowd.chance))


def wrong_values(request: Request, crowd: Crowd) -> None:
    """Replace several values of a JSON body."""
    for _ in range(3):
        wrong_value(request, crowd)


def missing_member(request: Request, crowd: Crowd) -> None:
    """Leave a member out."""
    if isinstance(request.json, dict) and request.json:
        left_out = crowd.chance.choice(list(request.json))
        request.json = {name: value for name, value in request.json.items() if name != left_out}


def more_members(request: Request, crowd: Crowd) -> None:
    """Add members that are unknown, or that name internals."""
    names = (
        "seat",
        "actor",
        "version",
        "__class__",
        "__proto__",
        "type",
        "seed",
        "",
        "a" * 3000,
        text(crowd.chance),
    )
    if isinstance(request.json, dict):
        chosen = crowd.chance.sample(names, 2)
        request.json = {**request.json, **{name: literal(crowd.chance) for name in chosen if name.isascii()}}


def doubled_key(request: Request, crowd: Crowd) -> None:
    """Repeat a member with another value, before or after the first."""
    if isinstance(request.json, dict) and request.json:
        name = crowd.chance.choice(list(request.json))
        pairs = [*request.json.items(), (name, literal(crowd.chance))]
        if crowd.chance.random() < 0.5:
            pairs.reverse()
        request.json = Pairs(tuple(pairs))


def other_body(request: Request, crowd: Crowd) -> None:
    """Send something else altogether."""
    request.body = crowd.chance.choice([literal(crowd.chance).written, b"", b"a=b", b"<a/>", b"\x00" * 10])


def deep_body(request: Request, crowd: Crowd) -> None:
    """Send a body that is nested very deeply."""
    request.body = crowd.chance.choice(DEEP)


def large_body(request: Request, crowd: Crowd) -> None:
    """Send a body at, just above or far above the allowed size."""
    size = crowd.chance.choice([_LARGEST, _LARGEST + 1, 2 * _LARGEST, 1_000_000])
    content = request.content()
    filler = b"a" if request.form is not None else b" "
    request.body = content + filler * max(0, size - len(content))


def cut_body(request: Request, crowd: Crowd) -> None:
    """Send only the beginning of a body."""
    content = request.content()
    request.body = content[: crowd.chance.randrange(len(content) + 1)]


def garbled_body(request: Request, crowd: Crowd) -> None:
    """Change a few bytes."""
    content = bytearray(request.content())
    for _ in range(min(len(content), crowd.chance.randint(1, 4))):
        content[crowd.chance.randrange(len(content))] = crowd.chance.choice([0, 9, 34, 92, 127, 128, 255])
    request.body = bytes(content)


def wrong_encoding(request: Request, crowd: Crowd) -> None:
    """Write the body in another encoding, or claim to."""
    encoding = crowd.chance.choice(["utf-16", "utf-32", "utf-7", "utf-8-sig", "cp037"])
    content = request.content()
    if crowd.chance.random() < 0.7:
        request.body = content.decode("latin-1").encode(encoding, "replace")
    if crowd.chance.random() < 0.5:
        request.set_header(b"Content-Type", f"application/json; charset={encoding}".encode())


def compressed(request: Request, crowd: Crowd) -> None:
    """Compress the body, with or without saying so."""
    request.body = gzip.compress(request.content())
    if crowd.chance.random() < 0.7:
        request.set_header(
            b"Content-Encoding", crowd.chance.choice([b"gzip", b"deflate", b"identity", b"br"])
        )


def wrong_field(request: Request, crowd: Crowd) -> None:
    """Replace the value of a form's field."""
    if request.form:
        at = crowd.chance.randrange(len(request.form))
        request.form[at] = (request.form[at][0], _odd_field(crowd.chance))


def missing_field(request: Request, crowd: Crowd) -> None:
    """Leave a field of a form out."""
    if request.form:
        request.form.pop(crowd.chance.randrange(len(request.form)))


def more_fields(request: Request, crowd: Crowd) -> None:
    """Repeat a field, or send more fields than any form has."""
    if request.form:
        name, _ = crowd.chance.choice(request.form)
        times = crowd.chance.choice([1, 1, 200])
        request.form += [(name, _odd_field(crowd.chance))] * times


def garbled_form(request: Request, crowd: Crowd) -> None:
    """Write a form in a way that cannot be read."""
    endings = (
        b"&%zz=1",
        b"&a=%",
        b"&\xff=1",
        b"&a=%ff%fe",
        b"&&&&",
        b"=",
        b"&a=%ed%a0%80",
        b";b=c",
        b"&form",
    )
    request.body = request.content() + crowd.chance.choice(endings)


def _odd_field(chance: random.Random) -> str:
    return chance.choice([text(chance), text(chance), "\ud800", "a" * 50_000, *_ODD_FIELDS])


def _places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list | tuple)
        else ()
    )
    for name, one in inner:
        yield (*at, name)
        yield from _places(one, (*at, name))


def _with(value: Any, at: tuple[Any, ...], new: Verbatim) -> Any:
    if not at:
        return new
    if isinstance(value, dict):
        return {name: _with(one, at[1:], new) if name == at[0] else one for name, one in value.items()}
    return [_with(one, at[1:], new) if number == at[0] else one for number, one in enumerate(value)]


JSON: Final[Mapping[str, Change]] = {
    "wrong value": wrong_value,
    "wrong values": wrong_values,
    "missing member": missing_member,
    "unknown members": more_members,
    "doubled key": doubled_key,
}
FORM: Final[Mapping[str, Change]] = {
    "wrong field": wrong_field,
    "missing field": missing_field,
    "more fields": more_fields,
    "garbled form": garbled_form,
}
ANY: Final[Mapping[str, Change]] = {
    "another body": other_body,
    "deep body": deep_body,
    "large body": large_body,
    "cut body": cut_body,
    "garbled body": garbled_body,
    "wrong encoding": wrong_encoding,
    "compressed body": compressed,
}


def changes_for(request: Request) -> Mapping[str, Change]:
    """Return the changes that can be made to a request's body."""
    if request.form is not None:
        return {**FORM, **ANY}
    return {} if request.json is UNSET else {**JSON, **ANY}

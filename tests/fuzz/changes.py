"""Changes to addresses, headers, identities and the line itself; and choosing among all changes."""

import copy
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from msgspec import UNSET

from tests.fuzz.body_changes import Change, changes_for
from tests.fuzz.crowd import Crowd
from tests.fuzz.odd import HEADER_NAMES, METHODS, RAW_HEADERS, RAW_PATHS, literal, text
from tests.fuzz.request import Request


def odd_part(request: Request, crowd: Crowd) -> None:
    """Replace a part of the path with something odd."""
    at = crowd.chance.randrange(len(request.path))
    request.path[at] = _odd_part(crowd)


def more_parts(request: Request, crowd: Crowd) -> None:
    """Make the path longer, or roundabout."""
    at = crowd.chance.randrange(len(request.path) + 1)
    request.path[at:at] = crowd.chance.choice(
        [[b""], [b"."], [b".."], [b"x", b".."], [b"", b""], [_odd_part(crowd)]]
    )


def encoded_part(request: Request, crowd: Crowd) -> None:
    """Percent-encode a part of the path, which does not change its meaning."""
    at = crowd.chance.randrange(len(request.path))
    request.path[at] = b"".join(b"%%%02x" % byte for byte in request.path[at])


def odd_query(request: Request, crowd: Crowd) -> None:
    """Add something odd to the query."""
    names = (
        b"after",
        b"limit",
        b"format",
        b"as",
        b"before",
        b"at",
        b"seat",
        b"seen",
        b"choice",
        b"like",
        b"game",
        b"x",
    )
    name = crowd.chance.choice([*names, *(name for name, _ in request.query)] if request.query else names)
    value = crowd.chance.choice([quote(text(crowd.chance)).encode(), *RAW_PATHS[:8], b"seat99", b"a&a=b"])
    request.query = [*request.query, (name, value)]


def crowded_query(request: Request, crowd: Crowd) -> None:
    """Make the query too long."""
    times = crowd.chance.choice([2, 30, 400])
    request.query = [*request.query, *[(b"after", b"%d" % number) for number in range(times)]]


def other_method(request: Request, crowd: Crowd) -> None:
    """Use another method."""
    request.method = crowd.chance.choice(METHODS)


def odd_header(request: Request, crowd: Crowd) -> None:
    """Change the value of a header."""
    if request.headers:
        name, _ = crowd.chance.choice(request.headers)
        request.set_header(name, crowd.chance.choice(RAW_HEADERS))


def more_headers(request: Request, crowd: Crowd) -> None:
    """Add a header."""
    value = crowd.chance.choice([*RAW_HEADERS, quote(text(crowd.chance)).encode()])
    request.headers.append((crowd.chance.choice(HEADER_NAMES), value))


def doubled_header(request: Request, crowd: Crowd) -> None:
    """Repeat a header, with the same value or another."""
    if request.headers:
        name, value = crowd.chance.choice(request.headers)
        request.headers.append((name, crowd.chance.choice([value, value, *RAW_HEADERS])))


def missing_header(request: Request, crowd: Crowd) -> None:
    """Leave a header out."""
    if request.headers:
        request.drop_header(crowd.chance.choice(request.headers)[0])


def crowded_headers(request: Request, crowd: Crowd) -> None:
    """Send many headers, or a large one."""
    if crowd.chance.random() < 0.5:
        request.headers += [(b"X-%d" % number, b"a") for number in range(crowd.chance.choice([40, 90, 200]))]
    else:
        request.headers.append(
            (crowd.chance.choice(HEADER_NAMES), b"a" * crowd.chance.choice([7000, 60_000]))
        )


def odd_version(request: Request, crowd: Crowd) -> None:
    """Claim to have seen a version that does not exist, or is no version at all."""
    name = crowd.chance.choice([b"If-Match", b"If-None-Match", b"Last-Event-ID"])
    values = (
        *RAW_HEADERS[:22],
        b'"0"',
        b'"1"',
        b'"3"',
        b'"999999"',
        b"5",
        b'W/"5"',
        b"*",
        b'"5", "6"',
        b'"-1"',
    )
    request.set_header(name, crowd.chance.choice(values))


def broken_header(request: Request, crowd: Crowd) -> None:
    """Send a header that no server accepts."""
    values = (b"a\x00b", b"a\rb", b"a\nb", b"\x7f", b"\x01", b"a\r\n b", b"a\r\nX-Injected: 1")
    name = crowd.chance.choice([b"X-A", b"X A", b"", b"X\x00", b"Authorization", b"If-Match ", b"\xff"])
    request.headers.append((name, crowd.chance.choice(values)))


def other_token(request: Request, crowd: Crowd) -> None:
    """Be somebody else, or nobody."""
    table, chance = crowd.chance.choice(crowd.tables), crowd.chance
    token = chance.choice([*table.seats.values(), table.host, "", "a" * 43, quote(text(chance))]).encode()
    if request.door == "page":
        session = chance.choice([*(browser.session.encode() for browser in crowd.browsers), token, b"a" * 43])
        request.set_header(
            b"Cookie", chance.choice([b"tablee=" + session, b"tablee=%b; tablee=%b" % (token, session)])
        )
    elif token:
        request.set_header(b"Authorization", b"Bearer " + token)
    else:
        request.drop_header(b"Authorization")


def foreign_form(request: Request, crowd: Crowd) -> None:
    """Send a form from a page that is not ours."""
    odd = (
        b"https://evil.example",
        b"null",
        b"http://127.0.0.1.evil.example",
        b"",
        b"http://[",
        b"//",
        b"\xff",
    )
    name = crowd.chance.choice([b"Origin", b"Sec-Fetch-Site", b"Host"])
    request.set_header(name, crowd.chance.choice([*odd, b"cross-site", b"same-site"]))


def sent_before(request: Request, crowd: Crowd) -> None:
    """Send an earlier request again, unchanged or with another body."""
    if not crowd.sent:
        return
    earlier = copy.deepcopy(crowd.chance.choice(crowd.sent))
    for name in earlier.__struct_fields__:
        setattr(request, name, getattr(earlier, name))
    if request.json is not UNSET and crowd.chance.random() < 0.6:
        changes = (
            {**request.json, "seat": 1, "to": 3} if isinstance(request.json, dict) else literal(crowd.chance)
        )
        request.json = crowd.chance.choice([{}, changes, request.json])


def chunked(request: Request, crowd: Crowd) -> None:
    """Send the body in chunks, without saying how long it is."""
    request.chunks = crowd.chance.choice([1, 3, 100, 70_000])
    if crowd.chance.random() < 0.2:
        request.body = request.content() + b" " * 70_000
        request.chunks = 9_000


def wrong_length(request: Request, crowd: Crowd) -> None:
    """Claim that the body is longer or shorter than it is, or give an invalid length."""
    actual = len(request.content())
    lengths = (str(actual + 5).encode(), b"99999999999", b"-1", b"abc", b"0", b"+5", b"1,1", b"0x5")
    request.length = crowd.chance.choice(lengths)


def smuggled(request: Request, crowd: Crowd) -> None:
    """Give the body's length in two ways."""
    request.headers.append((b"Content-Length", crowd.chance.choice([b"0", b"5", b"500"])))
    request.chunks = 50


ELSEWHERE: Final[Mapping[str, Change]] = {
    "odd path": odd_part,
    "longer path": more_parts,
    "encoded path": encoded_part,
    "odd query": odd_query,
    "crowded query": crowded_query,
    "other method": other_method,
    "odd header": odd_header,
    "more headers": more_headers,
    "doubled header": doubled_header,
    "missing header": missing_header,
    "crowded headers": crowded_headers,
    "odd version": odd_version,
    "broken header": broken_header,
    "other token": other_token,
    "foreign form": foreign_form,
    "sent before": sent_before,
    "chunked body": chunked,
    "wrong length": wrong_length,
    "two lengths": smuggled,
}


def changed(request: Request, crowd: Crowd) -> Request:
    """Return a request with one or two changes."""
    made = copy.deepcopy(request)
    for _ in range(crowd.chance.choice([1, 1, 1, 2])):
        bodies = changes_for(made)
        name, change = crowd.chance.choice(
            [*bodies.items()] if bodies and crowd.chance.random() < 0.5 else [*ELSEWHERE.items()]
        )
        change(made, crowd)
        made.changed = [*made.changed, name]
    return made


def _odd_part(crowd: Crowd) -> bytes:
    chance = crowd.chance
    written = quote(
        text(chance).encode("utf-8", "surrogatepass"), safe=chance.choice(["", "/:;,=+*'()"])
    ).encode()
    return chance.choice([written, chance.choice(RAW_PATHS)])

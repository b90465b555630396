"""Odd values, which no client sends but somebody will."""

import random
from typing import Any, Final

import msgspec


class Verbatim(msgspec.Struct, frozen=True):
    """Bytes within a JSON value that go into the body as they are, whether or not they are JSON."""

    written: bytes


class Pairs(msgspec.Struct, frozen=True):
    """A JSON object whose keys may repeat."""

    pairs: tuple[tuple[Any, Any], ...]


DEEP: Final = (
    b"[" * 30_000,
    b'{"a":' * 12_000,
    b"[" * 900 + b"]" * 900,
    b'{"a":' * 500 + b"1" + b"}" * 500,
)

LITERALS: Final = (
    *b'null true false [] {} "" 0 -0 -1 1.0 0.5 1e2 1E400 01 +1 .5 1. 0x10 1_000 NaN Infinity -Infinity'.split(),
    *b"2147483648 9007199254740993 18446744073709551616 -9223372036854775809 undefined 'a' \"".split(),
    *rb'"\ud800" "\udfff\ud800" "\u0000" "a\u0000b" "\ud83c\udca1" "\x41" "1" "seat0" "{match}" "%00"'.split(),
    *b'[[[[[[1]]]]]] {"type":"play"} [null,null] [1,2,3][1,2,3] "../../etc/passwd"'.split(),
    *(
        b'"\xff"',
        b'"\xed\xa0\x80"',
        b'"\xc0\xaf"',
        b'"\x00"',
        b'"a\nb"',
        b'"\xf0\x9f\x82\xa1"',
        b'"e\xcc\x81"',
    ),
    *(b"9" * 500, b'"' + b"a" * 5_000 + b'"', b"/* */ 1", b"1 // one"),
    *DEEP,
)
"""Values for any place in a body."""


def _words(text: str) -> list[str]:
    return text.split()


TEXTS: Final = (
    *_words(
        "0 -1 1 00012 +1 1.0 1e3 0x10 1_000 999999999 9999999999 null undefined true NaN None self * ** a"
    ),
    *_words(
        "seat seat0 seat-1 seat999 seat00 SPECTATOR json,ndjson lama LAMA chess ../lama .. . ../.. %s%n con"
    ),
    *_words(r"../../../../etc/passwd ..\..\windows a/b a//b ;a=b a;b a,b {match} {{7*7}} ${7*7} {s00} % %%"),
    *_words("<script>alert(1)</script> '\"><b> tb:{s00}:m:x:meta tb:installation"),
    *(
        "\u0661\u0662",
        "\uff11\uff12",
        "\u00e9",
        "e\u0301",
        "\u202e",
        "\ufeff1",
        "\U0001f0a1",
        "\u0130",
        "\u2028",
    ),
    *("", " ", "9" * 40, "A" * 65, "a" * 3_000, "spectator ", "a b", "' OR 1=1 --"),
    *("1\n", "1\r\n", "a\tb", "\x7f", "\x00", "1\x00"),
)
"""Texts for ids, queries, form fields and headers."""

RAW_PATHS: Final = (
    *rb"% %0 %zz %00 %2e%2e %2e%2e%2f ..%2f..%2f %252e%252e %c0%ae %ff %ed%a0%80 %0a %20 %09 a%2Fb %5c".split(),
    *rb"%0d%0aX-Injected:%201 %7bs00%7d %u0041 ..; a%00b ~ @ !$&'()*+,;=: %F0%9F%82%A1 [ | ^ `".split(),
    *(b"a" * 4_000, b"\xff\xfe", b"\xc3\xa9"),
)
"""Parts of a path, as bytes on the line."""

RAW_HEADERS: Final = (
    *b'"0" W/"1" "1 1" "1","2" \'1\' 0 1 -1 01 "01" 1.0 1e3 0x1 "1"x , ; * " "" a,b a;b a=b null %00'.split(),
    *b"Bearer token bearer=x text/plain application/json; APPLICATION/JSON q=0 */*;q=x 1-2 fr;q=nan".split(),
    *b"application/x-www-form-urlencoded en;q=2,fr;q=-1 de;q=inf,fr multipart/form-data;boundary=x".split(),
    *(b"", b" ", b"\t", b'"1", "2"', b"9" * 15, b"9" * 16, b'"' + b"9" * 400 + b'"', b"gzip, br"),
    *(b"\xff\xfe", b"\xc3\xa9", b"\xef\xbb\xbf1", b"\xd9\xa1", b"a" * 10_000, b"x" * 200 + b",fr"),
    *(b"Bearer ", b"bearer x", b"Bearer " + b"a" * 43, b"Basic YTpi", b"Bearer a b", b"Bearer\ta"),
    *(b"application/json; charset=utf-16", b"application/json, application/json"),
)
"""Values of headers; those that no server accepts have a change of their own."""

HEADER_NAMES: Final = (
    *b"Authorization Idempotency-Key If-Match If-None-Match Last-Event-ID Content-Type Accept Cookie Host".split(),
    *b"Content-Encoding Accept-Language Accept-Encoding X-Request-ID Origin X-Forwarded-For Forwarded Via".split(),
    *b"X-Forwarded-Host X-Forwarded-Proto X-HTTP-Method-Override Range Expect TE Upgrade X-Fragment".split(),
    *b"Sec-Fetch-Site Referer If-Modified-Since Prefer".split(),
)

METHODS: Final = (
    *b"GET POST PUT PATCH DELETE HEAD OPTIONS TRACE CONNECT BREW get QUERY PROPFIND".split(),
    b"X" * 40,
)


def literal(chance: random.Random) -> Verbatim:
    """Return a value for a body."""
    return Verbatim(chance.choice(LITERALS))


def text(chance: random.Random) -> str:
    """Return a text."""
    return chance.choice(TEXTS)

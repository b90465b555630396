"""Odd values: what no client sends, and somebody will."""

import random
from typing import Any, Final

import msgspec


class Verbatim(msgspec.Struct, frozen=True):
    """Stands in a JSON value for bytes that go into the body as they are, whether they are JSON or not."""

    written: bytes


class Pairs(msgspec.Struct, frozen=True):
    """A JSON object whose keys may come twice."""

    pairs: tuple[tuple[Any, Any], ...]


DEEP: Final = (
    b"[" * 30_000,
    b'{"a":' * 12_000,
    b"[" * 900 + b"]" * 900,
    b'{"a":' * 500 + b"1" + b"}" * 500,
)

LITERALS: Final = (
    *(b"null", b"true", b"false", b"[]", b"{}", b'""', b"0", b"-0", b"-1", b"1.0", b"0.5", b"1e2", b"1E400"),
    *(b"2147483648", b"9007199254740993", b"18446744073709551616", b"-9223372036854775809", b"9" * 500),
    *(b"NaN", b"Infinity", b"-Infinity", b"0x10", b"01", b"+1", b".5", b"1.", b"1_000", b"undefined"),
    *(b'"\\ud800"', b'"\\udfff\\ud800"', b'"\\u0000"', b'"a\\u0000b"', b'"\xff"', b'"\xed\xa0\x80"', b'"\xc0\xaf"'),
    *(b'"\\x41"', b'"\x00"', b'"a\nb"', b"'a'", b'"', b'"\xf0\x9f\x82\xa1"', b'"\\ud83c\\udca1"', b'"e\xcc\x81"'),
    *(b'"' + b"a" * 5_000 + b'"', b'"../../etc/passwd"', b'"{match}"', b'"%00"', b'"1"', b'"seat0"'),
    *(b'[[[[[[1]]]]]]', b'{"type":"play"}', b'[null,null]', b"[1,2,3]" * 2, b"/* */ 1", b"1 // one"),
    *DEEP,
)
"""Values that stand anywhere in a body."""

TEXTS: Final = (
    *("", " ", "0", "-1", "1", "00012", "+1", "1.0", "1e3", "0x10", "1_000", "999999999", "9999999999", "9" * 40),
    *("null", "undefined", "true", "NaN", "None", "self", "*", "**", "a", "A" * 65, "a" * 3_000, "seat", "seat0"),
    *("seat-1", "seat999", "seat00", "spectator ", "SPECTATOR", "json,ndjson", "lama", "LAMA", "chess", "../lama"),
    *("..", ".", "../..", "../../../../etc/passwd", "..\\..\\windows", "a/b", "a//b", ";a=b", "a;b", "a,b", "a b"),
    *("{match}", "{{7*7}}", "${7*7}", "<script>alert(1)</script>", "'\"><b>", "' OR 1=1 --", "%", "%%", "%s%n"),
    *("\u0661\u0662", "\uff11\uff12", "\u00e9", "e\u0301", "\u202e", "\ufeff1", "\U0001f0a1", "\u0130", "\u2028"),
    *("tb:{s00}:m:x:meta", "tb:installation", "{s00}", "con", "nul", "1\n", "1\r\n", "a\tb", "\x7f", "\x00", "1\x00"),
)
"""Texts for ids, queries, form fields and headers."""

RAW_PATHS: Final = (
    *(b"%", b"%0", b"%zz", b"%00", b"%2e%2e", b"%2e%2e%2f", b"..%2f..%2f", b"%252e%252e", b"%c0%ae", b"%ff", b"%ed%a0%80"),
    *(b"%0a", b"%0d%0aX-Injected:%201", b"%20", b"%09", b"a%2Fb", b"%5c", b"%7bs00%7d", b"%u0041", b"..;", b"a%00b"),
    *(b"~", b"@", b"!$&'()*+,;=:", b"a" * 4_000, b"\xff\xfe", b"\xc3\xa9", b"%F0%9F%82%A1", b"[", b"|", b"^", b"`"),
)
"""Parts of a path, as bytes on the line."""

RAW_HEADERS: Final = (
    *(b"", b" ", b"\t", b",", b";", b"*", b'"', b'""', b'"0"', b'W/"1"', b'"1', b'1"', b'"1","2"', b'"1", "2"', b"'1'"),
    *(b"0", b"1", b"-1", b"01", b'"01"', b"1.0", b"9" * 15, b"9" * 16, b'"' + b"9" * 400 + b'"', b"1e3", b"0x1", b'"1"x'),
    *(b"\xff\xfe", b"\xc3\xa9", b"\xef\xbb\xbf1", b"\xd9\xa1", b"a" * 10_000, b"a,b", b"a;b", b"a=b", b"null", b"%00"),
    *(b"Bearer", b"Bearer ", b"bearer x", b"Bearer " + b"a" * 43, b"Basic YTpi", b"Bearer a b", b"Bearer\ta", b"token"),
    *(b"application/json", b"application/json; charset=utf-16", b"text/plain", b"multipart/form-data; boundary=x"),
    *(b"application/json;", b"APPLICATION/JSON", b"application/x-www-form-urlencoded", b"*/*;q=x", b"q=0", b"gzip, br"),
    *(b"application/json, application/json", b"en;q=2,fr;q=-1", b"fr;q=nan", b"de;q=inf,fr", b"x" * 200 + b",fr", b"1-2"),
)
"""Values of headers; those that no server lets through are sent by mutations of their own."""

HEADER_NAMES: Final = (
    *(b"Authorization", b"Idempotency-Key", b"If-Match", b"If-None-Match", b"Last-Event-ID", b"Content-Type", b"Accept"),
    *(b"Content-Encoding", b"Accept-Language", b"Accept-Encoding", b"X-Request-ID", b"Cookie", b"Origin", b"Host"),
    *(b"X-Forwarded-For", b"X-Forwarded-Host", b"X-Forwarded-Proto", b"Forwarded", b"X-HTTP-Method-Override", b"Range"),
    *(b"Expect", b"TE", b"Upgrade", b"X-Fragment", b"Sec-Fetch-Site", b"Referer", b"If-Modified-Since", b"Prefer", b"Via"),
)

METHODS: Final = (
    *(b"GET", b"POST", b"PUT", b"PATCH", b"DELETE", b"HEAD", b"OPTIONS", b"TRACE", b"CONNECT", b"BREW", b"get", b"QUERY"),
    *(b"PROPFIND", b"X" * 40),
)


def literal(chance: random.Random) -> Verbatim:
    """Return a value for a body."""
    return Verbatim(chance.choice(LITERALS))


def text(chance: random.Random) -> str:
    """Return a text."""
    return chance.choice(TEXTS)

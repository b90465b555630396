"""The parts of the OpenAPI document that belong to no single route."""

from collections.abc import Mapping
from typing import Any, Final

DESCRIPTION: Final = """
Tablée keeps tables at which people and bots play card games by turns, over minutes or over weeks.

**A match from beginning to end.** `POST /matches` makes a table and gives its host token. Everybody who plays takes
a seat with `POST /matches/{match}/seats` and gets a seat token, then says `POST /matches/{match}/ready`. When everybody
is ready, the match begins. From then on `GET /matches/{match}` with your seat token shows what you see and, when it is
your turn, your `legal` moves; `POST /matches/{match}/moves` makes one. Bots move by themselves. When `lifecycle.phase`
is `finished`, the ranking stands beside it.

**Tokens** go into `Authorization: Bearer TOKEN`. They are secrets: a seat token sees that seat's cards and plays for
it. Who plays at several tables makes a person once (`POST /me`) and sends that token everywhere: their tables then
belong together, and need no tokens of their own.

**Versions.** Everything that happens to a match is an event in a log that only grows; the version is the number of
events. Every view says its version, any earlier one is available, and a move names the one that it is based on
(`If-Match`).

**Nothing happens twice.** Commands carry an `Idempotency-Key`. When an answer was lost, send the same request again:
it gets the first answer.

**Refusals** are problem documents (RFC 9457) with a stable `code`, the `rule`, and what would be right. Read the
`code`, show the `detail`. Every answer carries `X-Request-ID`; the service log knows it.
""".strip()

TAGS: Final[Mapping[str, str]] = {
    "games": "The games, and what a client must know about them.",
    "tables": "Making a table, sitting down, starting, leaving.",
    "people": "Who you are, at all your tables.",
    "clubs": "People who play together, and their tables.",
    "playing": "Looking at a match and making moves.",
    "replay": "Any version of any match, and the log itself.",
    "health": "For supervisors and operators.",
    "document": "This description.",
}

SECURITY: Final[Mapping[str, Any]] = {
    "seatToken": {
        "type": "http",
        "scheme": "bearer",
        "description": "The secret that came with a seat. It sees what the seat sees, and plays for it.",
    },
    "hostToken": {
        "type": "http",
        "scheme": "bearer",
        "description": "The secret that came with the table. It starts the match, and may end it; it sees no hand.",
    },
    "personToken": {
        "type": "http",
        "scheme": "bearer",
        "description": "A person's own secret: at each of their tables it does what their seat's and their host's do.",
    },
    "keyToken": {
        "type": "http",
        "scheme": "bearer",
        "description": "A key that a person made for a program: it plays as a bot of theirs, or reads their inbox.",
    },
}

HEADERS: Final[Mapping[str, Any]] = {
    "ETag": {
        "description": 'The version in quotes, such as `"12"`: for `If-Match` and `If-None-Match`.',
        "schema": {"type": "string"},
    },
    "Location": {"description": "The address of the match.", "schema": {"type": "string"}},
    "Cache-Control": {
        "description": "Whether and how long the answer may be kept.",
        "schema": {"type": "string"},
    },
    "Vary": {
        "description": "The request headers that the answer depends on.",
        "schema": {"type": "string"},
    },
    "Content-Encoding": {
        "description": "`gzip` where `Accept-Encoding` allowed it.",
        "schema": {"type": "string"},
    },
    "WWW-Authenticate": {"description": "`Bearer`: how to authenticate.", "schema": {"type": "string"}},
    "Retry-After": {"description": "Seconds after which to try again.", "schema": {"type": "string"}},
    "Allow": {"description": "The methods that this address knows.", "schema": {"type": "string"}},
    "X-Request-ID": {
        "description": (
            "The request's correlation id, also in the service log and in the events and jobs that followed: "
            "yours, if you sent one of 1 to 64 letters, digits, - and _."
        ),
        "schema": {"type": "string"},
    },
    "Tablee-Durability": {
        "description": (
            "Present only if the log's server might lose moves that it has acknowledged (`weak`), or does "
            "not tell (`unknown`)."
        ),
        "schema": {"type": "string", "enum": ["weak", "unknown"]},
    },
}

HEADERS_OF_ALL: Final = ("X-Request-ID", "Tablee-Durability")

HEADERS_OF_PROBLEMS: Final[Mapping[int, tuple[str, ...]]] = {
    401: ("WWW-Authenticate",),
    405: ("Allow",),
    429: ("Retry-After",),
    503: ("Retry-After",),
}

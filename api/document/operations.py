"""What each route says about itself, beside its handler. The document is built from nothing else."""

from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec

from domain.games.registry import EXAMPLE


class Parameter(msgspec.Struct, frozen=True):
    """A part of a request other than its body.

    Attributes:
        name: Its name.
        place: ``path``, ``query`` or ``header``.
        description: What it means.
        schema: Its JSON Schema.
        example: A value.
        required: Whether it must be there.
    """

    name: str
    place: Literal["path", "query", "header"]
    description: str
    schema: Mapping[str, Any]
    example: str
    required: bool = True


def query_parameter(name: str, description: str, schema: Mapping[str, Any], example: str) -> Parameter:
    """Return an optional query parameter."""
    return Parameter(name, "query", description, schema, example, required=False)


class Answer(msgspec.Struct, frozen=True):
    """An answer to a request that succeeded.

    Attributes:
        description: What it means.
        body: The struct of its body; None for none.
        headers: Its headers, among those that the document knows.
        media: The kinds of content, with a schema of their own where it is not that of ``body``.
    """

    description: str
    body: type[msgspec.Struct] | None = None
    headers: tuple[str, ...] = ()
    media: Mapping[str, Mapping[str, Any]] = {}


class Operation(msgspec.Struct, frozen=True):
    """What one method of one address does. Who may is in the table of permissions.

    Attributes:
        id: The operation's name in generated clients.
        tag: Its group.
        description: What else there is to know, after the first line of the handler's docstring.
        parameters: The parameters outside the path.
        body: The struct of the request's body, or ``moves`` for the moves of all games; None for none.
        file: What a body is that is a file, whatever its kind of content is called; empty for none.
        examples: Bodies by title.
        answers: By status.
        problems: Codes of refusals, by status.
    """

    id: str
    tag: str
    description: str
    answers: Mapping[int, Answer]
    parameters: tuple[Parameter, ...] = ()
    body: type[msgspec.Struct] | Literal["moves"] | None = None
    file: str = ""
    examples: Mapping[str, Any] = {}
    problems: Mapping[int, tuple[str, ...]] = {}


SECRET_KEY: Final = Parameter(
    "Idempotency-Key",
    "header",
    "A secret of your own that nobody can guess, for example 32 random hexadecimal digits (`openssl rand "
    "-hex 16`). Ids and tokens are derived from it: the same request sent again gets the same answer, and "
    "anybody who has the key can get the token.",
    {"type": "string", "pattern": "^[A-Za-z0-9_-]{16,128}$"},
    "4f0c5b1d9a7e43d2b86f7d0c1e2a3b4c",
)

COMMAND_ID: Final = Parameter(
    "Idempotency-Key",
    "header",
    "The id of this command, new for each one. The same command sent again under the same id has no second "
    "effect and gets the first answer. Left out, one is made up, and sending it again is then another "
    "command.",
    {"type": "string", "pattern": "^[A-Za-z0-9_.-]{1,64}$"},
    "ready-1",
    required=False,
)

MOVE_ID: Final = Parameter(
    "Idempotency-Key",
    "header",
    "The id of this move, new for each one. When an answer was lost, send the same move again under the same "
    "id: it has no second effect and gets the first answer.",
    {"type": "string", "pattern": "^[A-Za-z0-9_.-]{1,64}$"},
    "move-17",
)

IF_MATCH: Final = Parameter(
    "If-Match",
    "header",
    "The version of the view that the move is based on, as in its `ETag`. It holds if it is no older than "
    "the view's `asked_at`: what others do meanwhile does not matter unless it changes your turn.",
    {"type": "string", "pattern": '^("[0-9]{1,15}"|[0-9]{1,15})$'},
    '"12"',
)

IF_NONE_MATCH: Final = Parameter(
    "If-None-Match",
    "header",
    "The `ETag` of an answer that you have: if it is still the newest, the answer is 304 without a body.",
    {"type": "string"},
    '"12"',
    required=False,
)

MATCH: Final = Parameter(
    "match",
    "path",
    "The match's id.",
    {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"},
    "vb56ltup7amwxyc4ab3n",
)

VERSION: Final = Parameter(
    "version",
    "path",
    "A version: the number of events so far.",
    {"type": "integer", "minimum": 1},
    "12",
)

GAME_KEY: Final = Parameter("key", "path", "The game's key.", {"type": "string"}, EXAMPLE)

REQUEST_ID: Final = Parameter(
    "request_id",
    "path",
    "The request's id, from the view's `requests`.",
    {"type": "string", "pattern": "^[A-Za-z0-9_.-]{1,64}$"},
    "undo-1",
)

DIGEST: Final = Parameter(
    "number", "path", "The digest's number, from 1 on.", {"type": "integer", "minimum": 1}, "1"
)
PLACE: Final = Parameter(
    "place",
    "path",
    "A match's h(0): the SHA-256 of `tablee/1 ` and its id.",
    {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    "3f1b0c5de8a94716c2f0b7d1a6935e8c4b7a2d90e1f8c3b6a5d4e7f60918273a",
)

_ID: Final = {"type": "string", "pattern": "^[a-z][a-z2-7]{20}$"}

MESSAGE: Final = Parameter(
    "message",
    "path",
    "The message's id.",
    {"type": "string", "pattern": "^[0-9]{1,15}-[0-9]{1,9}$"},
    "1764445583123-0",
)

KEY_ID: Final = Parameter(
    "key_id", "path", "The key's id, which opens nothing.", _ID, "kq2w4e6r2t4y6u2i4o6p2"
)

CLUB: Final = Parameter("club", "path", "The club's id.", _ID, "ca2c4e6g2i4k6m2o4q6s2")

MEMBER: Final = Parameter(
    "member", "path", "The member's id in this club, as the club shows it.", _ID, "na2c4e6g2i4k6m2o4q6s2"
)

INVITATION: Final = Parameter(
    "invitation", "path", "The invitation's id, which is not its code.", _ID, "ia2c4e6g2i4k6m2o4q6s2"
)

LEAGUE: Final = Parameter("league", "path", "The league's id.", _ID, "la2c4e6g2i4k6m2o4q6s2")

LEAGUE_TABLE: Final = Parameter(
    "table",
    "path",
    "The id of the table's match, as the league's schedule has it.",
    {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"},
    "vb56ltup7amwxyc4ab3n",
)

CODE: Final = Parameter(
    "code",
    "path",
    "The invitation's code: the last part of the address that was sent.",
    {"type": "string", "pattern": "^[A-Za-z0-9_-]{43}$"},
    "vJ3cTz0m1gq5o8m2bq1QeI7l9tY4uXw6sKd0rPnAhEc",
)
CHANNEL: Final = Parameter("channel", "path", "The contact's channel.", {"type": "string"}, "mail")

CONTACT: Final = Parameter("contact", "path", "The contact's number.", {"type": "string"}, "2c26b46b68ffc68f")

LINK: Final = Parameter(
    "link",
    "path",
    "The token of a link, or of a seat or a host.",
    {"type": "string", "pattern": "^[A-Za-z0-9_-]{43}$"},
    "hB3mZ0cV5rT9yQ1wE7uI2oP4aS6dF8gH_kL-xC3vN5b",
)

DEVICE: Final = Parameter(
    "device",
    "path",
    "A device's id, from the list of yours.",
    {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
)

PASSKEY: Final = Parameter(
    "passkey",
    "path",
    "The id of one of your passkeys, from the list of them.",
    {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
)

SEAT_NUMBER: Final = Parameter(
    "seat", "path", "A seat's number, from 0 on.", {"type": "integer", "minimum": 0, "maximum": 999}, "1"
)

IN_PATHS: Final[Mapping[str, Parameter]] = {
    "match": MATCH,
    "version": VERSION,
    "key": GAME_KEY,
    "request_id": REQUEST_ID,
    "number": DIGEST,
    "place": PLACE,
    "link": LINK,
    "device": DEVICE,
    "passkey": PASSKEY,
    "seat": SEAT_NUMBER,
    "club": CLUB,
    "key_id": KEY_ID,
    "message": MESSAGE,
    "member": MEMBER,
    "invitation": INVITATION,
    "league": LEAGUE,
    "table": LEAGUE_TABLE,
    "code": CODE,
    "channel": CHANNEL,
    "contact": CONTACT,
}
"""The parameters in paths."""

"""What each route says about itself. It stands beside the route's handler; the document is built from nothing else."""

from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec

Asker = Literal["anybody", "newcomer", "viewer", "seat", "host"]
"""Whose request it is: anybody's; that of somebody who gets a token by it; that of somebody who may have a token; that
of somebody with a seat's, or the host's, token."""


class Parameter(msgspec.Struct, frozen=True):
    """A part of a request beside its body.

    Attributes:
        name: Its name.
        place: Where it stands: ``path``, ``query`` or ``header``.
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
    """Return a parameter that may stand in the query."""
    return Parameter(name, "query", description, schema, example, required=False)


class Answer(msgspec.Struct, frozen=True):
    """An answer to a request that was granted.

    Attributes:
        description: What it means.
        body: Struct of its body; None for none.
        headers: Names of its headers among those that the document knows.
        media: The kinds of content, with a schema of their own where it is not that of ``body``.
    """

    description: str
    body: type[msgspec.Struct] | None = None
    headers: tuple[str, ...] = ()
    media: Mapping[str, Mapping[str, Any]] = {}


class Operation(msgspec.Struct, frozen=True):
    """What one method of one address does.

    Attributes:
        id: Name of the operation for generated clients.
        tag: The group that it stands in.
        description: What there is to know beyond the first line of the handler's docstring.
        asker: Whose request it is.
        parameters: Parameters beside those in the path.
        body: Struct of the request's body, or ``moves`` for the moves of all games; None for none.
        examples: Bodies by what they show.
        answers: By status.
        problems: Statuses of refusals, with the codes that they come with.
    """

    id: str
    tag: str
    description: str
    answers: Mapping[int, Answer]
    asker: Asker = "anybody"
    parameters: tuple[Parameter, ...] = ()
    body: type[msgspec.Struct] | Literal["moves"] | None = None
    examples: Mapping[str, Any] = {}
    problems: Mapping[int, tuple[str, ...]] = {}


SECRET_KEY: Final = Parameter(
    "Idempotency-Key",
    "header",
    "A secret of your own that nobody can guess, for example 32 random hexadecimal digits (`openssl rand "
    "-hex 16`). Ids and tokens are derived from it: the same request sent again gets the same answer, and "
    "who has the key can get the token.",
    {"type": "string", "pattern": "^[A-Za-z0-9_-]{16,128}$"},
    "4f0c5b1d9a7e43d2b86f7d0c1e2a3b4c",
)

COMMAND_ID: Final = Parameter(
    "Idempotency-Key",
    "header",
    "The id of this command, new for each one. The same command sent again under the same id has no second "
    "effect and gets the first answer. Left out, one is made up, and then sending it again is another "
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
    "The version of the view on which the move is based, as in its `ETag`. It holds as long as it is not "
    "older than the view's `asked_at`: what others do meanwhile without changing your turn does not throw "
    "you back.",
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
    "A version: the number of events that had happened.",
    {"type": "integer", "minimum": 1},
    "12",
)

GAME_KEY: Final = Parameter("key", "path", "The game's key.", {"type": "string"}, "lama")

REQUEST_ID: Final = Parameter(
    "request_id",
    "path",
    "The request's id, as the view's `requests` tell it.",
    {"type": "string", "pattern": "^[A-Za-z0-9_.-]{1,64}$"},
    "undo-1",
)

DIGEST: Final = Parameter(
    "number", "path", "The digest's number, from 1 on.", {"type": "integer", "minimum": 1}, "1"
)

IN_PATHS: Final[Mapping[str, Parameter]] = {
    "match": MATCH,
    "version": VERSION,
    "key": GAME_KEY,
    "request_id": REQUEST_ID,
    "number": DIGEST,
}
"""Parameters that stand in addresses."""

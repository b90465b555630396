"""``/me/keys``: the keys with which a person's own programs act."""

from typing import Annotated, Final

import msgspec
from litestar import delete, get, post
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.document.operations import SECRET_KEY, Answer, Operation
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from api.requests.bodies import Body, read
from api.requests.headers import secret_key
from api.requests.keys import revoke_key, shown_keys
from domain.errors import Malformed
from domain.instants import Instant
from services.bootstrap import present_instant
from services.errors import NoSuchKey
from services.people.player_names import readable
from services.people.program_keys import MOST_KEYS, PREFIX, ProgramKey, Scope

_HEADERS: Final = {"Cache-Control": "no-store"}


class KeyBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A key to be made.

    Attributes:
        name: What you call it: up to 24 characters on one line. A bot bears it at its tables, with yours.
        scope: `bot`: it sits down at tables and plays there as a bot of yours. `inbox`: it reads which tables wait for
            you, and nothing else.
    """

    name: Annotated[str, msgspec.Meta(max_length=100)]
    scope: Scope = "bot"


class KeyShown(msgspec.Struct, frozen=True):
    """A key, without the key itself.

    Attributes:
        id: Names it, and opens nothing.
        name: What you call it.
        scope: What it is good for.
        since: When it was made.
        seen: When it was used last, to a day; null if it never was.
        seats: The matches at which it holds a seat, or held one.
    """

    id: str
    name: str
    scope: Scope
    since: Instant
    seen: Instant | None
    seats: tuple[str, ...]


class KeyMade(msgspec.Struct, frozen=True):
    """A key was made.

    Attributes:
        token: The key itself. It is shown here only; the same request sent again gets the same.
        key: What is known of it.
    """

    token: str
    key: KeyShown


class KeyList(msgspec.Struct, frozen=True):
    """Your keys.

    Attributes:
        keys: The newest first.
    """

    keys: tuple[KeyShown, ...]


_BODY: Final = msgspec.json.Decoder(KeyBody)
_UNAVAILABLE: Final = ("store.unavailable",)

_MAKE: Final = Operation(
    id="makeKey",
    tag="people",
    description=(
        "Send the key as `Authorization` wherever a seat's token goes. A bot's key takes a seat with `POST "
        "/matches/{match}/seats`, gets ready, moves and answers requests; the table sees a bot of yours. It sees what "
        f"its own seats see, never what you see. You may have {MOST_KEYS} keys. Each begins with `{PREFIX}`."
    ),
    parameters=(SECRET_KEY,),
    body=KeyBody,
    examples={"a bot": {"name": "Robo"}, "a reader": {"name": "My lamp", "scope": "inbox"}},
    answers={201: Answer("The key is made.", KeyMade)},
    problems={400: ("key.name_missing",), 403: ("keys.too_many",), 503: _UNAVAILABLE},
)
_LIST: Final = Operation(
    id="listKeys",
    tag="people",
    description="What each is called, what it is good for, when it was used, and where it sits.",
    answers={200: Answer("Your keys.", KeyList)},
    problems={503: _UNAVAILABLE},
)
_REVOKE: Final = Operation(
    id="revokeKey",
    tag="people",
    description=(
        "It opens nothing from now on. Where its bot plays, a bot of the house plays on; where the match has not "
        "begun, its seat is free."
    ),
    answers={204: Answer("It is revoked.")},
    problems={404: ("key.unknown",), 503: _UNAVAILABLE},
)


@post("/me/keys", operation=_MAKE)
async def make_key(request: Http) -> ASGIResponse:
    """Make a key for a program of yours."""
    person, secret = access_of(request).person, secret_key(request)
    body, application = await read(request, _BODY), parts_of(request).application
    if not readable(body.name):
        raise Malformed("key.name_missing", "`name` needs at least one character that can be read.")
    token = PREFIX + application.identity.for_new_key(person, secret)
    key = await application.keys.make(person, token, body.name, body.scope, present_instant())
    return answer(KeyMade(token, _shown(key, ())), 201, _HEADERS)


@get("/me/keys", operation=_LIST)
async def list_keys(request: Http) -> ASGIResponse:
    """List your programs' keys."""
    found = await shown_keys(parts_of(request).application, access_of(request).person)
    return answer(KeyList(tuple(_shown(key, seats) for key, seats in found)), headers=_HEADERS)


@delete("/me/keys/{key_id:str}", operation=_REVOKE, status_code=200)
async def revoke(request: Http) -> ASGIResponse:
    """Revoke a key."""
    application, person = parts_of(request).application, access_of(request).person
    if not await revoke_key(application, person, request.path_params["key_id"]):
        raise NoSuchKey
    return ASGIResponse(status_code=204, headers=_HEADERS)


def _shown(key: ProgramKey, seats: tuple[str, ...]) -> KeyShown:
    return KeyShown(key.id, key.name, key.scope, key.since, key.seen, seats)

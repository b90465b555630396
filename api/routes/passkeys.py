"""``/me/passkeys``: those of a person's devices; ``/me/sessions/options``: what a device needs to prove one."""

from typing import Annotated, Any, Final

import msgspec
import structlog
from litestar import delete, get, patch, post
from litestar.response.base import ASGIResponse

from api.answering.answers import JSON, answer
from api.document.operations import SECRET_KEY, Answer, Operation
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from api.requests.bodies import Body, read
from api.requests.devices import device_of
from api.requests.headers import bearer, secret_key
from api.requests.passkeys import party_of
from api.routes.me import HEADERS
from domain.instants import Instant
from services.bootstrap import present_instant
from services.people.passkeys.kept import Passkey
from services.people.passkeys.passkeys import LONGEST_NAME

Answered = Annotated[dict[str, Any], msgspec.Meta(description="As `PublicKeyCredential.toJSON()` writes it.")]
_Name = Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)]


class PasskeyBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a device made.

    Attributes:
        answer: What `navigator.credentials.create` returned, with all bytes in base64url.
        name: What you call it; left out, what the device calls itself.
    """

    answer: Answered
    name: _Name = ""


class NameBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a passkey is called from now on.

    Attributes:
        name: The name.
    """

    name: _Name


class PasskeyShown(msgspec.Struct, frozen=True):
    """A passkey, as its person sees it.

    Attributes:
        id: Its id; it opens nothing.
        name: What you call it.
        host: The host name for which your device keeps it.
        since: When it was made.
        used: When somebody came back with it last; empty if nobody did.
        doubted: When it was refused because its count had gone back, as a copy's does; empty if it never was.
    """

    id: str
    name: str
    host: str
    since: Instant
    used: str
    doubted: str


class PasskeyList(msgspec.Struct, frozen=True):
    """Your passkeys.

    Attributes:
        passkeys: The oldest first.
    """

    passkeys: tuple[PasskeyShown, ...]


_BODY: Final = msgspec.json.Decoder(PasskeyBody)
_NAME: Final = msgspec.json.Decoder(NameBody)
_UNAVAILABLE: Final = {503: ("store.unavailable",)}
_UNKNOWN: Final = {404: ("passkey.unknown",), **_UNAVAILABLE}
_OPTIONS: Final[Any] = {
    "application/json": {"type": "object", "description": "Options of WebAuthn, as JSON."}
}

_log = structlog.get_logger(__name__)

_ASK_TO_KEEP: Final = Operation(
    id="askToKeepPasskey",
    tag="people",
    description=(
        "Options for `navigator.credentials.create`, on a page of this host under HTTPS or on `localhost`. They are "
        "good once, for five minutes, with the same token."
    ),
    answers={200: Answer("The options.", media=_OPTIONS)},
    problems={422: ("passkey.not_here",), 409: ("passkey.too_many",), **_UNAVAILABLE},
)
_KEEP: Final = Operation(
    id="keepPasskey",
    tag="people",
    description="Its public half is kept. With the passkey you come back: `POST /me/sessions`.",
    body=PasskeyBody,
    examples={"a phone": {"answer": {"id": "q83v", "type": "public-key"}, "name": "My phone"}},
    answers={201: Answer("It is kept.", PasskeyShown)},
    problems={
        409: ("passkey.kept", "passkey.too_many"),
        422: ("passkey.not_here", "passkey.challenge_over", "passkey.unverified"),
        **_UNAVAILABLE,
    },
)
_LIST: Final = Operation(
    id="listPasskeys",
    tag="people",
    description="Nobody comes in by what is kept of them.",
    answers={200: Answer("Your passkeys.", PasskeyList)},
    problems=_UNAVAILABLE,
)
_RENAME: Final = Operation(
    id="renamePasskey",
    tag="people",
    description="Only you see the name.",
    body=NameBody,
    examples={"a name": {"name": "My old phone"}},
    answers={200: Answer("The passkey.", PasskeyShown)},
    problems=_UNKNOWN,
)
_REMOVE: Final = Operation(
    id="removePasskey",
    tag="people",
    description="It opens nothing any more. Who came in with it before stays in: sign that device out.",
    answers={204: Answer("It is forgotten.")},
    problems=_UNKNOWN,
)
_ASK_TO_RETURN: Final = Operation(
    id="askToReturn",
    tag="people",
    description=(
        "Options for `navigator.credentials.get`, on a page of this host under HTTPS or on `localhost`. They name "
        "nobody: the device knows whose passkeys it keeps. They are good once, for five minutes; send its answer to "
        "`POST /me/sessions` with the same `Idempotency-Key`, or with the same token if you have one."
    ),
    parameters=(SECRET_KEY,),
    answers={200: Answer("The options.", media=_OPTIONS)},
    problems={422: ("passkey.not_here",), **_UNAVAILABLE},
)


@post("/me/passkeys/options", operation=_ASK_TO_KEEP, status_code=200)
async def ask_to_keep(request: Http) -> ASGIResponse:
    """Get what your device needs to make a passkey."""
    application, person = parts_of(request).application, access_of(request).person
    known = await application.persons.of(person)
    options = await application.passkeys.ask_to_keep(
        person,
        known.name if known is not None else "",
        party_of(request),
        bearer(request) or "",
        present_instant(),
    )
    return _options(options)


@post("/me/passkeys", operation=_KEEP)
async def keep(request: Http) -> ASGIResponse:
    """Have a passkey of your device kept."""
    application, person = parts_of(request).application, access_of(request).person
    body = await read(request, _BODY)
    passkey = await application.passkeys.keep(
        person,
        msgspec.json.encode(body.answer).decode(),
        body.name or device_of(request),
        party_of(request),
        bearer(request) or "",
        present_instant(),
    )
    await application.persons.keep(person)
    _log.info("passkey_kept")
    return answer(_shown(passkey), 201, HEADERS)


@get("/me/passkeys", operation=_LIST)
async def list_passkeys(request: Http) -> ASGIResponse:
    """List your passkeys."""
    found = await parts_of(request).application.passkeys.of(access_of(request).person)
    return answer(PasskeyList(tuple(map(_shown, found))), headers=HEADERS)


@patch("/me/passkeys/{passkey:str}", operation=_RENAME)
async def rename(request: Http) -> ASGIResponse:
    """Call a passkey otherwise."""
    body = await read(request, _NAME)
    passkey = await parts_of(request).application.passkeys.rename(
        access_of(request).person, request.path_params["passkey"], body.name
    )
    return answer(_shown(passkey), headers=HEADERS)


@delete("/me/passkeys/{passkey:str}", operation=_REMOVE, status_code=200)
async def remove(request: Http) -> ASGIResponse:
    """Remove a passkey."""
    passkeys = parts_of(request).application.passkeys
    await passkeys.remove(access_of(request).person, request.path_params["passkey"])
    _log.info("passkey_removed")
    return ASGIResponse(status_code=204, headers=HEADERS)


@post("/me/sessions/options", operation=_ASK_TO_RETURN, status_code=200)
async def ask_to_return(request: Http) -> ASGIResponse:
    """Get what your device needs to prove a passkey."""
    application, key = parts_of(request).application, secret_key(request)
    mine = bearer(request) if access_of(request).person else None
    browser = mine or application.identity.for_new_person(key)
    return _options(application.passkeys.ask_to_return(party_of(request), browser, present_instant()))


def _shown(passkey: Passkey) -> PasskeyShown:
    return PasskeyShown(passkey.id, passkey.name, passkey.party, passkey.since, passkey.used, passkey.doubted)


def _options(options: str) -> ASGIResponse:
    return ASGIResponse(body=options.encode(), headers=HEADERS, media_type=JSON)


ROUTES: Final = (ask_to_keep, keep, list_passkeys, rename, remove, ask_to_return)

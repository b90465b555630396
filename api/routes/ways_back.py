"""``/me/sessions``, ``/me/links``, ``/me/recovery-code``: coming back in, and what one comes back with."""

from typing import Annotated, Final

import msgspec
from litestar import delete, get, post
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.document.operations import SECRET_KEY, Answer, Operation
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from api.requests.addresses import public_address
from api.requests.bodies import Body, read
from api.requests.devices import device_of
from api.requests.headers import bearer, secret_key
from api.requests.passkeys import party_of
from api.routes.me import HEADERS, PersonShown, shown_person
from api.routes.passkeys import Answered
from domain.errors import Malformed
from domain.instants import Instant
from services.bootstrap import present_instant
from services.people.links import State
from services.people.ways_back import Visitor

_Way = Annotated[str, msgspec.Meta(max_length=100)]


class ComeBackBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What you come back with: one of the three.

    Attributes:
        link: The token of a link: what stands after `/s/` in its address. A seat's or a host's token will do, too.
        recovery_code: A recovery code, with or without its hyphens.
        passkey: What `navigator.credentials.get` returned for the options of `POST /me/sessions/options`, with all
            bytes in base64url.
        join: Whether you are the same person as the one whose token you send, so that their tables come along. They are
            then one person.
    """

    link: _Way = ""
    recovery_code: _Way = ""
    passkey: Answered | None = None
    join: bool = False


class CameBack(msgspec.Struct, frozen=True):
    """You are back.

    Attributes:
        token: The secret with which you are this person from now on. The same request sent again gets the same.
        match: The match at which you got a seat, or the host's place; empty for none.
        me: Who you are.
    """

    token: str
    match: str
    me: PersonShown


class LinkMade(msgspec.Struct, frozen=True):
    """A link that lets somebody in, once.

    Attributes:
        token: Its secret. The same request sent again gets the same.
        address: Where it leads in a browser.
        until: How long it is good for.
    """

    token: str
    address: str
    until: Instant


class LinkShown(msgspec.Struct, frozen=True):
    """What a link leads to.

    Attributes:
        leads_to: `person`, `seat` or `host`.
        state: `valid`, `used`, `expired` or `revoked`.
        name: How the person, or the player on the seat, is called; empty for none.
        match: The seat's match; empty for a link to a person.
        until: How long it is good for; empty for the token of a seat or a host, which stays good.
    """

    leads_to: str
    state: State
    name: str
    match: str
    until: str


class CodeMade(msgspec.Struct, frozen=True):
    """A recovery code.

    Attributes:
        code: The code. It is told once; the same request sent again gets the same.
        since: When it was made.
    """

    code: str
    since: Instant


class CodeShown(msgspec.Struct, frozen=True):
    """What is known of your recovery code.

    Attributes:
        since: When it was made; empty if you have none.
        used: When somebody came back with it last; empty if nobody did.
    """

    since: str
    used: str


_BODY: Final = msgspec.json.Decoder(ComeBackBody)
_LINK_CODES: Final = ("link.used", "link.expired", "link.revoked")
_UNAVAILABLE: Final = {503: ("store.unavailable",)}

_COME_BACK: Final = Operation(
    id="comeBack",
    tag="people",
    description=(
        "A link to a person, a recovery code and a passkey make you that person; a link to a seat gives you the seat, "
        "and whoever held it before loses it. A link works once. Send your own token along, if you have one: you then "
        "come in as somebody else, or keep being yourself with one seat more."
    ),
    parameters=(SECRET_KEY,),
    body=ComeBackBody,
    examples={"a recovery code": {"recovery_code": "7QM3K-XTF9D-PNWC2-H4A8B"}},
    answers={201: Answer("You are back.", CameBack)},
    problems={
        400: ("way_back.missing",),
        403: ("person.sits_twice",),
        404: ("link.unknown", "passkey.unknown", "recovery_code.unknown"),
        410: _LINK_CODES,
        422: ("passkey.challenge_over", "passkey.doubted", "passkey.not_here", "passkey.unverified"),
        503: ("store.unavailable", "match.contended"),
    },
)
_SHOW_LINK: Final = Operation(
    id="showLink",
    tag="people",
    description="Looking uses nothing up.",
    answers={200: Answer("The link.", LinkShown)},
    problems={404: ("link.unknown",), **_UNAVAILABLE},
)
_MAKE_LINK: Final = Operation(
    id="makeLink",
    tag="people",
    description="It lets one other device in as you, once, within 24 hours. A new one ends the one before.",
    parameters=(SECRET_KEY,),
    answers={201: Answer("The link.", LinkMade)},
    problems=_UNAVAILABLE,
)
_REVOKE_LINK: Final = Operation(
    id="revokeLink",
    tag="people",
    description="Who came in by it before stays in: sign that device out.",
    answers={204: Answer("There is no link that is still good.")},
    problems=_UNAVAILABLE,
)
_SHOW_CODE: Final = Operation(
    id="showRecoveryCode",
    tag="people",
    description="Nobody can tell the code itself again.",
    answers={200: Answer("What is known of it.", CodeShown)},
    problems=_UNAVAILABLE,
)
_MAKE_CODE: Final = Operation(
    id="makeRecoveryCode",
    tag="people",
    description="With it you come back when no device knows you any more. It replaces any other.",
    parameters=(SECRET_KEY,),
    answers={201: Answer("The code.", CodeMade)},
    problems=_UNAVAILABLE,
)
_ERASE_CODE: Final = Operation(
    id="eraseRecoveryCode",
    tag="people",
    description="It then opens nothing any more.",
    answers={204: Answer("You have no recovery code.")},
    problems=_UNAVAILABLE,
)


@post("/me/sessions", operation=_COME_BACK)
async def come_back(request: Http) -> ASGIResponse:
    """Come back in by a link, a recovery code or a passkey."""
    application, key = parts_of(request).application, secret_key(request)
    body, now = await read(request, _BODY), present_instant()
    if sum(map(bool, (body.link, body.recovery_code, body.passkey))) != 1:
        raise Malformed("way_back.missing", "Send one of `link`, `recovery_code` and `passkey`.")
    mine = bearer(request) if access_of(request).person else None
    visitor = Visitor(mine or application.identity.for_new_person(key), device_of(request), body.join)
    ways = application.ways_back
    if body.passkey is not None:
        given = msgspec.json.encode(body.passkey).decode()
        passkey = await application.passkeys.returned(given, party_of(request), visitor.session, now)
        arrival = await ways.return_by(passkey, visitor, now)
    elif body.link:
        arrival = await ways.enter(body.link, visitor, now)
    else:
        arrival = await ways.recover(body.recovery_code, visitor, now)
    me = shown_person(await application.persons.of(arrival.person))
    return answer(CameBack(arrival.session, arrival.match, me), 201, HEADERS)


@get("/me/links/{link:str}", operation=_SHOW_LINK)
async def show_link(request: Http) -> ASGIResponse:
    """Look at what a link leads to."""
    application = parts_of(request).application
    way = await application.ways_back.find(request.path_params["link"])
    state: State = "valid" if way.link is None else way.link.state(present_instant())
    until = "" if way.link is None else way.link.until
    if way.holder is not None:
        name = (await application.names.of([way.holder.player]))[0]
        shown = LinkShown(way.holder.role, state, name, way.holder.match, until)
    else:
        person = await application.persons.of(way.person)
        shown = LinkShown("person", state, "" if person is None else person.name, "", until)
    return answer(shown, headers=HEADERS)


@post("/me/links", operation=_MAKE_LINK)
async def make_link(request: Http) -> ASGIResponse:
    """Make a link to your other devices."""
    application, person = parts_of(request).application, access_of(request).person
    token = application.identity.for_link(person, secret_key(request))
    link = await application.links.make_for_person(token, person, present_instant())
    await application.persons.keep(person)
    return answer(link_made(request, token, link.until), 201, HEADERS)


@delete("/me/links", operation=_REVOKE_LINK, status_code=200)
async def revoke_link(request: Http) -> ASGIResponse:
    """Take your link back."""
    await parts_of(request).application.links.revoke(access_of(request).person)
    return ASGIResponse(status_code=204, headers=HEADERS)


@get("/me/recovery-code", operation=_SHOW_CODE)
async def show_code(request: Http) -> ASGIResponse:
    """Look whether you have a recovery code."""
    code = await parts_of(request).application.codes.of(access_of(request).person)
    shown = CodeShown("", "") if code is None else CodeShown(code.since, code.used)
    return answer(shown, headers=HEADERS)


@post("/me/recovery-code", operation=_MAKE_CODE)
async def make_code(request: Http) -> ASGIResponse:
    """Get a recovery code."""
    application, person = parts_of(request).application, access_of(request).person
    code = application.identity.for_recovery(person, secret_key(request))
    given = await application.codes.give(person, code, present_instant())
    await application.persons.keep(person)
    return answer(CodeMade(code, given.since), 201, HEADERS)


@delete("/me/recovery-code", operation=_ERASE_CODE, status_code=200)
async def erase_code(request: Http) -> ASGIResponse:
    """Give your recovery code up."""
    await parts_of(request).application.codes.erase(access_of(request).person)
    return ASGIResponse(status_code=204, headers=HEADERS)


def link_made(request: Http, token: str, until: Instant) -> LinkMade:
    """Return a link as its maker is told it."""
    return LinkMade(token, public_address(request, f"/s/{token}"), until)


ROUTES: Final = (
    come_back,
    show_link,
    make_link,
    revoke_link,
    show_code,
    make_code,
    erase_code,
)

"""``/me``: a person, known at all their tables by one token of their own."""

from typing import Annotated, Final

import msgspec
from litestar import get, patch, post
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.document.operations import SECRET_KEY, Answer, Operation
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from api.requests.bodies import Body, read
from api.requests.devices import device_of
from api.requests.headers import secret_key
from domain.errors import Malformed
from domain.instants import Instant
from services.bootstrap import present_instant
from services.errors import Unauthenticated
from services.people.persons import Person, Wish
from services.people.time_zones import is_time_zone
from services.words.languages import LANGUAGES

HEADERS: Final = {"Cache-Control": "no-store"}
_Text = Annotated[str, msgspec.Meta(max_length=100)]


class PersonBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a person says about themselves; what is left out stays as it is.

    Attributes:
        name: How others shall call you: up to 24 characters on one line.
        language: In which you read: `en` or `fr`; empty to go by the browser.
        time_zone: Where you live, such as `Europe/Paris`; empty to say nothing.
    """

    name: _Text | None = None
    language: _Text | None = None
    time_zone: _Text | None = None


class PersonShown(msgspec.Struct, frozen=True):
    """A person, as they see themselves.

    Attributes:
        name: How others call them.
        language: In which they read; empty to go by the browser.
        time_zone: Where they live; empty if they never said.
        since: When they came.
    """

    name: str
    language: str
    time_zone: str
    since: Instant


class PersonMade(msgspec.Struct, frozen=True):
    """A person was made.

    Attributes:
        token: The secret with which you are this person: at all tables that you make or join with it. The same request
            sent again gets the same.
        me: The person.
    """

    token: str
    me: PersonShown


_BODY: Final = msgspec.json.Decoder(PersonBody)

_MAKE: Final = Operation(
    id="makePerson",
    tag="people",
    description=(
        "There is nothing to register and no password. Send the token as `Authorization` when you make tables and sit "
        "down: your tables are then yours together, and you need none of their tokens."
    ),
    parameters=(SECRET_KEY,),
    body=PersonBody,
    examples={"somebody": {"name": "Zoë", "time_zone": "Europe/Paris"}},
    answers={201: Answer("You are known.", PersonMade)},
    problems={
        400: (
            "idempotency_key.missing",
            "idempotency_key.malformed",
            "language.unknown",
            "time_zone.unknown",
        ),
        503: ("store.unavailable",),
    },
)
_SHOW: Final = Operation(
    id="showPerson",
    tag="people",
    description="Nobody else sees your language and your time zone.",
    answers={200: Answer("You.", PersonShown)},
    problems={503: ("store.unavailable",)},
)
_CHANGE: Final = Operation(
    id="changePerson",
    tag="people",
    description="A name holds from your next table on.",
    body=PersonBody,
    examples={"another name": {"name": "Zoë M."}},
    answers={200: Answer("You, as you are now.", PersonShown)},
    problems={400: ("language.unknown", "time_zone.unknown"), 503: ("store.unavailable",)},
)


@post("/me", operation=_MAKE)
async def make_person(request: Http) -> ASGIResponse:
    """Become known, and get a token of your own."""
    application, key = parts_of(request).application, secret_key(request)
    wish = _wish(await read(request, _BODY))
    token, now = application.identity.for_new_person(key), present_instant()
    person = await application.sessions.person(token, now)
    if not person:
        created = await application.persons.create(now)
        person = await application.sessions.begin(token, created.id, now, device_of(request))
        if person == created.id:
            await application.persons.change(person, wish)
        else:  # the same request came twice at once
            await application.persons.erase(created.id)
    return answer(PersonMade(token, shown_person(await application.persons.of(person))), 201, HEADERS)


@get("/me", operation=_SHOW)
async def show_person(request: Http) -> ASGIResponse:
    """Show who you are."""
    person = access_of(request).person
    return answer(shown_person(await parts_of(request).application.persons.of(person)), headers=HEADERS)


@patch("/me", operation=_CHANGE)
async def change_person(request: Http) -> ASGIResponse:
    """Change your name, your language or your time zone."""
    person = access_of(request).person
    wish = _wish(await read(request, _BODY))
    application = parts_of(request).application
    changed = await application.persons.change(person, wish)
    if wish.time_zone is not None:
        await application.rests.replan(person)
    return answer(shown_person(changed), headers=HEADERS)


def _wish(body: PersonBody) -> Wish:
    if body.language and body.language not in LANGUAGES:
        raise Malformed("language.unknown", f"`language` is one of: {', '.join(LANGUAGES)}.")
    if body.time_zone and not is_time_zone(body.time_zone):
        raise Malformed(
            "time_zone.unknown", "`time_zone` is a name such as Europe/Paris or America/Montreal."
        )
    return Wish(body.name, body.language, body.time_zone)


def shown_person(person: Person | None) -> PersonShown:
    """Return a person as they see themselves.

    Raises:
        Unauthenticated: There is none any more.
    """
    if person is None:  # erased a moment ago
        raise Unauthenticated
    return PersonShown(person.name, person.language, person.time_zone, person.since)

"""``/me/contacts``: where a person wants to be told, for programs."""

from typing import Annotated, Any, Final, Literal

import msgspec
from litestar import delete, get, post
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.document.operations import Answer, Operation
from api.parts import Http, address_of, parts_of
from api.permissions.admission import access_of
from api.requests.bodies import Body, read
from api.requests.headers import wanted_language
from domain.instants import Instant
from services.notices.channels.webhook import SECRET, SHAPE
from services.notices.reaching import Asker, Reaching
from services.people.contacts import Contact

_HEADERS: Final = {"Cache-Control": "no-store"}
Shape = Literal["discord", "slack", "mattermost", "ntfy", "gotify", "json"]
_Text = Annotated[str, msgspec.Meta(max_length=2000)]


class ContactBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Where you want to be told.

    Attributes:
        channel: `mail` or `webhook`.
        address: The mailbox, or the address to post to.
        shape: What the program at a webhook takes: `discord`, `slack`, `mattermost`, `ntfy`, `gotify`, `json`.
    """

    channel: Literal["mail", "webhook"]
    address: _Text
    shape: Shape = "json"


class CodeBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the mail says.

    Attributes:
        code: The six digits.
    """

    code: Annotated[str, msgspec.Meta(max_length=20)]


class ContactShown(msgspec.Struct, frozen=True):
    """A contact, as its person sees it.

    Attributes:
        channel: `mail` or `webhook`.
        number: Tells it from your other contacts in this channel.
        address: The mailbox, or the address to post to.
        since: When you gave it.
        confirmed: Whether you are told there.
        off: Why nothing is sent there any more; empty if it works.
        shape: What is posted there; empty for a mailbox.
        secret: What posts are signed with; empty for a mailbox.
    """

    channel: str
    number: str
    address: str
    since: Instant
    confirmed: bool
    off: str
    shape: str
    secret: str


class ContactList(msgspec.Struct, frozen=True):
    """Your contacts, the oldest first."""

    contacts: tuple[ContactShown, ...]


_BODY: Final = msgspec.json.Decoder(ContactBody)
_CODE: Final = msgspec.json.Decoder(CodeBody)
_AWAY: Final = ("store.unavailable",)

_LIST: Final = Operation(
    id="listContacts",
    tag="people",
    description="Your feed needs none.",
    answers={200: Answer("Your contacts.", ContactList)},
    problems={503: _AWAY},
)
_GIVE: Final = Operation(
    id="giveContact",
    tag="people",
    description=(
        "A mailbox gets a mail with a link and a code. You are told there once you have sent the code to "
        "`…/confirm`, or followed the link. The same mailbox given again gets a new mail. An address to post to gets "
        "a test, and is kept if it takes it. Posts have the headers `Tablee-Message` (the same when a message comes "
        "twice) and `Tablee-Signature`: `t=`, the seconds of the epoch, `,v1=`, the HMAC-SHA-256 under `secret` of "
        "those seconds, a full stop and the body, in hexadecimal."
    ),
    body=ContactBody,
    examples={
        "a mailbox": {"channel": "mail", "address": "zoe@example.org"},
        "a webhook": {"channel": "webhook", "address": "https://ntfy.sh/zoe-plays", "shape": "ntfy"},
    },
    answers={201: Answer("It is kept.", ContactShown)},
    problems={
        422: (
            "contact.mail_off",
            "contact.mail_malformed",
            "contact.mail_not_sent",
            "contact.not_reached",
            "contact.too_many",
        ),
        503: _AWAY,
    },
)
_CONFIRM: Final = Operation(
    id="confirmContact",
    tag="people",
    description="After five wrong codes you need a new mail.",
    body=CodeBody,
    examples={"a code": {"code": "123456"}},
    answers={200: Answer("You are told there from now on.", ContactShown)},
    problems={404: ("contact.unknown",), 422: ("proof.unknown", "proof.wrong_code"), 503: _AWAY},
)
_TAKE_AWAY: Final = Operation(
    id="takeContactAway",
    tag="people",
    description="It is forgotten.",
    answers={200: Answer("The contacts that are left.", ContactList)},
    problems={404: ("contact.unknown",), 503: _AWAY},
)


@get("/me/contacts", operation=_LIST)
async def list_contacts(request: Http) -> ASGIResponse:
    """List where you are told."""
    return await _listed(request)


@post("/me/contacts", operation=_GIVE)
async def give_contact(request: Http) -> ASGIResponse:
    """Say where you want to be told."""
    body = await read(request, _BODY)
    person = await parts_of(request).application.persons.of(access_of(request).person)
    language = (person.language if person is not None else "") or wanted_language(request)
    asker = Asker(access_of(request).person, language, address_of(request))
    reaching = reaching_of(request)
    if body.channel == "webhook":
        contact = await reaching.give_webhook(asker, body.address, body.shape)
    else:
        contact = await reaching.give_mailbox(asker, body.address)
    return answer(_shown(contact), 201, _HEADERS)


@post("/me/contacts/{channel:str}/{contact:str}/confirm", operation=_CONFIRM)
async def confirm_contact(request: Http) -> ASGIResponse:
    """Confirm that a mailbox is yours."""
    body, number = await read(request, _CODE), request.path_params["contact"]
    contact = await reaching_of(request).confirm_by_code(access_of(request).person, number, body.code)
    return answer(_shown(contact), headers=_HEADERS)


@delete("/me/contacts/{channel:str}/{contact:str}", operation=_TAKE_AWAY, status_code=200)
async def take_contact_away(request: Http) -> ASGIResponse:
    """Take a contact away."""
    channel, number = (request.path_params[name] for name in ("channel", "contact"))
    await reaching_of(request).take_away(access_of(request).person, channel, number)
    return await _listed(request)


def reaching_of(request: Http) -> Reaching:
    """Return what takes contacts."""
    state: Any = request.app.state
    taken: Reaching = state.reaching
    return taken


async def _listed(request: Http) -> ASGIResponse:
    contacts = await parts_of(request).application.contacts.of(access_of(request).person)
    return answer(ContactList(tuple(map(_shown, contacts))), headers=_HEADERS)


def _shown(contact: Contact) -> ContactShown:
    return ContactShown(
        contact.channel,
        contact.number,
        contact.address,
        contact.since,
        contact.confirmed,
        contact.off,
        contact.details.get(SHAPE, ""),
        contact.details.get(SECRET, ""),
    )
